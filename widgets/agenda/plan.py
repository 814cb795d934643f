"""Which row stands in which line, where rows take one line or several."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct, field


class Place(NamedTuple):
    """A line, as a part of a row."""

    row: int
    part: int
    """Which of the row's lines it is."""


class Plan(Struct, frozen=True):
    """The lines of rows: of the first as they are, of the others as they may be."""

    count: int = 0
    """How many rows there are."""
    _starts: "array[int]" = field(default_factory=lambda: array("q", (0,)))
    """Where each row begins that is known, and where the next one does."""
    usual: int = 1
    """How many lines each row is taken to have that is not known yet."""

    @classmethod
    def of(cls, heights: Iterable[int], count: int, usual: int = 1) -> "Plan":
        """The plan of so many rows, of which the first have these heights."""
        return cls(count, array("q", accumulate(heights, initial=0)), usual)

    @property
    def known(self) -> int:
        """How many rows are known."""
        return len(self._starts) - 1

    @property
    def lines(self) -> int:
        """How many lines there are."""
        return self.start(self.count)

    def start(self, row: int) -> int:
        """The first line of a row."""
        known = self.known
        if row <= known:
            return self._starts[max(row, 0)]
        return self._starts[known] + (row - known) * self.usual

    def at(self, line: int) -> Place:
        """What stands in a line; the nearest there is where none has that number."""
        line = max(0, min(line, self.lines - 1))
        end = self._starts[self.known]
        if line < end:
            row = bisect_right(self._starts, line) - 1
        else:
            row = self.known + (line - end) // self.usual
        row = max(0, min(row, self.count - 1))
        return Place(row, line - self.start(row))
