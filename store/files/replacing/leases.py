"""A file that nobody else can open, for as long as a few calls take.

Linux grants a lease for writing only where nobody else has the file open, and lets who
opens it meanwhile wait until it is given back: between the look at a file and the write
nothing can come. Elsewhere, and on the files of other machines, there is no such thing.
"""

import errno
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress

from store.files.replacing.writers import is_far

_POLLED = 0.0002


@contextmanager
def alone(handle: int, patience: float = 0) -> Generator[bool | None]:
    """Have a file that is open for writing here to oneself.

    True where nobody else has it open, and nobody can open it before this is left;
    False where somebody has, for so many seconds; None where the system does not say.
    What is done meanwhile must be short: others wait.
    """
    deadline = time.monotonic() + patience
    while (got := _take(handle)) is False and time.monotonic() < deadline:
        time.sleep(_POLLED)
    try:
        yield got
    finally:
        if got:
            _give_back(handle)


def _take(handle: int) -> bool | None:
    if sys.platform != "linux":
        return None
    import fcntl  # noqa: PLC0415  # lacks all this elsewhere
    import signal  # noqa: PLC0415  # only here

    try:
        # who is kept waiting has the system send a signal: one that nobody minds
        fcntl.fcntl(handle, fcntl.F_SETSIG, signal.SIGURG)
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_WRLCK)
    except OSError as error:
        return None if error.errno != errno.EAGAIN or is_far(handle) else False
    return True


def _give_back(handle: int) -> None:
    if sys.platform != "linux":
        return
    import fcntl  # noqa: PLC0415  # lacks all this elsewhere

    with suppress(OSError):
        fcntl.fcntl(handle, fcntl.F_SETLEASE, fcntl.F_UNLCK)
