"""One regular file, opened without waiting and read at most to a limit."""

import os
import stat

from store.errors import RefusedError
from store.files.beneath.entry import Blob, stamp_of
from store.files.beneath.naming import quoted

_FILE_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY


def read_file(folder: int, name: str, limit: int, path: str) -> Blob:
    """The bytes of a regular file in an open folder; never waits, raises OSError."""
    handle, about = open_file(folder, name, path)
    try:
        size = about.st_size
        raw = first_bytes(handle, min(size, limit))
    finally:
        os.close(handle)
    return Blob(raw, stamp_of(about), size <= limit)


def open_file(folder: int, name: str, path: str) -> tuple[int, os.stat_result]:
    """A handle of a regular file, and what it is; raises OSError and RefusedError."""
    handle = os.open(name, _FILE_FLAGS, dir_fd=folder)
    about = os.fstat(handle)
    if stat.S_ISREG(about.st_mode):
        return handle, about
    os.close(handle)
    what = "a folder" if stat.S_ISDIR(about.st_mode) else "no plain file"
    raise RefusedError(f"{quoted(path)} is {what}.")


def first_bytes(handle: int, wanted: int) -> bytes:
    """So many bytes, or all there are, however few the system hands out at a time."""
    raw = os.read(handle, wanted)
    while len(raw) < wanted:
        more = os.read(handle, wanted - len(raw))
        if not more:
            break
        raw += more
    return raw
