"""Lines put behind the last of a file where it stands, and taken away from there.

The lines go to a handle that appends, in one write: the system puts all of them at the
end, whatever that is by then, so no byte that is there is ever written, and what others
append meanwhile stands before them or behind them, whole. That is why nobody has to
compare all of a large file before. A line that lacks its newline is given it by the
same write. What the disk takes only in part is cut off again.

Who reads meanwhile sees none of it or all. Within a page of memory the system sees to
that; where a write goes on in a second page, file systems such as ext4 show the first
before the second is there, so such a write waits for a moment in which nobody else has
the file open, and lets nobody open it. Only who keeps it open for reading all the time,
or reads where the system grants no lease, may see such a line in two parts, as with
everything else that appends there.
"""

import errno
import os
from mmap import PAGESIZE

from store.files.beneath.reading import open_file
from store.files.replacing.attributes import date
from store.files.replacing.durable import settle
from store.files.replacing.ends import End, Fate, end_of, fate_of
from store.files.replacing.errors import ForeignError
from store.files.replacing.ground import Spot
from store.files.replacing.leases import alone
from store.files.replacing.looking import unhindered

_FLAGS = (
    os.O_RDWR | os.O_APPEND | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
)
PATIENCE = 0.05
"""Seconds to wait for those who read a file, where they could see half of a write."""

_LAST = frozenset({Fate.LAST, Fate.TORN})
THERE = frozenset({Fate.LAST, Fate.FOLLOWED, Fate.MOVED})
"""What becomes of lines that are written."""


def append(spot: Spot, end: End, lines: bytes) -> None:
    """Put whole lines behind the end of a file, durably, if it is where it was.

    Raises ForeignError, ProtectedError, BusyError and OSError; then nothing was put
    there, unless the disk failed both to take them and to let go of them.
    """
    handle = _opened(spot)
    try:
        with alone(handle, _patience(end, lines)):
            if end_of(handle) != end:
                raise ForeignError(spot.path, None)
            _write(handle, lines)
        settle(handle)
    finally:
        os.close(handle)
    if fate(spot, end, lines) not in THERE:
        raise ForeignError(spot.path, None)


def cut(spot: Spot, end: End, lines: bytes, mtime_ns: int | None) -> None:
    """Take lines away that stand last, or what there is of them, durably.

    Raises ForeignError where something else stands there, BusyError where another
    program may write: what it writes that moment would go with them. Who only reads is
    waited for, and then no matter. Raises ProtectedError and OSError besides.
    """
    if not _is_cut(spot, end, lines, mtime_ns):
        _is_cut(spot, end, lines, mtime_ns, has_waited=True)


def fate(spot: Spot, end: End, lines: bytes) -> Fate:
    """What became of lines of a file; LOST where there is none, raises OSError."""
    try:
        handle, _ = open_file(spot.folder, spot.name, spot.path)
    except FileNotFoundError:
        return Fate.LOST
    try:
        return fate_of(handle, end, lines)
    finally:
        os.close(handle)


def is_shared(spot: Spot) -> bool:
    """Whether another program has a file open, so that nothing can be cut off it.

    One that cannot be opened is nobody's to cut.
    """
    try:
        handle = os.open(spot.name, _FLAGS, dir_fd=spot.folder)
    except OSError:
        return True
    try:
        with alone(handle) as is_alone:
            return is_alone is False
    finally:
        os.close(handle)


def _opened(spot: Spot) -> int:
    """The file, which may be written, and which nobody else writes right now."""
    try:
        about = os.stat(spot.name, dir_fd=spot.folder, follow_symlinks=False)
        unhindered(spot, about.st_mode)
        return os.open(spot.name, _FLAGS, dir_fd=spot.folder)
    except FileNotFoundError as error:
        raise ForeignError(spot.path, None) from error


def _is_cut(
    spot: Spot,
    end: End,
    lines: bytes,
    mtime_ns: int | None,
    *,
    has_waited: bool = False,
) -> bool:
    """Whether they went, for nobody had the file open, or those who had only read.

    That these only read is seen before it is opened for writing here, so it is opened
    anew when they have been waited for.
    """
    handle = _opened(spot)
    try:
        with alone(handle, 0 if has_waited else PATIENCE) as is_alone:
            if is_alone is False and not has_waited:
                return False
            is_there = fate_of(handle, end, lines) in _LAST
            size = os.fstat(handle).st_size - end.size
            if not is_there or not 0 <= size <= len(lines):
                raise ForeignError(spot.path, None)
            os.ftruncate(handle, end.size)
        if mtime_ns is not None:
            date(handle, mtime_ns)
        settle(handle)
    finally:
        os.close(handle)
    return True


def _patience(end: End, lines: bytes) -> float:
    """How long to wait for readers: no time where they cannot see half of it."""
    first, last = end.size, end.size + len(lines) - 1
    return PATIENCE if first // PAGESIZE < last // PAGESIZE else 0


def _write(handle: int, lines: bytes) -> None:
    """Write all at once; what is taken only in part goes again."""
    taken = os.write(handle, lines)
    if taken == len(lines):
        return
    reached = os.lseek(handle, 0, os.SEEK_CUR)
    if reached == os.fstat(handle).st_size:
        os.ftruncate(handle, reached - taken)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
