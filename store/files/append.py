"""Append lines to a file, and cut them off again."""

import errno
import os
from enum import Enum
from mmap import PAGESIZE

from msgspec import Struct

from store.files.beneath import open_file
from store.files.writable import ForeignError, Spot, alone, date, settle, unhindered

# The recorded end of a file, and where lines written after it are now.

NEAR = 2048
"""Bytes compared before the recorded end. Bytes before that end are never written."""


class End(Struct, frozen=True):
    """The end of a file at the time it was read."""

    size: int
    tail: bytes
    """The last bytes, at most `NEAR`."""


class Placement(Enum):
    """The state of lines that were appended after a recorded end."""

    AWAY = "away"
    """Not in the file; it still ends at the recorded end."""
    LAST = "last"
    """In the file, as its last lines."""
    FOLLOWED = "followed"
    """In the file, and another program has appended more after them."""
    MOVED = "moved"
    """In the file exactly once, elsewhere: another program wrote before them."""
    TORN = "torn"
    """Only part of them is in the file: the write was interrupted."""
    LOST = "lost"
    """The file has changed and does not contain them."""


def end_of(handle: int) -> End:
    """The current end of an open file; raises OSError."""
    size = os.fstat(handle).st_size
    return End(size, _between(handle, max(0, size - NEAR), size))


def placement_of(handle: int, end: End, lines: bytes) -> Placement:
    """Find out what became of lines appended, or about to be appended, after `end`.

    Reads only the bytes around that end, unless the lines are not there. Raises
    OSError.
    """
    there = _between(handle, end.size - len(end.tail), end.size + len(lines) + 1)
    tail, behind = there[: len(end.tail)], there[len(end.tail) :]
    if tail == end.tail:
        if behind[: len(lines)] == lines:
            return Placement.FOLLOWED if len(behind) > len(lines) else Placement.LAST
        if not behind:
            return Placement.AWAY
        if _is_torn(behind, lines):
            return Placement.TORN
    size = os.fstat(handle).st_size
    whole = without(_between(handle, 0, size), end, lines)
    return Placement.LOST if whole is None else Placement.MOVED


def without(raw: bytes, end: End, lines: bytes) -> bytes | None:
    """The file without `lines`, everything else unchanged.

    None if the lines are incomplete or occur more than once. A newline that was added
    to the line before them is removed as well, unless other lines follow.
    """
    start, lead = end.size, b""
    if raw[start : start + len(lines)] == lines:
        is_followed = len(raw) > start + len(lines)
        lead = lines[:1] if is_followed and lines.startswith(b"\n") else b""
    else:
        lines = lines.removeprefix(b"\n")
        start = raw.find(lines)
        is_line = raw[max(0, start - 1) : start] in (b"\n", b"")
        if start < 0 or not is_line or raw.count(lines) > 1:
            return None
    return raw[:start] + lead + raw[start + len(lines) :]


def _is_torn(behind: bytes, lines: bytes) -> bool:
    """Whether `behind` is the result of an interrupted write of `lines`.

    After a kill it is a prefix of them; after a power loss, bytes not yet written may
    be NUL.
    """
    return len(behind) <= len(lines) and all(
        one in (0, other) for one, other in zip(behind, lines, strict=False)
    )


def _between(handle: int, start: int, end: int) -> bytes:
    """The bytes from `start` to `end`, or up to the end of the file."""
    parts: list[bytes] = []
    while start < end and (part := os.pread(handle, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)


# Append lines to a file in place, and cut them off again.
#
# The lines are written to an O_APPEND handle in a single write. The system always puts
# them at the end, so no existing byte is overwritten, and lines that other programs
# append at the same time end up whole, before or after ours. This also avoids comparing
# the whole of a large file first. If the last line lacks its newline, the same write
# adds it. A partial write (disk full) is cut off again.
#
# A concurrent reader sees either none or all of the lines. The system guarantees this
# within one page of memory. If a write crosses into a second page, file systems such as
# ext4 show the first page before the second is there, so such a write waits until no
# other process has the file open and blocks new opens meanwhile. Only a reader that
# never closes the file, or a system that grants no leases, can still see such a line in
# two parts, as with any other program that appends.

_FLAGS = (
    os.O_RDWR | os.O_APPEND | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NOCTTY
)
PATIENCE = 0.05
"""Seconds to wait for readers that could otherwise see half of a write."""

_LAST = frozenset({Placement.LAST, Placement.TORN})
THERE = frozenset({Placement.LAST, Placement.FOLLOWED, Placement.MOVED})
"""The outcomes after which the lines are in the file."""


def append(spot: Spot, end: End, lines: bytes) -> None:
    """Append whole lines durably, if the file still ends at `end`.

    If it raises ForeignError, ProtectedError, BusyError or OSError, nothing was
    appended, unless the disk refused both the full write and its removal.
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
    if placement(spot, end, lines) not in THERE:
        raise ForeignError(spot.path, None)


def cut(spot: Spot, end: End, lines: bytes, mtime_ns: int | None) -> None:
    """Remove the last lines, or what was written of them, durably.

    Raises ForeignError if the file ends with something else, and BusyError if another
    program has it open for writing, since its writes could be cut off too. Waits a
    moment for readers, then goes ahead. Also raises ProtectedError and OSError.
    """
    if not _is_cut(spot, end, lines, mtime_ns):
        _is_cut(spot, end, lines, mtime_ns, has_waited=True)


def placement(spot: Spot, end: End, lines: bytes) -> Placement:
    """Where lines are in a file; LOST if there is no file. Raises OSError."""
    try:
        handle, _ = open_file(spot.folder, spot.name, spot.path)
    except FileNotFoundError:
        return Placement.LOST
    try:
        return placement_of(handle, end, lines)
    finally:
        os.close(handle)


def is_shared(spot: Spot) -> bool:
    """Whether another program has the file open, so that it must not be cut.

    A file that cannot be opened counts as shared.
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
    """Open a file that is writable and that no other program is writing to."""
    try:
        about = spot.stat()
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
    """Cut the lines off if the file is not shared, or its readers were waited for.

    Returns False if the file is shared and `has_waited` is not set. `_opened` checks
    for writers before it opens the file for writing, so the file is opened again after
    the wait.
    """
    handle = _opened(spot)
    try:
        with alone(handle, 0 if has_waited else PATIENCE) as is_alone:
            if is_alone is False and not has_waited:
                return False
            is_there = placement_of(handle, end, lines) in _LAST
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
    """How long to wait for readers: 0 if they cannot see half of the write."""
    first, last = end.size, end.size + len(lines) - 1
    return PATIENCE if first // PAGESIZE < last // PAGESIZE else 0


def _write(handle: int, lines: bytes) -> None:
    """Write everything in one call; a partial write is cut off again."""
    taken = os.write(handle, lines)
    if taken == len(lines):
        return
    reached = os.lseek(handle, 0, os.SEEK_CUR)
    if reached == os.fstat(handle).st_size:
        os.ftruncate(handle, reached - taken)
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
