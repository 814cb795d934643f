"""Medians, histograms, totals per day, and times as columns of numbers."""

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from enum import IntEnum, IntFlag, StrEnum
from functools import lru_cache
from math import log
from statistics import median
from typing import NamedTuple

from msgspec import Struct, field

from store.derive.conversations import Tokens
from store.text import regex

# The distribution of numbers: quantiles, and bins of growing width.
#
# Durations range from seconds to days, so bins of equal width would put all but the
# longest into the first. Each bin is wider than the previous one by the same factor.

LEAST = 1.0
"""Anything shorter than a second counts as one second."""


class Spread(Struct, frozen=True):
    """Counts in bins of equal ratio, from the least to the greatest."""

    least: float
    greatest: float
    counts: tuple[int, ...]

    def place(self, figure: float) -> int:
        """The bin for a number."""
        span = log(self.greatest / self.least)
        if span <= 0:
            return len(self.counts) // 2
        part = log(max(figure, self.least) / self.least) / span
        return min(int(part * len(self.counts)), len(self.counts) - 1)


def quantile(ordered: Sequence[float], share: float) -> float | None:
    """The number below which a share of all lies, interpolated.

    The numbers must be in ascending order.
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
    """Ascending numbers sorted into bins; None if there are no numbers."""
    if not ordered or bins < 1:
        return None
    least, greatest = max(ordered[0], LEAST), max(ordered[-1], LEAST)
    empty = Spread(least, greatest, (0,) * bins)
    counts = [0] * bins
    for figure in ordered[bisect_left(ordered, least) :]:
        counts[empty.place(figure)] += 1
    counts[empty.place(least)] += bisect_left(ordered, least)
    return Spread(least, greatest, tuple(counts))


# Medians and histograms of durations.

BINS = 30


class Bin(Struct, frozen=True):
    """The count between two bounds; the last bin includes its end."""

    start: float
    end: float
    size: int


def middle(durations: Sequence[float]) -> float | None:
    """The median; of the two middle durations the longer one."""
    return sorted(durations)[len(durations) // 2] if durations else None


def between(durations: Sequence[float]) -> float | None:
    """The median; the mean of the two middle durations."""
    return median(durations) if durations else None


def histogram(durations: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Bins of equal width from the shortest to the longest."""
    if not durations:
        return []
    least, most = min(durations), max(durations)
    if least == most:
        least, most = least - 0.5, most + 0.5
    width = (most - least) / bins
    counts = [0] * bins
    for duration in durations:
        counts[min(int((duration - least) / width), bins - 1)] += 1
    edges = [least + width * n for n in range(bins)] + [most]
    return [Bin(edges[n], edges[n + 1], counts[n]) for n in range(bins)]


# Times of day in logs: `9:02`, `21:40:05`, `1:33 PM`, `8:00 p.m.`.

_CLOCK = regex(
    r"\s*(\d{1,2}):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\.?)?(?!\d)",
    re.ASCII | re.IGNORECASE,
)
_HOURS, _NOON, _MINUTES = 24, 12, 60
_LONGEST = 64

DAY = _HOURS * _MINUTES
"""The minutes in a day."""


@lru_cache(2 * DAY)
def minute_of(time: str | None) -> int | None:
    """The minute of the day at the start of a text; None if it has no time."""
    told = _CLOCK.match(time[:_LONGEST]) if time else None
    if told is None:
        return None
    hour, minute, half = int(told[1]), int(told[2]), (told[3] or "").lower()
    if half and not 1 <= hour <= _NOON:
        return None
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    if hour >= _HOURS or minute >= _MINUTES:
        return None
    return hour * _MINUTES + minute


# The times of log entries as compact arrays, and which parts each entry has.

UNTOLD = -1
"""The minute of an entry without a time."""


class Parts(IntFlag):
    """The parts of an entry besides its title."""

    SUMMARY = 1
    """A summary."""
    LINK = 2
    """A link to more."""


class Moment(NamedTuple):
    """One entry."""

    day: str
    """The day, as written."""
    time: str | None
    """The time of day, as written."""
    parts: int
    """Its parts, as `Parts`."""


class Timing(Struct, frozen=True):
    """The days, minutes and parts of entries, in list order."""

    days: Sequence[str] = ()
    """The day of each, as written; usually YYYY-MM-DD."""
    minutes: "array[int]" = field(default_factory=lambda: array("h"))
    """The minute of the day of each."""
    parts: bytes = b""
    """The parts of each."""

    def __len__(self) -> int:
        return len(self.days)

    @classmethod
    def of(cls, moments: Iterable[Moment]) -> "Timing":
        """The timing of these entries."""
        once: dict[str, str] = {}
        days: list[str] = []
        minutes = array("h")
        parts = bytearray()
        for day, time, has in moments:
            days.append(once.setdefault(day, day))
            minute = minute_of(time)
            minutes.append(UNTOLD if minute is None else minute)
            parts.append(has)
        return cls(days, minutes, bytes(parts))


# The times of many conversations: columns of numbers instead of records.

UNDATED = -(2**63)
"""The start of a conversation without a time: before all others."""

NEVER = 0
"""The time of removal, if no clean-up removes it."""

ALONE = -1
"""The parent, if no other conversation started it."""


class Keeping(IntEnum):
    """What the vault has of a conversation."""

    NOTHING = 0
    EARLIER = 1
    """An earlier version; the conversation has been continued since."""
    WHOLE = 2
    """The current version."""
    ONLY = 3
    """The last version; the original is gone."""


class Spans(Struct, frozen=True):
    """Columns with one number per conversation; times in microseconds."""

    begins: "array[int]"
    """The start of each; `UNDATED` if unknown."""
    ends: "array[int]"
    """The end of each."""
    parents: "array[int]"
    """The position of the conversation that started each; `ALONE` if none here did."""
    messages: "array[int]"
    """The number of messages of each."""
    leaves: "array[int]"
    """When the agent's clean-up removes each; `NEVER` if it does not."""
    kept: "array[int]"
    """What the vault has of each, as a `Keeping`."""

    def __len__(self) -> int:
        return len(self.begins)

    @classmethod
    def none(cls) -> "Spans":
        """The spans of no conversations."""
        return cls(*(array("q") for _ in range(6)))


class Closeup(Struct, frozen=True):
    """Details of a conversation that are read only when it comes into view."""

    tools: tuple[tuple[str, int], ...] = ()
    """The tools it called and how often, most used first."""
    spent: Mapping[str, Tokens] | None = None
    """The tokens of each model; None if no message has any."""


# A tally: counts and durations per hour or per day.


class Step(StrEnum):
    """The length of a period."""

    HOUR = "hour"
    DAY = "day"


class Slot(Struct, frozen=True):
    """The count and the total duration of one period."""

    number: int = 0
    """How many there are."""
    seconds: float = 0.0
    """The total duration in seconds."""


NOTHING = Slot()
"""An empty period."""


class Tally(Struct, frozen=True):
    """Periods by their start in local time: `2026-02-14`, `2026-02-14T09`."""

    slots: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    """The counts of each period; empty ones are left out."""
    undated: int = 0
    """How many records have no time."""


class Durations(Struct, frozen=True):
    """The durations of some records, shortest first."""

    seconds: Sequence[float] = ()
    """The duration of each record."""
    total: float = 0.0
    """The total duration."""


# Problems that are counted together.


class Alike(Struct, frozen=True):
    """What problems of one kind in one file have in common."""

    store: int
    """The row of their store."""
    path: bytes
    """Their file; empty if the index sums up those of many files."""
    code: str
    """What is wrong, as a word."""
    severity: str
    """How severe it is."""
