"""The row that shows how many messages there were when."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from textual.reactive import reactive

from store.records.counts import UNDATED, Spans
from widgets.bars import Bar, Shown
from widgets.sheet import Piece, width_of
from widgets.timeline_lines import DAY, STATUSES, day_told, status_of

# Message counts over time: messages spread over the durations of conversations.

_LEVELS = "▁▂▃▄▅▆▇█"

FINE = 720
"""Parts in which a window is counted, before the drawn width is known."""


class Window(StrEnum):
    """How much of the past is shown."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"
    ALL = "all"


_LENGTHS = {Window.DAY: DAY, Window.WEEK: 7 * DAY, Window.MONTH: 30 * DAY}


def next_window(window: Window) -> Window:
    """The window after this one, cyclically."""
    windows = list(Window)
    return windows[(windows.index(window) + 1) % len(windows)]


class Activity(NamedTuple):
    """The content of a window."""

    window: Window = Window.WEEK
    counts: Sequence[float] = ()
    """The messages in each part of it, oldest first."""
    end: int = UNDATED
    """When it ends."""
    is_now: bool = True
    """Whether it ends now."""


def activity(spans: Spans, window: Window, now: int) -> Activity:
    """The window that ends now, or else with the newest conversation."""
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
    """The messages in each part of a period, both ends included.

    The messages of a conversation are spread evenly over its parts.
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
    """Counts as a row of bars; blank without counts."""
    if width <= 0 or not counts:
        return " " * max(width, 0)
    edges = [at * len(counts) // width for at in range(width + 1)]
    sums = [
        sum(counts[first : max(last, first + 1)]) for first, last in pairwise(edges)
    ]
    most = max(sums)
    return "".join(_bar(each, most) for each in sums)


def _bar(count: float, most: float) -> str:
    """A bar; a count that is only a rounding error is blank."""
    if count <= most * 1e-9:
        return " "
    return _LEVELS[min(ceil(count / most * len(_LEVELS)), len(_LEVELS)) - 1]


def _oldest(spans: Spans) -> int:
    return min((begin for begin in spans.begins if begin != UNDATED), default=0)


# The row above the timeline: recent activity, statuses, expirations.

WINDOW, REMOVAL = "window", "removal"
"""Reported on a click on the window's name, or on the warning."""

_LEAST = 12
"""Cells of bars below which the statuses are left out."""

_WIDE = 100
"""The width from which expirations are shown as a whole sentence."""


class ActivityBar(Bar):
    """Bars in the available width; a click on a status filters by it."""

    DEFAULT_CSS = "ActivityBar { height: 1; }"

    activity: reactive[Activity] = reactive(Activity())
    """The activity."""
    statuses: reactive[Mapping[str, int]] = reactive(dict[str, int])
    """The number of conversations of each status."""
    leaving: reactive[int] = reactive(0)
    """How many conversations the agent's own cleanup deletes within a week."""

    def _shown(self) -> list[Shown]:
        """The items from left to right; the bars get the remaining width."""
        width = self.size.width
        window = Shown([(f" {self.activity.window:>3} ", "strong")], WINDOW)
        end = Shown([(f" {self._end()} ", "faint")])
        counts = list(self._counts())
        left = width - _width([window, end]) - _LEAST
        words = self._removals(width)
        beside = [told for told in words if _width([*counts, *told]) <= left]
        removal = next(iter(beside or words))
        if not beside:
            counts.clear()
        left += _LEAST
        bars = spark(self.activity.counts, left - _width([*counts, *removal]))
        return [window, Shown([(bars, "arrow")]), end, *counts, *removal]

    def _end(self) -> str:
        if self.activity.is_now:
            return "now"
        return day_told(self.activity.end, with_weekday=False)

    def _counts(self) -> Iterator[Shown]:
        """The statuses in order of a conversation's life, without those at zero."""
        order = [*STATUSES, *(set(self.statuses) - set(STATUSES))]
        for word in order:
            number = self.statuses.get(word, 0)
            if number:
                glyph, tone, _ = status_of(word)
                pieces: list[Piece] = [
                    (" ", ""),
                    (glyph, tone),
                    (f"{number} ", "muted"),
                ]
                yield Shown(pieces, word)

    def _removals(self, width: int) -> list[list[Shown]]:
        """How many expire soon, as variants of decreasing length."""
        if not self.leaving:
            return [[]]
        number, word = self.leaving, "expires" if self.leaving == 1 else "expire"
        told = [f" {number} {word} in 7 d ", f" {number} {word} "]
        if width >= _WIDE:
            told.insert(0, f" {number} {word} within 7 days ")
        return [[Shown([(words, "fading")], REMOVAL)] for words in told]


def _width(several: list[Shown]) -> int:
    return sum(width_of(one.pieces) for one in several)
