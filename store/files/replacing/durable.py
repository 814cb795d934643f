"""Bytes and names that survive a loss of power."""

import errno
import os
import sys
from pathlib import Path


def write_all(handle: int, raw: bytes) -> None:
    """Write all of it, however little the system takes at a time; raises OSError."""
    left = memoryview(raw)
    while left:
        taken = os.write(handle, left)
        if not taken:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        left = left[taken:]


def make_folder(folder: Path) -> None:
    """Make a folder for its owner alone, and all that it lies in, durably.

    Raises OSError.
    """
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir(mode=0o700, exist_ok=True)
        settle_folder(each.parent)
    folder.chmod(0o700)


def settle_folder(folder: Path) -> None:
    """Make the names in a folder durable; raises OSError."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        settle(handle)
    finally:
        os.close(handle)


def settle(handle: int) -> None:
    """Make a file's bytes or a folder's names durable; raises OSError.

    When this fails once it has failed: asked again, the system may say that all is
    well although it dropped what it could not write.
    """
    if sys.platform == "darwin":  # not run where this was written
        import fcntl  # noqa: PLC0415  # only here

        try:
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
        except OSError as error:
            if error.errno not in {errno.ENOTSUP, errno.EINVAL}:
                raise
        else:
            return
    os.fsync(handle)
