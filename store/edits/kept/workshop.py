"""The folder in which changes are made: the journal, the blobs and the limbo."""

import os
import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from store.closing import Closing
from store.edits.doing.troubles import translated
from store.edits.draft import Marking
from store.edits.kept.blobs import Blobs, name_of
from store.edits.kept.entries import add
from store.edits.kept.journal import Entry, Journal
from store.edits.kept.limbo import Limbo
from store.edits.kept.operation import Operation
from store.edits.refusals import LockedError, NotWrittenError
from store.edits.rows import back_up
from store.files.replacing.durable import make_folder

PATIENCE = 5.0
"""Seconds to wait for another process that changes something."""

_POLLED = 0.005

Remember = Callable[[Path, Sequence[Marking], int], None]
"""Keeps marks for a store, at a time in microseconds since 1970."""


class Workshop(Closing):
    """The program's own, for all stores together; one process at a time works there."""

    def __init__(self, folder: Path, remember: Remember | None = None) -> None:
        """Nothing is made before somebody works there.

        `remember` keeps the marks of what is done there.
        """
        self.folder = folder
        self._remember = remember
        self.journal = Journal(folder / "journal.jsonl")
        self.blobs = Blobs(folder / "blobs")
        self.limbo = Limbo(folder / "limbo", self.blobs, self._late)
        self._operations: dict[str, Operation] = {}
        self._entries: list[Entry] = []
        self._told = 0
        self._backed_up: set[Path] = set()

    def remember(self, operation: Operation, *, is_back: bool = False) -> None:
        """Keep an operation's marks, or take them back; raises RecollectError."""
        marks = operation.marks
        if marks and self._remember is not None:
            wanted = tuple(mark.reversed for mark in marks) if is_back else marks
            self._remember(operation.root, wanted, operation.time)

    def back_up(self, connection: sqlite3.Connection, path: Path, now: int) -> None:
        """Copy a database before it is written for the first time from here.

        Raises NotPossibleError where it is damaged, NotWrittenError, sqlite3.Error.
        """
        if path in self._backed_up:
            return
        try:
            back_up(connection, path, self.folder / "databases", now)
        except OSError as error:
            raise translated(error) from error
        self._backed_up.add(path)

    def operations(self) -> dict[str, Operation]:
        """All operations, in the order in which they began."""
        entries = self.journal.entries()
        if entries is not self._entries:
            self._operations, self._entries, self._told = {}, entries, 0
        add(self._operations, entries[self._told :])
        self._told = len(entries)
        return self._operations

    @property
    def is_used(self) -> bool:
        """Whether anything was ever begun here."""
        return self.folder.exists()

    @contextmanager
    def turn(self) -> Generator[None]:
        """Be the only one who works there; raises LockedError and NotWrittenError."""
        from filelock import FileLock, Timeout  # noqa: PLC0415  # slow to load

        lock = FileLock(self.folder / "turn.lock", timeout=PATIENCE, mode=0o600)
        try:
            self._make()
            lock.acquire(poll_interval=_POLLED)
        except Timeout as error:
            sentence = "Another recollect is changing something; try again."
            raise LockedError(sentence) from error
        except OSError as error:
            sentence = f"{self.folder} cannot be written: {error.strerror}."
            raise NotWrittenError(sentence) from error
        try:
            yield
        except OSError as error:
            raise translated(error) from error
        finally:
            with suppress(OSError):
                lock.release()

    def close(self) -> None:
        """Let go of what is held open; may be called again."""
        self.limbo.close()

    def _make(self) -> None:
        """For its owner alone, and the owner is who runs this."""
        make_folder(self.folder)
        if self.folder.stat().st_uid != os.geteuid():
            raise NotWrittenError(f"{self.folder} belongs to somebody else.")

    def _late(self, operation: str, number: int, raw: bytes) -> None:
        """Note what was written into a file when it had been replaced already."""
        self.journal.append(
            {"entry": "late", "id": operation, "deed": number, "blob": name_of(raw)}
        )
