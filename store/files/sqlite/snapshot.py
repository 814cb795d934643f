"""A copy of a database in a folder of our own, taken without a lock and still whole."""

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

from store.errors import UnreadableError
from store.files.beneath import Kind, OpenFile, Root, Stamp
from store.files.beneath.naming import quoted
from store.files.sqlite.stamp import JOURNAL, WAL

_ATTEMPTS = 5
_BLOCK = 1024 * 1024
_LOG_HEADER = 32
"""The bytes of a write-ahead log that are new whenever it begins anew."""
_TICK_NS = 50_000_000
"""Two writes that are no further apart than this may leave the same time behind."""
_NAME = "copy.db"


class _State(NamedTuple):
    """What must be the same before and after: the log may only have grown."""

    database: Stamp
    journal: Stamp | None
    log: bytes

    @property
    def is_fresh(self) -> bool:
        """Whether a write could still follow that leaves the time as it is."""
        return abs(time.time_ns() - self.database.mtime_ns) < _TICK_NS


def copied(root: Root, path: str) -> Path:
    """Copy a database with its log or journal; the folder is the caller's to remove.

    Raises UnreadableError when it changes each time, or there is no room for it.
    """
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    try:
        _copy_unchanged(root, path, folder)
    except (OSError, UnreadableError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, UnreadableError):
            raise
        sentence = f"{quoted(path)} cannot be copied to be read: {error.strerror}."
        raise UnreadableError(sentence) from error
    return folder / _NAME


def remove(copy: Path) -> None:
    """Remove a copy and the folder that was made for it."""
    shutil.rmtree(copy.parent, ignore_errors=True)


def companions(root: Root, path: str) -> dict[str, Stamp]:
    """The files beside a database that belong to it, by what follows its name."""
    folder, _, name = path.rpartition("/")
    return {
        entry.name.removeprefix(name): entry.stamp
        for entry in root.entries(folder)
        if entry.name.startswith(f"{name}-") and entry.kind is Kind.FILE
    }


def _copy_unchanged(root: Root, path: str, folder: Path) -> None:
    """Copy until nothing moved while that was done; raises UnreadableError."""
    for _ in range(_ATTEMPTS):
        before = _state(root, path)
        if before.is_fresh:
            time.sleep(_TICK_NS / 1e9)
        _copy(root, path, folder)
        if _state(root, path) == before:
            return
    sentence = f"{quoted(path)} changed each time that it was copied to be read."
    raise UnreadableError(sentence)


def _state(root: Root, path: str) -> _State:
    beside = companions(root, path)
    log = b""
    with ExitStack() as open_files:
        database = open_files.enter_context(root.opened(path))
        if WAL in beside:
            log = open_files.enter_context(root.opened(path + WAL)).at(0, _LOG_HEADER)
        return _State(database.stamp, beside.get(JOURNAL), log)


def _copy(root: Root, path: str, folder: Path) -> None:
    """Copy the database first, so that its log tells all that moved since."""
    beside = companions(root, path)
    for ending in ("", WAL, JOURNAL):
        copy = folder / (_NAME + ending)
        copy.unlink(missing_ok=True)
        if not ending or ending in beside:
            with root.opened(path + ending) as file:
                _write(copy, file)


def _write(copy: Path, file: OpenFile) -> None:
    handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as written:
        for block in _blocks(file):
            written.write(block)


def _blocks(file: OpenFile) -> Iterator[bytes]:
    """What it held when it was opened; what is appended meanwhile is not waited for."""
    for offset in range(0, file.stamp.size, _BLOCK):
        yield file.at(offset, min(_BLOCK, file.stamp.size - offset))
