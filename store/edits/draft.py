"""A draft: the bytes a change would replace, and what an editable format must offer."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from msgspec import Struct
from msgspec.structs import replace

from store.files.append import NEAR, End
from store.files.beneath import Root
from store.findings import Json
from store.kinds.conversations import Conversation
from store.kinds.edges import Edge
from store.kinds.journals import Measure
from store.kinds.memories import Memory
from store.kinds.messages import Message
from store.kinds.pages import Document, Episode
from store.kinds.problems import Problem
from store.records.answers import Link

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from store.records.intents import Intent


# A draft: exactly which bytes a change replaces, and with what.

Remake = Callable[[bytes | None], bytes | None]
"""Rebuilds a derived file from its current content; None if it cannot."""


def in_turn(remakes: Sequence[Remake]) -> Remake:
    """Rebuild a derived file in several steps, each from the result of the last."""

    def remake(raw: bytes | None) -> bytes | None:
        for each in remakes:
            raw = each(raw)
            if raw is None:
                return None
        return raw

    return remake


Shown = Callable[[bytes], bytes]
"""What users see instead of a file's bytes."""


class FileStep(Struct, frozen=True, kw_only=True):
    """One file created, changed or removed."""

    path: str
    """The file, relative to its store."""
    before: bytes | None
    """All its bytes when the draft was made; None if there was no file."""
    after: bytes | None
    """All its bytes after the change; None if it is removed."""
    remake: Remake | None = None
    """For derived files: if another program wrote one meanwhile, it is rebuilt from
    that. If it cannot be, the change is made without it."""
    root: Path | None = None
    """The store of the file, if it is another one."""
    shown: Shown | None = None
    """What users see instead of its bytes, if those contain a secret."""


class AppendStep(Struct, frozen=True, kw_only=True):
    """Whole lines appended to a file in place.

    The existing content is neither read as a whole nor rewritten, so this takes as long
    in a file of a hundred thousand lines as in one of ten.
    """

    path: str
    """The file, relative to its store; it must exist."""
    end: End
    """The end of the file when the draft was made."""
    lines: bytes
    """The bytes to append, starting with the newline that the last line may lack."""
    root: Path | None = None
    """The store of the file, if it is another one."""
    shown: Shown | None = None
    """What users see instead of its bytes, if those contain a secret."""


class RowStep(Struct, frozen=True, kw_only=True):
    """One row of a database inserted, changed or deleted, within a transaction."""

    path: str
    """The database, relative to its store."""
    table: str
    key: Mapping[str, Json]
    """The columns that identify the row, with their values."""
    before: Mapping[str, Json] | None
    """The current values of the changed columns; None if there is no row."""
    after: Mapping[str, Json] | None
    triggers: tuple[str, ...] = ()
    """The statements of those triggers of the table whose effects the format knows. If
    the table has any others, nothing is written."""


class ModeStep(Struct, frozen=True, kw_only=True):
    """A new mode for a file or a folder, whose content stays as it is."""

    path: str
    """The file or folder, relative to the store; empty for the store's own folder."""
    before: int
    """Its mode when the draft was made."""
    after: int
    root: Path | None = None
    """The store of the file, if it is another one."""


Step = FileStep | AppendStep | RowStep | ModeStep


class ForeignLock(Struct, frozen=True, kw_only=True):
    """A lock of another program; nothing is written while it is present."""

    path: str
    """The lock file, relative to the store."""
    age: float
    """Seconds after which it is ignored."""


class Marking(Struct, frozen=True, kw_only=True):
    """A mark that the format has no field for, so it is saved outside the store."""

    path: str
    """The file of the marked memory."""
    id: str | None = None
    """The memory's own identifier, if its file contains several."""
    name: str
    """`pinned`, or `vault` for a conversation that is saved there."""
    is_set: bool
    """Whether the mark is set or removed."""
    root: Path | None = None
    """The store of the memory, if it is another one."""

    @property
    def reversed(self) -> "Marking":
        """The marking that undoes this one."""
        return replace(self, is_set=not self.is_set)


SAVED = "vault"
"""The name of the marks of saved conversations."""


class FileMove(Struct, frozen=True, kw_only=True):
    """A file that a change moves to another path, whatever happens to its content."""

    path: str
    new: str
    root: Path | None = None
    """The store of the file, if it is another one."""


class Draft(Struct, frozen=True, kw_only=True):
    """What a change would do; nothing is done yet."""

    action: str
    """The change as a user would type it after `recollect`: `pin “Redis timeouts”`."""
    steps: tuple[Step, ...]
    """Creations first, then changes, then removals, so that a crash leaves too much
    rather than too little."""
    warnings: tuple[str, ...] = ()
    """Side effects of the change, one sentence each."""
    is_grave: bool = False
    """Whether the plan must be shown first: it merges, deletes or breaks links."""
    lock: str | None = None
    """The store's own lock file, held during the change."""
    locks: tuple[tuple[Path, str], ...] = ()
    """The lock files of stores that use a different one, each with its store."""
    foreign_locks: tuple[ForeignLock, ...] = ()
    """The locks of other programs that prevent the change."""
    marks: tuple[Marking, ...] = ()
    """The marks that the program itself saves, because the store cannot."""
    count: int = 0
    """How many records it affects, if none is named: all due, or all of a document."""
    moves: tuple[FileMove, ...] = ()
    """The files that the change moves."""


# What a format must implement so that its stores can be changed.

Changeable = (
    Memory | Edge | Episode | Conversation | Message | Document | Measure | Problem
)
"""The records that an intent may be about."""


Made = Mapping[str, Sequence[float]]
"""Vectors of memories, by the memory's key."""


class Known(Protocol):
    """What the catalogue knows about the store being changed."""

    def memories(self) -> Iterator[Memory]:
        """Every memory of the store."""
        ...

    def edges(self) -> Iterator[Edge]:
        """Every edge of the store."""
        ...

    def memory(self, ref: str) -> Memory | None:
        """The memory with a ref."""
        ...

    def namesakes(self, title: str) -> Sequence[Memory]:
        """The memories whose titles give the same name; see `name_key`."""
        ...

    def described(self, text: str) -> Sequence[Memory]:
        """The memories with a description, ignoring case and white space."""
        ...

    def types(self, paths: Sequence[str]) -> Mapping[str, str]:
        """The types of the memories in some files, by path."""
        ...

    def projects(self) -> Collection[str]:
        """The names of the folders in which agents worked, in any store."""
        ...

    def indexes(self) -> Sequence[str]:
        """The paths of the documents that list the memories."""
        ...

    def edges_of(self, ref: str) -> Sequence[Edge]:
        """The edges that start or end at a memory."""
        ...

    def links_of(self, ref: str) -> Sequence[Link]:
        """All links from a memory and to it; see `Link.by`."""
        ...

    def vectors(self, model: str) -> tuple[Made, Made]:
        """The vectors that a model made for us: of present texts, and of former."""
        ...


class Form(Struct, frozen=True, kw_only=True):
    """The text of a record for an external editor."""

    raw: bytes
    suffix: str
    """The file suffix for this kind of text: `.md`, `.json`."""


class Scribe(Protocol):
    """Works out what a change would write to one store; writes nothing itself.

    A change that is not possible raises a RecollectError whose message says why.
    """

    def possible(self, record: Changeable | None) -> Mapping[str, str]:
        """The possible actions on a record, or on the store itself if None.

        The words of all intents that apply, each with the reason why it is not possible
        now; an empty reason if it is.
        """
        ...

    def form(self, record: Changeable) -> Form:
        """The record as text for an editor."""
        ...

    def draft(
        self, intent: "Intent", records: Sequence[Changeable], known: Known, now: int
    ) -> "Draft":
        """The changes to the store's files, which are read for this call.

        `now` is in microseconds since 1970. Any number of records gives one draft.
        """
        ...

    def __enter__(self) -> "Self": ...

    def __exit__(
        self,
        kind: "type[BaseException] | None",
        error: "BaseException | None",
        trace: "TracebackType | None",
    ) -> None: ...


# Append lines to a file without reading it.

MOST = 64 * 1024
"""The most bytes to append in one write; for more, the whole file is rewritten."""

_BOM = b"\xef\xbb\xbf"


def behind(root: Root, path: str, lines: Sequence[bytes]) -> AppendStep | None:
    """The step that appends lines; None if they are too many for that.

    They get the line ending of the file's last line. If that line lacks its newline,
    the newline is added first. Raises UnreadableError.
    """
    with root.opened(path) as file:
        size = file.stamp.size
        start = max(0, size - NEAR)
        tail = file.at(start, size - start)
    is_open = not tail.endswith(b"\n") and tail not in (b"", _BOM)
    newline = b"\r\n" if tail.removesuffix(b"\n").endswith(b"\r") else b"\n"
    added = b"\n" * is_open + b"".join(line + newline for line in lines)
    if len(added) > MOST:
        return None
    return AppendStep(path=path, end=End(size, tail), lines=added)


# How far a step got, judging by what is on disk.


class Stage(Enum):
    """The current state of a file or a row."""

    BEFORE = "before"
    AFTER = "after"
    TORN = "torn"
    """Partly overwritten."""
    FOREIGN = "foreign"
    """Changed by another program."""


class Versions(Struct, frozen=True):
    """A file or row before, after and now; None where it does not exist."""

    path: str
    before: bytes | None
    after: bytes | None
    now: bytes | None
