"""How a file of lines ends, and what became of lines that were put behind its end."""

import os
from enum import Enum
from typing import NamedTuple

NEAR = 2048
"""So many bytes before the end are compared; no byte before them is ever written."""


class End(NamedTuple):
    """Where a file ended when it was looked at."""

    size: int
    tail: bytes
    """Its last bytes, at most `NEAR`."""


class Fate(Enum):
    """What became of lines behind an end."""

    AWAY = "away"
    """They are not there: the file ends as it did."""
    LAST = "last"
    """They are the last that stands there."""
    FOLLOWED = "followed"
    """They are there, and somebody wrote behind them."""
    MOVED = "moved"
    """They stand elsewhere, once: somebody wrote before them."""
    TORN = "torn"
    """Some of them are there: a write broke off."""
    LOST = "lost"
    """The file is another than it was, and they are not in it."""


def end_of(handle: int) -> End:
    """How an open file ends; raises OSError."""
    size = os.fstat(handle).st_size
    return End(size, _between(handle, max(0, size - NEAR), size))


def fate_of(handle: int, end: End, lines: bytes) -> Fate:
    """What became of lines that were put, or were to be put, behind an end.

    Only what lies around that end is read, unless they are not there. Raises OSError.
    """
    there = _between(handle, end.size - len(end.tail), end.size + len(lines) + 1)
    tail, behind = there[: len(end.tail)], there[len(end.tail) :]
    if tail == end.tail:
        if behind[: len(lines)] == lines:
            return Fate.FOLLOWED if len(behind) > len(lines) else Fate.LAST
        if not behind:
            return Fate.AWAY
        if _is_torn(behind, lines):
            return Fate.TORN
    size = os.fstat(handle).st_size
    whole = without(_between(handle, 0, size), end, lines)
    return Fate.LOST if whole is None else Fate.MOVED


def without(raw: bytes, end: End, lines: bytes) -> bytes | None:
    """A file without lines that are in it, all else as it stands.

    None where they are not there as a whole, or where nobody can tell which they are.
    The newline that the line before them lacked goes with them, unless others follow.
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
    """Whether this is what a write left that broke off.

    After a kill that is how it begins; after a loss of power what was not written yet
    may be NULs.
    """
    return len(behind) <= len(lines) and all(
        one in (0, other) for one, other in zip(behind, lines, strict=False)
    )


def _between(handle: int, start: int, end: int) -> bytes:
    """The bytes from one place to another, as many as there are."""
    parts: list[bytes] = []
    while start < end and (part := os.pread(handle, end - start, start)):
        parts.append(part)
        start += len(part)
    return b"".join(parts)
