"""Which conversation each message of a transcript belongs to, by the gaps between them.

Spec 004's rule: entries in order of time, and a new conversation wherever more time
lies between two of them than the gap allows. What is no entry (results, notices, what
an agent's own helpers say) goes with the entries that it stands among.
"""

from bisect import bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct

MINUTE = 60_000_000
"""A minute in microseconds."""


class Rule(Struct, frozen=True):
    """What ends a conversation."""

    gap: int = 60 * MINUTE
    """Microseconds of silence: more than this and another one begins."""
    minimum: int = 5
    """How many entries a conversation needs to be worth a memory."""


USUAL = Rule()
"""The rule where the user asks for no other."""


class Point(NamedTuple):
    """A message as the rule sees it."""

    begin: int | None
    """When it was written, in microseconds; None where it does not tell."""
    end: int | None
    """When its last line was written; at the latest."""
    counts: bool
    """Whether it is an entry."""


def segments(points: Sequence[Point], gap: int) -> list[int]:
    """For each message, in file order, the number of its conversation."""
    bounds, placed = _bounds(points, gap)
    if len(bounds) < 2:  # noqa: PLR2004 - nothing is divided
        return [0] * len(points)
    firsts = [first for first, _ in bounds]
    numbers: list[int] = []
    number = 0
    for index, point in enumerate(points):
        if index in placed:
            number = placed[index]
        elif point.begin is not None:
            number = _nearest(bounds, firsts, point.begin)
        numbers.append(number)
    return numbers


def _bounds(
    points: Sequence[Point], gap: int
) -> tuple[list[tuple[int, int]], dict[int, int]]:
    """When each conversation begins and ends, and which one each entry is in."""
    timed = [
        (point.begin, index)
        for index, point in enumerate(points)
        if point.counts and point.begin is not None
    ]
    timed.sort()
    bounds: list[tuple[int, int]] = []
    placed: dict[int, int] = {}
    for begin, index in timed:
        end = max(begin, points[index].end or begin)
        if bounds and begin - bounds[-1][1] <= gap:
            bounds[-1] = (bounds[-1][0], max(bounds[-1][1], end))
        else:
            bounds.append((begin, end))
        placed[index] = len(bounds) - 1
    return bounds, placed


def _nearest(bounds: list[tuple[int, int]], firsts: list[int], moment: int) -> int:
    """The conversation that a moment falls into, or the nearer of its neighbours."""
    after = bisect_right(firsts, moment)
    if after == 0:
        return 0
    if after == len(bounds):
        return after - 1
    before_end = bounds[after - 1][1]
    is_nearer_to_next = firsts[after] - moment < moment - before_end
    return after if is_nearer_to_next else after - 1
