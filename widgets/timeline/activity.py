"""How much was said when: messages spread over the time that conversations took."""

from array import array
from collections.abc import Iterable, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from store.records.spans import UNDATED, Spans
from widgets.timeline.days import DAY

_LEVELS = "▁▂▃▄▅▆▇█"

FINE = 720
"""How many parts a window is counted in, before anybody knows how wide it is drawn."""


class Window(StrEnum):
    """How much of the past is looked at."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"
    ALL = "all"


_LENGTHS = {Window.DAY: DAY, Window.WEEK: 7 * DAY, Window.MONTH: 30 * DAY}


def next_window(window: Window) -> Window:
    """The window that comes after one, round and round."""
    windows = list(Window)
    return windows[(windows.index(window) + 1) % len(windows)]


class Activity(NamedTuple):
    """What a window shows."""

    window: Window = Window.WEEK
    counts: Sequence[float] = ()
    """Messages of each part of it, from the oldest on."""
    end: int = UNDATED
    """When it ends."""
    is_now: bool = True
    """Whether that is now."""


def activity(spans: Spans, window: Window, now: int) -> Activity:
    """What a window shows that ends now, or where the newest conversation ended."""
    newest = max(spans.ends, default=UNDATED)
    if newest == UNDATED:
        return Activity(window, (), now)
    length = _LENGTHS.get(window)
    is_now = newest > now - length if length else True
    end = max(now, newest) if is_now else newest
    if window is Window.ALL:
        end, is_now = newest, False
    begin = end - length if length else _oldest(spans)
    indices = range(len(spans))
    return Activity(window, spread(spans, indices, begin, end, FINE), end, is_now)


def spread(
    spans: Spans, positions: Iterable[int], begin: int, end: int, parts: int
) -> "array[float]":
    """Messages in each part of some time, both its ends included.

    Those of a conversation are spread evenly over the parts that it touches.
    """
    length = max(end - begin, 0) + 1
    changes = array("d", bytes(8 * (parts + 1)))
    begins, ends, messages = spans.begins, spans.ends, spans.messages
    for position in positions:
        since, until = begins[position], ends[position]
        if until < begin or since > end or since == UNDATED:
            continue
        first = (since - begin) * parts // length
        last = (until - begin) * parts // length
        share = messages[position] / (last - first + 1)
        changes[min(max(first, 0), parts - 1)] += share
        changes[min(last, parts - 1) + 1] -= share
    return array("d", list(accumulate(changes))[:parts])


def spark(counts: Sequence[float], width: int) -> str:
    """Counts as a line of so many bars; blank where there is nothing."""
    if width <= 0 or not counts:
        return " " * max(width, 0)
    edges = [at * len(counts) // width for at in range(width + 1)]
    sums = [
        sum(counts[first : max(last, first + 1)]) for first, last in pairwise(edges)
    ]
    most = max(sums)
    return "".join(_bar(each, most) for each in sums)


def _bar(count: float, most: float) -> str:
    """A bar; what rounding leaves of nothing is nothing."""
    if count <= most * 1e-9:
        return " "
    return _LEVELS[min(ceil(count / most * len(_LEVELS)), len(_LEVELS)) - 1]


def _oldest(spans: Spans) -> int:
    return min((begin for begin in spans.begins if begin != UNDATED), default=0)
