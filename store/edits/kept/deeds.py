"""What the journal keeps of a change: for each step enough to finish it or undo it.

The bytes themselves lie among the blobs; here they go by their digests.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.files.replacing import Attributes, End
from store.findings import Json


class FileDeed(Struct, frozen=True, kw_only=True):
    """One file made, changed or removed."""

    root: Path
    path: str
    before: str | None
    after: str | None
    temp: str
    """What a new or an old file is called for an instant, in the same folder."""
    is_derived: bool = False
    """Whether the change stands without it."""
    folders: tuple[str, ...] = ()
    """The folders that it needs and that are not there, the outermost first; or, where
    the file goes, those that go with it if nothing else is in them."""
    about: Attributes | None = None
    """What the file is besides its bytes, before; None where there is none."""
    restores: Attributes | None = None
    """What it shall be besides them, where it is put back as it was."""
    mode: int = 0o600
    """The mode of a file that is new."""

    def reversed(self) -> "FileDeed":
        """What takes it back."""
        return replace(
            self,
            before=self.after,
            after=self.before,
            about=None,
            restores=self.about,
        )


class LinesDeed(Struct, frozen=True, kw_only=True):
    """Lines put behind the last of a file, or taken away from there.

    All that it takes to finish it or to undo it stands in the journal itself.
    """

    root: Path
    path: str
    end: End
    """Where they begin, and what stands before that."""
    lines: bytes
    mtime_ns: int
    """When the file was changed last before they came."""
    takes: bool = False
    """Whether they are taken away."""

    def reversed(self) -> "LinesDeed":
        """What takes it back."""
        return replace(self, takes=not self.takes)


class RowChange(Struct, frozen=True, kw_only=True):
    """One row made, changed or removed; its columns lie among the blobs as JSON."""

    table: str
    key: Mapping[str, Json]
    before: str | None
    after: str | None
    triggers: tuple[str, ...] = ()
    """The statements of the triggers whose effects the format knows."""


class RowsDeed(Struct, frozen=True, kw_only=True):
    """Rows of one database, changed in one transaction."""

    root: Path
    path: str
    rows: tuple[RowChange, ...]

    def reversed(self) -> "RowsDeed":
        """What takes it back."""
        rows = (
            replace(row, before=row.after, after=row.before)
            for row in reversed(self.rows)
        )
        return replace(self, rows=tuple(rows))


class ModeDeed(Struct, frozen=True, kw_only=True):
    """Another mode for a file or a folder."""

    root: Path
    path: str
    """Empty for the store's own folder."""
    before: int
    after: int

    def reversed(self) -> "ModeDeed":
        """What takes it back."""
        return replace(self, before=self.after, after=self.before)


Deed = FileDeed | LinesDeed | RowsDeed | ModeDeed


def in_order(deeds: Iterable[Deed]) -> list[Deed]:
    """In an order in which a crash leaves too much and never too little.

    What is made, what is changed, what goes; what is derived from all that; and who may
    use it then.
    """
    return sorted(deeds, key=_rank)


def _rank(deed: Deed) -> int:
    if isinstance(deed, ModeDeed):
        return 4
    if isinstance(deed, RowsDeed):
        return 1
    if isinstance(deed, LinesDeed):
        return 2 if deed.takes else 0
    if deed.is_derived:
        return 3
    return 0 if deed.before is None else 2 if deed.after is None else 1


def blobs_of(deed: Deed) -> set[str]:
    """The digests of all bytes that it speaks of."""
    if isinstance(deed, LinesDeed | ModeDeed):
        return set()
    pairs = (
        [(deed.before, deed.after)]
        if isinstance(deed, FileDeed)
        else [(row.before, row.after) for row in deed.rows]
    )
    return {name for pair in pairs for name in pair if name is not None}


def is_derived(deed: Deed) -> bool:
    """Whether a change stands without it."""
    return isinstance(deed, FileDeed) and deed.is_derived
