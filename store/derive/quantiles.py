"""How figures are spread: the one below which a share lies, and bins that grow.

Durations reach from seconds to days, so bins of equal width would put all but the
longest into the first. Each of these is so many times as wide as the one before.
"""

from bisect import bisect_left
from collections.abc import Sequence
from math import log

from msgspec import Struct

LEAST = 1.0
"""What is shorter than a second is counted with what takes one."""


class Spread(Struct, frozen=True):
    """Counts of figures in bins of the same ratio, from the least to the greatest."""

    least: float
    greatest: float
    counts: tuple[int, ...]

    def place(self, figure: float) -> int:
        """The bin that a figure belongs to."""
        span = log(self.greatest / self.least)
        if span <= 0:
            return len(self.counts) // 2
        part = log(max(figure, self.least) / self.least) / span
        return min(int(part * len(self.counts)), len(self.counts) - 1)


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """The figure below which a share of all lies; between two, what lies between.

    The figures are in order, the least first.
    """
    if not ordered:
        return None
    place = share * (len(ordered) - 1)
    before = int(place)
    low = ordered[before]
    high = ordered[min(before + 1, len(ordered) - 1)]
    found = low + (high - low) * (place - before)
    return min(max(found, low), high)


def spread(ordered: Sequence[float], bins: int) -> Spread | None:
    """Figures, in order, put into so many bins; None where there is nothing."""
    if not ordered or bins < 1:
        return None
    least, greatest = max(ordered[0], LEAST), max(ordered[-1], LEAST)
    empty = Spread(least, greatest, (0,) * bins)
    counts = [0] * bins
    for figure in ordered[bisect_left(ordered, least) :]:
        counts[empty.place(figure)] += 1
    counts[empty.place(least)] += bisect_left(ordered, least)
    return Spread(least, greatest, tuple(counts))
