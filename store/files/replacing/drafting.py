"""The file that is written beside another before it takes its place."""

import errno
import os
from contextlib import suppress

from store.files.replacing.attributes import Attributes, date, pass_on
from store.files.replacing.durable import settle, write_all
from store.files.replacing.ground import Spot

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_REFUSALS = frozenset({errno.EPERM, errno.EACCES, errno.ENOTSUP, errno.EINVAL})


class NotPassedOnError(OSError):
    """The new file cannot be made what the old one is."""


def write_beside(
    spot: Spot,
    raw: bytes,
    wanted: Attributes | None,
    *,
    mode: int = 0o600,
    mtime_ns: int | None = None,
) -> None:
    """Write a new file under a name that nobody has yet, and make it durable.

    Without `wanted` its mode is `mode` less what the user's umask takes. Raises OSError
    after the file is gone again, NotPassedOnError where only its attributes failed.
    """
    handle = os.open(spot.name, _FLAGS, 0o600 if wanted else mode, dir_fd=spot.folder)
    try:
        try:
            write_all(handle, raw)
            if wanted:
                _pass_on(handle, wanted)
            if mtime_ns is not None:
                date(handle, mtime_ns)
            settle(handle)
        finally:
            os.close(handle)
    except BaseException:
        with suppress(OSError):
            os.unlink(spot.name, dir_fd=spot.folder)
        raise


def _pass_on(handle: int, wanted: Attributes) -> None:
    try:
        pass_on(handle, wanted)
    except OSError as error:
        if error.errno in _REFUSALS:
            raise NotPassedOnError(error.errno, error.strerror) from error
        raise
