"""A lock file made so that nobody ever sees it empty, or not locked.

It gets its name when it is locked and says who holds it; if the program is killed
before that, it never was. Where the system cannot do that, it is seen empty at first.
"""

import errno
import fcntl
import os
import sys
from contextlib import suppress

from store.files.replacing.durable import write_all
from store.files.replacing.ground import Spot

_FLAGS = os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_UNABLE = frozenset({errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOENT})


def made(spot: Spot, raw: bytes) -> int:
    """The handle of a new file that holds these bytes and is locked.

    Raises FileExistsError where one is there, and OSError.
    """
    if sys.platform == "linux":
        with suppress(_UnableError):
            return _at_once(spot, raw)
    return _step_by_step(spot, raw)


class _UnableError(Exception):
    """The file system has no files without a name."""


def _at_once(spot: Spot, raw: bytes) -> int:
    try:
        handle = os.open(
            ".", os.O_RDWR | os.O_TMPFILE | os.O_CLOEXEC, 0o600, dir_fd=spot.folder
        )
    except OSError as error:
        if error.errno in _UNABLE:
            raise _UnableError from error
        raise
    try:
        _lock_and_say(handle, raw)
        _name(handle, spot)
    except BaseException:
        os.close(handle)
        raise
    return handle


def _name(handle: int, spot: Spot) -> None:
    try:
        os.link(f"/proc/self/fd/{handle}", spot.name, dst_dir_fd=spot.folder)
    except OSError as error:
        if error.errno in _UNABLE:
            raise _UnableError from error
        raise


def _step_by_step(spot: Spot, raw: bytes) -> int:
    flags = _FLAGS | os.O_CREAT | os.O_EXCL
    handle = os.open(spot.name, flags, 0o600, dir_fd=spot.folder)
    try:
        _lock_and_say(handle, raw)
    except BaseException:
        with suppress(OSError):
            os.unlink(spot.name, dir_fd=spot.folder)
        os.close(handle)
        raise
    return handle


def _lock_and_say(handle: int, raw: bytes) -> None:
    fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    write_all(handle, raw)
