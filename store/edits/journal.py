"""The journal of changes: one line per event, durable before the next write.

Beside it, in the change folder, are the bytes and the files that undo needs.
"""

import json
import os
import sqlite3
from collections.abc import Callable, Collection, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from enum import StrEnum
from functools import partial
from hashlib import blake2b
from pathlib import Path
from typing import Any, cast

from msgspec import Struct, convert, field, to_builtins
from msgspec.structs import replace

from store.edits.backups import Blobs, Records, ReplacedFiles, Workspace, name_of
from store.edits.conflict import translated
from store.edits.deeds import Deed, FileDeed, LinesDeed, ModeDeed
from store.edits.draft import Marking
from store.edits.rows import RowsDeed, back_up
from store.errors import LockedError, NotWrittenError, UnreadableError
from store.files.writable import make_folder, settle, settle_folder, write_all
from store.findings import Json
from store.machine import why_not
from store.resource import Closing

# An operation: a change, or the undo or redo of one, as recorded in the journal.


class Kind(StrEnum):
    """The kinds of operation."""

    CHANGE = "change"
    UNDO = "undo"
    REDO = "redo"


class State(StrEnum):
    """How far an operation got."""

    BEGUN = "begun"
    """Not finished: still running, or the program ended."""
    BACKWARDS = "backwards"
    """Failed and being undone."""
    DONE = "done"
    ABORTED = "aborted"
    """Undone completely."""
    UNSETTLED = "unsettled"
    """Half done, because another program wrote meanwhile: the user has to resolve it.
    """


Pair = tuple[str | None, str | None]
"""The digests of a file before and after."""


class Operation(Struct, frozen=True, kw_only=True, rename={"foreign_locks": "shuns"}):
    """Everything the journal knows about an operation."""

    id: str
    time: int
    """When it started, in microseconds since 1970."""
    kind: Kind
    change: str
    """The id of the change that it makes, undoes or redoes."""
    action: str
    refs: tuple[str, ...]
    root: Path
    deeds: tuple[Deed, ...]
    locks: tuple[tuple[Path, str], ...] = ()
    """The lock files held during it, each with its store."""
    foreign_locks: tuple[tuple[str, int | float], ...] = ()
    """The locks of other programs that prevent writing, and the seconds after which
    each is ignored."""
    marks: tuple[Marking, ...] = ()
    """The marks that the program itself saves when it is done."""
    pid: int = 0
    """The process that started it."""
    resumed_by: frozenset[int] = frozenset()
    """The processes that took over its locks after that one was gone."""
    state: State = State.BEGUN
    notes: tuple[str, ...] = ()
    settled: Mapping[int, Pair | None] = field(default_factory=dict[int, Pair | None])
    """For each derived file, by deed number, its digests before and after the actual
    write; None if it was given up."""
    overwritten: frozenset[int] = frozenset()
    """The numbers of the deeds that had to overwrite their file in place."""
    late: tuple[tuple[int, str], ...] = ()
    """What other programs wrote to files that had already been replaced: the numbers of
    the files, and the digests of the bytes."""

    @property
    def stores(self) -> tuple[Path, ...]:
        """The roots of all stores that it changes, its own first."""
        return tuple(dict.fromkeys((self.root, *(deed.root for deed in self.deeds))))

    @property
    def is_open(self) -> bool:
        """Whether it still has to be finished or undone."""
        return self.state in {State.BEGUN, State.BACKWARDS}

    @property
    def is_undecided(self) -> bool:
        """Whether the user has to choose between two versions of its files."""
        return self.state is State.UNSETTLED or bool(self.late)


# The journal file: one entry per line, each with its digest.
#
# An entry is durable before anything that depends on it. Damaged lines are skipped, and
# the entry after one starts on a new line.

Entry = dict[str, Json]

_FLAGS = os.O_RDWR | os.O_APPEND | os.O_NOFOLLOW | os.O_CLOEXEC


class Journal:
    """A file of entries, written by one process at a time."""

    def __init__(self, path: Path) -> None:
        """The file is only created with the first entry."""
        self.path = path
        self.damaged = 0
        """How many damaged lines were skipped so far."""
        self._entries: list[Entry] = []
        self._read: tuple[int, int] = (0, 0)
        """The inode of the file, and the offset up to which it was read."""
        self._is_named = False
        """Whether the file's name is known to be durable."""

    def entries(self) -> list[Entry]:
        """All entries in order; only new lines are read from the file.

        Later calls extend the same list, unless the journal was rewritten; then they
        return another one. Raises UnreadableError.
        """
        try:
            with self.path.open("rb") as file:
                inode, offset = self._read
                about = os.fstat(file.fileno())
                if inode != about.st_ino or about.st_size < offset:
                    self._entries, self.damaged, offset = [], 0, 0
                file.seek(offset)
                raw = file.read()
        except FileNotFoundError:
            self._entries, self._read = [], (0, 0)
            return self._entries
        except OSError as error:
            sentence = f"Can't read {self.path}: {error.strerror}."
            raise UnreadableError(sentence) from error
        whole = raw.rfind(b"\n") + 1
        self._take(raw[:whole])
        self._read = (about.st_ino, offset + whole)
        return self._entries

    def append(self, entry: Entry, *, lasts: bool = True) -> None:
        """Write an entry; if it raises OSError, the entry may or may not be there.

        It is durable when this returns, or, unless it `lasts`, together with the next
        one that does.
        """
        if not self._is_named:
            make_folder(self.path.parent)
        handle = os.open(self.path, _FLAGS | os.O_CREAT, 0o600)
        try:
            size = os.lseek(handle, 0, os.SEEK_END)
            is_torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            line = (b"\n" if is_torn else b"") + encode(entry)
            try:
                write_all(handle, line)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(handle, size)
                raise
            if lasts:
                settle(handle)
        finally:
            os.close(handle)
        if not self._is_named:
            settle_folder(self.path.parent)
            self._is_named = True

    def rewrite(self, entries: Iterable[Entry]) -> None:
        """Replace all entries; if it raises OSError, the journal is unchanged."""
        new = self.path.with_name(f"{self.path.name}.new")
        handle = os.open(
            new, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600
        )
        try:
            write_all(handle, b"".join(map(encode, entries)))
            settle(handle)
        finally:
            os.close(handle)
        new.replace(self.path)
        settle_folder(self.path.parent)

    def _take(self, raw: bytes) -> None:
        for line in raw.split(b"\n")[:-1]:
            entry = decode(line)
            if entry is None:
                self.damaged += bool(line)
            else:
                self._entries.append(entry)


def encode(entry: Entry) -> bytes:
    """An entry as a line; paths that are not UTF-8 survive the round trip."""
    text = json.dumps(entry, separators=(",", ":")).encode("ascii")
    return _digest(text) + b" " + text + b"\n"


def decode(line: bytes) -> Entry | None:
    """The entry of a line without its newline; None if it is invalid."""
    digest, _, text = line.partition(b" ")
    if digest != _digest(text):
        return None
    return cast("Entry", json.loads(text))


def _digest(text: bytes) -> bytes:
    return blake2b(text, digest_size=16).hexdigest().encode("ascii")


# Convert operations to journal entries and back.

_FIRST = (
    "id", "time", "kind", "change", "action", "refs", "root", "locks", "shuns",
    "marks", "pid", "deeds",
)  # fmt: skip
"""The fields of an operation that are known before anything is done, in order."""

_KINDS = {
    "file": FileDeed,
    "appended": LinesDeed,
    "database": RowsDeed,
    "mode_of": ModeDeed,
}
"""The kind of a deed, by the name that its path has in the journal."""

_ENDS = {
    "back": State.BACKWARDS,
    "aborted": State.ABORTED,
    "unsettled": State.UNSETTLED,
}


def begun(operation: Operation) -> Entry:
    """The entry before anything is done."""
    fields = to_builtins(replace(operation, deeds=()), enc_hook=str)
    fields["deeds"] = [_entry(deed) for deed in operation.deeds]
    return {"entry": "begun"} | {name: fields[name] for name in _FIRST}


def _entry(deed: Deed) -> Entry:
    name = next(name for name, kind in _KINDS.items() if isinstance(deed, kind))
    fields = to_builtins(deed, enc_hook=str)
    return {name: fields.pop("path"), **fields}


def event(operation: Operation, name: str, **more: Json) -> Entry:
    """The entry before or after a part of an operation.

    Its names are `overwriting` (a file in place, which its deed names), `resumed` (by a
    process that takes over locks), `back` (it failed and is undone), `aborted` (that is
    complete), `unsettled` (half done, for the user to resolve) and `seen` (the user
    has).
    """
    return {"entry": name, "id": operation.id, **more}


def done(operation: Operation) -> Entry:
    """The entry for a finished operation."""
    settled = to_builtins(operation.settled, str_keys=True)
    return event(operation, "done", notes=list(operation.notes), settled=settled)


def new_id(operations: Collection[str], now: int, action: str) -> str:
    """An unused id for an operation, derived from the time to be reproducible."""
    number = 0
    while True:
        seed = f"{now} {len(operations)} {number} {action}"
        name = blake2b(os.fsencode(seed), digest_size=4).hexdigest()
        if name not in operations:
            return name
        number += 1


def add(found: dict[str, Operation], entries: list[Entry]) -> None:
    """Update the operations found so far with more entries."""
    for entry in cast("list[dict[str, Any]]", entries):
        if entry["entry"] == "begun":
            found[entry["id"]] = _begun(entry)
        elif entry.get("id") in found:
            found[entry["id"]] = _further(found[entry["id"]], entry)


def _further(operation: Operation, entry: dict[str, Any]) -> Operation:
    """An operation, updated with one more entry."""
    match entry["entry"]:
        case "overwriting":
            overwritten = operation.overwritten | {entry["deed"]}
            further = replace(operation, overwritten=overwritten)
        case "resumed":
            resumed_by = operation.resumed_by | {entry["pid"]}
            further = replace(operation, resumed_by=resumed_by)
        case "late":
            late = (*operation.late, (entry["deed"], entry["blob"]))
            further = replace(operation, late=late)
        case "seen":
            is_done = operation.state is State.DONE
            state = State.DONE if is_done else State.ABORTED
            further = replace(operation, late=(), state=state)
        case "done":
            further = replace(
                operation,
                state=State.DONE,
                notes=tuple(entry["notes"]),
                settled={
                    int(number): None if pair is None else (pair[0], pair[1])
                    for number, pair in entry["settled"].items()
                },
            )
        case other:
            state = _ENDS.get(other, operation.state)
            further = replace(operation, state=state)
    return further


def _begun(entry: dict[str, Any]) -> Operation:
    deeds = tuple(map(_deed, entry["deeds"]))
    operation = convert({**entry, "deeds": ()}, Operation, dec_hook=_path)
    return replace(operation, deeds=deeds)


def _deed(entry: dict[str, Any]) -> Deed:
    name = next(name for name in _KINDS if name in entry)
    return convert({**entry, "path": entry[name]}, _KINDS[name], dec_hook=_path)


def _path(kind: type[Path], value: str) -> Path:
    return kind(value)


# The folder where changes are recorded: journal, blobs and replaced files.

PATIENCE = 5.0
"""Seconds to wait for another process that is changing something."""

_POLLED = 0.005

Remember = Callable[[Path, Sequence[Marking], int], None]
"""Saves marks for a store, with a time in microseconds since 1970."""


class ChangeFolder(Closing):
    """Our folder for the changes of all stores; one process at a time uses it."""

    def __init__(self, path: Path, remember: Remember | None = None) -> None:
        """The folder is only created once it is used.

        `remember` saves the marks that an operation sets.
        """
        self.path = path
        self._remember = remember
        self.journal = Journal(path / "journal.jsonl")
        self.blobs = Blobs(path / "blobs")
        self.replaced = ReplacedFiles(path / "limbo", self.blobs, self._late)
        self._operations: dict[str, Operation] = {}
        self._entries: list[Entry] = []
        self._known = 0
        self._backed_up: set[Path] = set()

    def remember(self, operation: Operation, *, is_back: bool = False) -> None:
        """Save an operation's marks, or undo them; raises RecollectError."""
        marks = operation.marks
        if marks and self._remember is not None:
            wanted = tuple(mark.reversed for mark in marks) if is_back else marks
            self._remember(operation.root, wanted, operation.time)

    def workspace(
        self, operation: Operation, images: Mapping[str, bytes] | None = None
    ) -> Workspace:
        """What the deeds of an operation share; `images` are bytes in memory."""

        def overwritten(number: int) -> None:
            self.journal.append(event(operation, "overwriting", deed=number))

        workspace = Workspace(
            operation.root,
            {deed.target: number for number, deed in enumerate(operation.deeds)},
            self.blobs,
            Records(
                partial(self.replaced.put_away, operation.id),
                overwritten,
                partial(self._back_up, operation.time),
            ),
            operation.overwritten,
        )
        workspace.images.update(images or {})
        return workspace

    def operations(self) -> dict[str, Operation]:
        """All operations, oldest first."""
        entries = self.journal.entries()
        if entries is not self._entries:
            self._operations, self._entries, self._known = {}, entries, 0
        add(self._operations, entries[self._known :])
        self._known = len(entries)
        return self._operations

    @property
    def is_used(self) -> bool:
        """Whether any operation was ever started."""
        return self.path.exists()

    @contextmanager
    def turn(self) -> Generator[None]:
        """Hold the lock on the folder; raises LockedError and NotWrittenError."""
        from filelock import FileLock, Timeout  # noqa: PLC0415  # slow to load

        lock = FileLock(self.path / "turn.lock", timeout=PATIENCE, mode=0o600)
        try:
            self._make()
            lock.acquire(poll_interval=_POLLED)
        except Timeout as error:
            sentence = "Another recollect is making a change. Try again."
            raise LockedError(sentence) from error
        except OSError as error:
            reason = why_not(error, self.path)
            sentence = f"Can't write {self.path}: {reason}."
            raise NotWrittenError(sentence) from error
        try:
            yield
        except OSError as error:
            raise translated(error) from error
        finally:
            with suppress(OSError):
                lock.release()

    def close(self) -> None:
        """Close the files that are held open; safe to call twice."""
        self.replaced.close()

    def _back_up(self, now: int, connection: sqlite3.Connection, path: Path) -> None:
        """Copy a database before our first write to it.

        Raises NotPossibleError if it is damaged, NotWrittenError or sqlite3.Error.
        """
        if path in self._backed_up:
            return
        try:
            back_up(connection, path, self.path / "databases", now)
        except OSError as error:
            raise translated(error) from error
        self._backed_up.add(path)

    def _make(self) -> None:
        """Create the folder, private to its owner, who must be the current user."""
        make_folder(self.path)
        if self.path.stat().st_uid != os.geteuid():
            raise NotWrittenError(f"{self.path} belongs to another user.")

    def _late(self, operation: str, number: int, raw: bytes) -> None:
        """Record what was written to a file after it had been replaced."""
        self.journal.append(
            {"entry": "late", "id": operation, "deed": number, "blob": name_of(raw)}
        )
