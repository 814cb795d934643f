"""How warm a day is: its count among the counts of all days that have one.

What many is differs from store to store, so no number is fixed: the quartiles of the
days that have anything divide them.
"""

from bisect import bisect_left
from collections.abc import Iterable

WARMEST = 4
"""The highest level; 0 is a day with nothing."""

Bounds = tuple[int, ...]
"""The greatest count of each level but the highest."""


def bounds(counts: Iterable[int]) -> Bounds:
    """The quartiles of counts, zeros left out; none where all are zero."""
    ranked = sorted(count for count in counts if count > 0)
    if not ranked:
        return ()
    return tuple(
        ranked[-(-len(ranked) * level // WARMEST) - 1] for level in range(1, WARMEST)
    )


def level(count: int, among: Bounds) -> int:
    """How warm a count is, 0…4: equal counts are equally warm, greater ones no less."""
    return 1 + bisect_left(among, count) if count > 0 else 0
