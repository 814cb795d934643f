"""A file of lines while it is changed: lines that nobody touches stay as they are."""

from bisect import bisect_left
from collections.abc import Iterator

_BOM = b"\xef\xbb\xbf"

_BLOCK = 64 * 1024
"""So many bytes are counted at once, in search of a line."""


class Sheet:
    """The lines of a file, by the numbers that they had when it was read.

    Removing a line changes no other line's number. Whether the last line has its
    newline stays as it was, unless a line is added: what is added ends with one. Lines
    that nobody asks for are never looked at one by one, so that to change one takes
    hardly longer among a hundred thousand.
    """

    def __init__(self, raw: bytes) -> None:
        self._raw = raw
        self._places = _Places(raw, len(_BOM) if raw.startswith(_BOM) else 0)
        self._changed: dict[int, bytes | None] = {}
        self._added: list[bytes] = []
        self._after: bytes | None = raw

    def line(self, number: int) -> bytes:
        """A line without its newline; empty where it is gone or was never there."""
        if number in self._changed:
            return self._changed[number] or b""
        return self.was(number)

    def was(self, number: int) -> bytes:
        """A line as it was when the file was read; empty where there was none."""
        span = self._places.span(number)
        return b"" if span is None else self._raw[slice(*span)]

    def replace(self, number: int, raw: bytes) -> None:
        """Put another text on a line that is there."""
        self._changed[number], self._after = raw, None

    def remove(self, number: int) -> None:
        """Take a line away, newline and all."""
        self._changed[number], self._after = None, None

    def add(self, raw: bytes) -> None:
        """Put a line behind the last; one that lacks its newline is given it first."""
        is_dos = self._raw.removesuffix(b"\n").endswith(b"\r")
        self._added.append(raw + b"\r" * is_dos)
        self._after = None

    @property
    def raw(self) -> bytes:
        """The file as it is by now."""
        if self._after is None:
            parts = [*self._parts(), *self._added]
            is_ended = bool(self._added) or self._raw.endswith(b"\n")
            start = self._raw[: self._places.start]
            end = b"\n" if parts and is_ended else b""
            self._after = start + b"\n".join(parts) + end
        return self._after

    def _parts(self) -> Iterator[bytes]:
        """All but what was added: stretches that stay, and lines that were changed."""
        start = self._places.start
        for number, line in sorted(self._changed.items()):
            span = self._places.span(number)
            if span is None:
                continue
            if start < span[0]:
                yield self._raw[start : span[0] - 1]
            if line is not None:
                yield line
            start = span[1] + 1
        if start < len(self._raw):
            yield self._raw[start:].removesuffix(b"\n")


class _Places:
    """Where the lines of some bytes lie, found as far as they are asked for."""

    def __init__(self, raw: bytes, start: int) -> None:
        self._raw = raw
        self.start = start
        """Where the first line begins."""
        self._counts = [0]
        """How many lines end before each block."""

    def span(self, number: int) -> tuple[int, int] | None:
        """Where a line begins and ends, without its newline; None where none is."""
        start = self._begin(number)
        if start is None or start >= len(self._raw):
            return None
        end = self._raw.find(b"\n", start)
        return start, len(self._raw) if end < 0 else end

    def _begin(self, number: int) -> int | None:
        if number <= 1:
            return self.start if number == 1 else None
        ends = number - 1
        while self._counts[-1] < ends and self._reached < len(self._raw):
            self._count()
        if self._counts[-1] < ends:
            return None
        block = bisect_left(self._counts, ends) - 1
        at = self.start + block * _BLOCK - 1
        for _ in range(ends - self._counts[block]):
            at = self._raw.find(b"\n", at + 1)
        return at + 1

    @property
    def _reached(self) -> int:
        return self.start + (len(self._counts) - 1) * _BLOCK

    def _count(self) -> None:
        reached = self._reached
        found = self._raw.count(b"\n", reached, reached + _BLOCK)
        self._counts.append(self._counts[-1] + found)
