"""Two programs that changed the same file: what each made of it."""

from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from store.edits.draft import Shown


class Conflict(Struct, frozen=True, kw_only=True):
    """One file; None stands for there being none."""

    root: Path
    """The store that it lies in."""
    path: str
    """The file, relative to its store; a row of a database as `file:table`."""
    base: bytes | None
    """What both began with."""
    ours: bytes | None
    """What this program would have it be."""
    theirs: bytes | None
    """What it is."""
    shown: "Shown | None" = None
    """What people are shown in place of these bytes, where they hold a secret."""

    @property
    def diff(self) -> str:
        """What the other program made of it, as a unified diff."""
        from store.derive.difference import (  # noqa: PLC0415  # rarely needed
            difference,
            hidden,
        )

        before, after = self._text(self.base), self._text(self.theirs)
        return difference(self.path, before, after) or hidden(self.path)

    def _text(self, raw: bytes | None) -> str | None:
        if raw is None:
            return None
        told = raw if self.shown is None else self.shown(raw)
        return told.decode("utf-8", "surrogateescape")
