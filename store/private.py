"""The program's own small files: for their owner alone, and replaced whole or not."""

import os
import stat
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from store.errors import RecollectError, UnreadableError
from store.places import make_private

_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY

PATIENCE = 5.0
"""Seconds to wait for another process that writes a small file."""


class NotWrittenError(RecollectError):
    """A file of the program's own could not be written; what was there still is."""


def read_own(path: Path, limit: int) -> bytes | None:
    """The file's bytes, None where there is no file; raises UnreadableError.

    A link is followed, for people keep their settings elsewhere. What is no plain file
    is never waited for.
    """
    try:
        raw = _first_bytes(path, limit + 1)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UnreadableError(f"{path} cannot be read: {error.strerror}.") from error
    if len(raw) > limit:
        raise UnreadableError(f"{path} is larger than {limit // 1024} KiB.")
    return raw


def _first_bytes(path: Path, wanted: int) -> bytes:
    """So many bytes of a plain file, or all; raises UnreadableError and OSError."""
    handle = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise UnreadableError(f"{path} is no plain file.")
        with os.fdopen(handle, "rb", closefd=False) as file:
            return file.read(wanted)
    finally:
        os.close(handle)


def replace_own(path: Path, raw: bytes) -> None:
    """Put a file in place of what is there, if any; raises NotWrittenError.

    Where a link stands there, what it leads to is replaced and the link stays.
    """
    target = Path(os.path.realpath(path))
    try:
        if target.parent == Path(os.path.realpath(path.parent)):
            make_private(target.parent)
        _replace(target, raw)
    except OSError as error:
        raise _not_written(path, error) from error


def _replace(target: Path, raw: bytes) -> None:
    """Write beside the target, make that durable, rename it; raises OSError."""
    import tempfile  # noqa: PLC0415  # loads much that only a change needs

    handle, name = tempfile.mkstemp(dir=target.parent, prefix=f".{target.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            os.fchmod(file.fileno(), 0o600)
            file.write(raw)
            file.flush()
            os.fsync(file.fileno())
        Path(name).replace(target)
    except BaseException:
        with suppress(FileNotFoundError):
            Path(name).unlink()
        raise
    _settle(target.parent)


def _settle(folder: Path) -> None:
    """Make the folder's names durable."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


@contextmanager
def only_writer(folder: Path) -> Generator[None]:
    """Be the only process that changes the program's own small files.

    The lock lies in the folder that is named, whichever file is changed.
    """
    from filelock import FileLock, Timeout  # noqa: PLC0415  # as slow to load as a list

    path = folder / "writing.lock"
    lock = FileLock(path, timeout=PATIENCE, mode=0o600)
    try:
        make_private(folder)
        lock.acquire()
    except Timeout as error:
        sentence = "Another recollect is writing its settings; try again."
        raise NotWrittenError(sentence) from error
    except OSError as error:
        raise _not_written(path, error) from error
    try:
        yield
    finally:
        with suppress(OSError):
            lock.release()


def _not_written(path: Path, error: OSError) -> NotWrittenError:
    return NotWrittenError(f"{path} cannot be written: {error.strerror}.")
