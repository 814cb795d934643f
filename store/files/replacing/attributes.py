"""What a file is besides its bytes, and how that is passed on to the next one."""

import os
import stat
import sys
from typing import NamedTuple


class Attributes(NamedTuple):
    """All that a file keeps when its bytes are replaced."""

    mode: int
    uid: int
    gid: int
    mtime_ns: int
    extended: tuple[tuple[str, bytes], ...] = ()
    """Access lists and labels among them."""


def attributes(handle: int) -> Attributes:
    """Those of an open file; raises OSError."""
    about = os.fstat(handle)
    return Attributes(
        stat.S_IMODE(about.st_mode),
        about.st_uid,
        about.st_gid,
        about.st_mtime_ns,
        _extended(handle),
    )


def pass_on(handle: int, wanted: Attributes) -> None:
    """Make an open file so; raises OSError where the system refuses some of it.

    The mode comes last, for a change of the owner takes bits away. The time is not
    passed on.
    """
    about = os.fstat(handle)
    if (about.st_uid, about.st_gid) != (wanted.uid, wanted.gid):
        os.fchown(handle, wanted.uid, wanted.gid)
    present = dict(_extended(handle))
    if sys.platform == "linux":
        for name, value in wanted.extended:
            if present.get(name) != value:
                os.setxattr(handle, name, value)
    os.fchmod(handle, wanted.mode)


def date(handle: int, mtime_ns: int) -> None:
    """Say when an open file was last changed; raises OSError."""
    os.utime(handle, ns=(mtime_ns, mtime_ns))


def _extended(handle: int) -> tuple[tuple[str, bytes], ...]:
    """Only Linux lets Python read them; none where the file system has none."""
    if sys.platform != "linux":
        return ()
    try:
        names = os.listxattr(handle)
    except OSError:
        return ()
    return tuple((name, os.getxattr(handle, name)) for name in names)
