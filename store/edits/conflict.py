"""Two programs that changed the same file: what each made of it."""

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflict:
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

    @property
    def diff(self) -> str:
        """What the other program made of it, as a unified diff."""
        from store.derive.difference import difference  # noqa: PLC0415  # rarely needed

        return difference(self.path, _text(self.base), _text(self.theirs))


def _text(raw: bytes | None) -> str | None:
    return None if raw is None else raw.decode("utf-8", "surrogateescape")
