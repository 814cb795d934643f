"""Whether another program has a file open for writing.

What it writes after the file was replaced would go into the file that nobody sees any
more. Linux tells by granting or refusing a lease; elsewhere it cannot be known, nor
where the file lies on another machine.
"""

import errno
import os
import sys
from pathlib import Path

_FAR = ("nfs", "cifs", "smb", "9p", "afs", "ceph", "fuse")
"""How kinds of file systems begin that refuse a lease for reasons of their own."""

_MOUNTS = Path("/proc/self/mountinfo")


def is_written(handle: int) -> bool | None:
    """Whether somebody else could write into an open file right now.

    None where the system does not say. The lease is given back at once; should it be
    called in within those microseconds, the signal is one that nobody minds.
    """
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415  # lacks all this elsewhere
    import signal  # noqa: PLC0415  # only here

    try:
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_RDLCK)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
    except OSError as error:
        if error.errno != errno.EAGAIN or is_far(handle):
            return None
        return True
    return False


def is_far(handle: int) -> bool:
    """Whether a file lies on another machine, or may do so."""
    device = os.fstat(handle).st_dev
    wanted = f"{os.major(device)}:{os.minor(device)}"
    try:
        mounts = _MOUNTS.read_text("utf-8", "surrogateescape").split("\n")
    except OSError:
        return True
    kinds = [
        mount.partition(" - ")[2]
        for mount in mounts
        if mount.split(" ", 3)[2:3] == [wanted]
    ]
    return any(kind.startswith(_FAR) for kind in kinds)
