"""The outline of a log: where its days begin, and where it is silent for long.

It is made of the times of all entries, and so where nobody waits for it.
"""

from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from enum import IntFlag
from itertools import pairwise

from msgspec import Struct, field

from store.derive.timing import UNTOLD, Timing
from widgets.calendar.names import ordinal

SILENCE = 120
"""Minutes without an entry that are told, within a day."""

QUIET = 8
"""Days from one entry to the next that are told."""


class Break(IntFlag):
    """What stands before an entry."""

    GAP = 1
    """That it was silent for long."""
    DAY = 2
    """That another day begins."""


class Outline(Struct, frozen=True):
    """What is known of entries without looking at them; of the first, or of all."""

    timing: Timing = field(default_factory=Timing)
    """When they were."""
    breaks: bytes = b""
    """What stands before each, as `Break`."""
    begins: "array[int]" = field(default_factory=lambda: array("q"))
    """Where each day begins."""
    first: Mapping[str, int] = field(default_factory=dict[str, int])
    """The first entry of each day, by the day as written."""
    is_in_order: bool = True
    """Whether they stand in the order of their days, in either direction."""

    def __len__(self) -> int:
        return len(self.timing)

    @classmethod
    def of(cls, timing: Timing) -> "Outline":
        """The outline of entries."""
        begins = array("q", _begins(timing.days))
        days = [timing.days[at] for at in begins]
        first: dict[str, int] = {}
        for at, day in zip(begins, days, strict=True):
            first.setdefault(day, at)
        is_in_order = len(first) == len(days) and _is_monotone(days)
        return cls(timing, _breaks(timing, begins), begins, first, is_in_order)

    def begin_of_day(self, position: int, step: int) -> int | None:
        """Where the day begins that is so many days from that of an entry."""
        at = bisect_right(self.begins, position) - 1 + step
        return self.begins[at] if 0 <= at < len(self.begins) else None

    def entries_of_day(self, position: int, count: int) -> int | None:
        """How many entries the day of an entry has; None where that is not known."""
        at = bisect_right(self.begins, position)
        end = self.begins[at] if at < len(self.begins) else len(self)
        if at == len(self.begins) and len(self) < count:
            return None
        return end - self.begins[at - 1] if at else None

    def nearest(self, day: int) -> int | None:
        """The first entry of the day that is nearest to one, by its ordinal."""
        dated = [
            (found, at)
            for text, at in self.first.items()
            if (found := ordinal(text)) is not None
        ]
        dated.sort()
        at = bisect_left(dated, (day, 0))
        near = dated[max(at - 1, 0) : at + 1]
        return min(near, key=lambda one: abs(one[0] - day))[1] if near else None


def _begins(days: Sequence[str]) -> Iterator[int]:
    """Where another day stands than before."""
    before: str | None = None
    for at, day in enumerate(days):
        if day != before:
            yield at
            before = day


def _is_monotone(days: Sequence[str]) -> bool:
    pairs = list(pairwise(days))
    return all(a < b for a, b in pairs) or all(a > b for a, b in pairs)


def _breaks(timing: Timing, begins: Sequence[int]) -> bytes:
    """What stands before each entry; before the first nothing does."""
    minutes = timing.minutes
    breaks = bytearray(len(timing))
    for at, (one, other) in enumerate(pairwise(minutes), 1):
        if abs(one - other) >= SILENCE and one != UNTOLD != other:
            breaks[at] = Break.GAP
    for before, at in pairwise(begins):
        breaks[at] = Break.DAY
        if days_between(timing.days[before], timing.days[at]) >= QUIET:
            breaks[at] |= Break.GAP
    return bytes(breaks)


def days_between(one: str, other: str) -> int:
    """How many days lie from one day to another; none where one is no day."""
    first, second = ordinal(one), ordinal(other)
    return 0 if first is None or second is None else abs(first - second)
