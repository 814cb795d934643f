"""How many lines each of many messages takes; of those nobody looked at, by guess."""

from array import array

_CHUNK = 256
"""Messages that are summed up together."""


class Heights:
    """A number of lines for each message, and sums that stay quick to ask for."""

    def __init__(self, count: int, guess: int) -> None:
        self._guess = guess
        self._each = array("i", [guess]) * count
        self._sums: list[int] = []
        self._sum_up(0)

    def __len__(self) -> int:
        return len(self._each)

    def __getitem__(self, at: int) -> int:
        return self._each[at]

    def __setitem__(self, at: int, lines: int) -> None:
        self._sums[at // _CHUNK] += lines - self._each[at]
        self._each[at] = lines

    @property
    def total(self) -> int:
        """How many lines there are in all."""
        return sum(self._sums)

    def before(self, at: int) -> int:
        """How many lines come before a message."""
        chunk = at // _CHUNK
        return sum(self._sums[:chunk]) + sum(self._each[chunk * _CHUNK : at])

    def find(self, line: int) -> tuple[int, int]:
        """The message that a line belongs to, and which of its lines that is.

        Behind the last line it is the end: the number of messages, and 0.
        """
        chunk = 0
        for lines in self._sums:
            if line < lines:
                break
            line -= lines
            chunk += 1
        for at, lines in enumerate(self._chunk(chunk), chunk * _CHUNK):
            if line < lines:
                return at, line
            line -= lines
        return len(self), 0

    def next(self, at: int) -> int:
        """The first message from a place on that takes any line; else the end."""
        while at < len(self) and not self._each[at]:
            at += 1 if at % _CHUNK or self._sums[at // _CHUNK] else _CHUNK
        return min(at, len(self))

    def previous(self, at: int) -> int:
        """The last message up to a place that takes any line; else -1."""
        while at >= 0 and not self._each[at]:
            is_last = at % _CHUNK == _CHUNK - 1
            at -= _CHUNK if is_last and not self._sums[at // _CHUNK] else 1
        return max(at, -1)

    def extend(self, count: int) -> None:
        """Know of so many messages in all; those that are more by guess."""
        before = len(self)
        del self._each[count:]
        self._each.extend([self._guess] * (count - before))
        self._sum_up(min(before, count) // _CHUNK)

    def show_only(self, shown: bytes) -> None:
        """Let those messages take lines whose byte is set, by guess, and no others."""
        guesses = bytes([0]) + bytes([self._guess]) * 255
        self._each = array("i", iter(shown.translate(guesses)))
        self._sum_up(0)

    def _sum_up(self, first: int) -> None:
        """Sum all chunks up from one on."""
        chunks = range(first, -(-len(self) // _CHUNK))
        self._sums[first:] = [sum(self._chunk(chunk)) for chunk in chunks]

    def _chunk(self, chunk: int) -> "array[int]":
        return self._each[chunk * _CHUNK : (chunk + 1) * _CHUNK]
