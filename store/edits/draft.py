"""A draft: exactly which bytes a change would put in the place of which."""

from collections.abc import Callable, Mapping
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.files.replacing.ends import End
from store.findings import Json

Remake = Callable[[bytes | None], bytes | None]
"""Makes a derived file from whatever it is by now; None where it cannot."""

Shown = Callable[[bytes], bytes]
"""What people are shown in place of a file's bytes."""


class FileStep(Struct, frozen=True, kw_only=True):
    """One file made, changed or removed."""

    path: str
    """The file, relative to its store."""
    before: bytes | None
    """All its bytes, as the draft was made from them; None where there is no file."""
    after: bytes | None
    """All its bytes then; None where it goes."""
    remake: Remake | None = None
    """For derived files: where another wrote meanwhile, it is made from that instead,
    and if it cannot be, the change stands without it."""
    root: Path | None = None
    """The store that it lies in, where that is another one."""
    shown: Shown | None = None
    """What people are shown in place of its bytes, where those hold a secret."""


class AppendStep(Struct, frozen=True, kw_only=True):
    """Whole lines put behind the last of a file, where it stands.

    What is there is neither read as a whole nor written: that takes as long in a file
    of a hundred thousand lines as in one of ten.
    """

    path: str
    """The file, relative to its store; it is there."""
    end: End
    """How it ends, as the draft was made from it."""
    lines: bytes
    """What stands behind that then: first the newline that the last line may lack."""
    root: Path | None = None
    """The store that it lies in, where that is another one."""
    shown: Shown | None = None
    """What people are shown in place of its bytes, where those hold a secret."""


class RowStep(Struct, frozen=True, kw_only=True):
    """One row of a database made, changed or removed, within a transaction."""

    path: str
    """The database, relative to its store."""
    table: str
    key: Mapping[str, Json]
    """The columns that name the row, with their values."""
    before: Mapping[str, Json] | None
    """Every column that the change is about, as it is; None where there is no row."""
    after: Mapping[str, Json] | None
    triggers: tuple[str, ...] = ()
    """The triggers of the table whose effects the format knows, by the statements that
    made them; where there are others nothing is written."""


class ModeStep(Struct, frozen=True, kw_only=True):
    """Who may use a file or a folder; what it holds is left as it is."""

    path: str
    """The file or folder, relative to the store; empty for the store's own folder."""
    before: int
    """Its mode, as the draft was made from it."""
    after: int
    root: Path | None = None
    """The store that it lies in, where that is another one."""


Step = FileStep | AppendStep | RowStep | ModeStep


class Shunned(Struct, frozen=True, kw_only=True):
    """A lock of somebody else's, in whose presence nothing is written."""

    path: str
    """The lock's file, relative to the store."""
    age: float
    """Seconds after which it counts no more."""


class Marking(Struct, frozen=True, kw_only=True):
    """A mark that its format has no words for, to be kept outside of the store."""

    path: str
    """The file of the memory that is marked."""
    id: str | None = None
    """The memory's own identifier, where its file holds many."""
    name: str
    """`pinned`."""
    is_set: bool
    """Whether the mark is put there; else it is taken away."""
    root: Path | None = None
    """The store that the memory lies in, where that is another one."""

    @property
    def reversed(self) -> "Marking":
        """What takes it back."""
        return replace(self, is_set=not self.is_set)


class Draft(Struct, frozen=True, kw_only=True):
    """What a change would do; nothing has been done yet."""

    action: str
    """What it is, as a person says it after `recollect`: `pin “Redis timeouts”`."""
    steps: tuple[Step, ...]
    """In an order in which a crash leaves too much and never too little: what is made,
    what is changed, what goes."""
    warnings: tuple[str, ...] = ()
    """What the format makes happen besides, a sentence each."""
    is_grave: bool = False
    """Whether the plan is shown before it is carried out: it merges, deletes for good,
    or breaks links."""
    lock: str | None = None
    """The store's own lock file, taken while it is carried out."""
    locks: tuple[tuple[Path, str], ...] = ()
    """The lock files of stores that are locked otherwise, each with its store."""
    shuns: tuple[Shunned, ...] = ()
    """The locks that forbid it."""
    marks: tuple[Marking, ...] = ()
    """What the program itself has to remember, for the store cannot."""
    count: int = 0
    """How many records it is about, where none was named: all that are due, or all that
    a document holds."""
