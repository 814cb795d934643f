"""Charts: bars by day, the distribution of durations, the latest activity."""

from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from enum import StrEnum
from itertools import accumulate, pairwise
from math import ceil
from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace
from rich.cells import cell_len
from textual.reactive import reactive

from store.derive.statistics import (
    NOTHING,
    UNDATED,
    Durations,
    Slot,
    Spans,
    Spread,
    Step,
    Tally,
    quantile,
    spread,
)
from widgets.bars import Bar, Picture, Shown
from widgets.calendar import MONTHS
from widgets.sheet import Piece, Pieces, width_of
from widgets.table import brief
from widgets.timeline_lines import DAY, day_told

# Vertical bars, with a resolution of an eighth of a cell.

ROWS = 5
"""The height of bars in rows."""

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_WIDEST = 8
_APART = 3
"""The width from which there is a blank between two bars."""


def heights(values: Sequence[float], rows: int) -> list[int]:
    """The height of each bar in eighths of a row; positive values always show."""
    most = max(values, default=0.0)
    if most <= 0:
        return [0] * len(values)
    full = rows * 8
    return [max(round(value / most * full), 1) if value > 0 else 0 for value in values]


def breadth(bars: int, room: int) -> int:
    """The cells of a bar, its blank included."""
    return max(min(room // bars, _WIDEST), 1) if bars else 1


def scaled(
    scale: Iterable[str], cells: int, bars: Iterable[str], tone: str
) -> list[Pieces]:
    """The rows of a bar chart, each after its place on the scale."""
    rows = zip(scale, bars, strict=True)
    return [[(f"{told:>{cells - 1}} ", "faint"), (bar, tone)] for told, bar in rows]


def standing(values: Sequence[float], rows: int, room: int) -> list[str]:
    """The rows of a bar chart, top first."""
    wide = breadth(len(values), room)
    blank = int(wide >= _APART)
    drawn = heights(values, rows)
    return [
        "".join(
            _EIGHTHS[max(0, min(height - above * 8, 8))] * (wide - blank) + " " * blank
            for height in drawn
        )
        for above in reversed(range(rows))
    ]


# Short durations: `0.4s`, `12s`, `1m 37s`, `1h 10m`, `3d 4h`.

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400
_TEN = 9.95


def took(seconds: float) -> str:
    """A duration in its two largest units."""
    if seconds < _TEN:
        return _rounded(seconds) + "s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole}s"
    if whole < _HOUR:
        return f"{whole // _MINUTE}m {whole % _MINUTE:02}s"
    if whole < _DAY:
        return f"{whole // _HOUR}h {whole % _HOUR // _MINUTE:02}m"
    return f"{whole // _DAY}d {whole % _DAY // _HOUR}h"


def about(seconds: float) -> str:
    """The same in its largest unit only, for the scale of a chart."""
    for unit, length in (("d", _DAY), ("h", _HOUR), ("m", _MINUTE)):
        if seconds >= length:
            return _rounded(seconds / length) + unit
    return _rounded(seconds) + "s"


def _rounded(amount: float) -> str:
    """A number with one decimal if it is below ten."""
    told = f"{amount:.1f}" if amount < _TEN else f"{amount:.0f}"
    return told.removesuffix(".0")


# The window of a chart, and the counts of its parts.

_SECOND = 1_000_000
_WINDOWS_HOUR, _WINDOWS_DAY = len("2026-02-14T09"), len("2026-02-14")
_MOST = 366
"""The most parts for the whole past."""


class Window(StrEnum):
    """A period of the past."""

    DAY = "24 h"
    WEEK = "7 d"
    MONTH = "30 d"
    QUARTER = "90 d"
    ALL = "all"

    @property
    def step(self) -> Step:
        """The length of each part."""
        return Step.HOUR if self is Window.DAY else Step.DAY


_LENGTHS = {Window.DAY: 24, Window.WEEK: 7, Window.MONTH: 30, Window.QUARTER: 90}


class Chart(Struct, frozen=True):
    """The parts of a window, oldest first."""

    window: Window = Window.QUARTER
    begins: Sequence[str] = ()
    """The start of each: `2026-02-14`, `2026-02-14T09`."""
    slots: Sequence[Slot] = ()
    days: int = 1
    """The days per part, if parts are days."""
    is_now: bool = True
    """Whether it ends now, rather than with the newest entry."""
    undated: int = 0
    """The number of entries without a time, which are not shown."""

    @property
    def count(self) -> int:
        """The number of entries shown."""
        return sum(slot.number for slot in self.slots)

    def narrowed(self, parts: int) -> "Chart":
        """At most this many parts: the newest ones, or wider ones for all the past."""
        if len(self.slots) <= parts:
            return self
        if self.window is not Window.ALL:
            begins, slots = self.begins[-parts:], self.slots[-parts:]
            return replace(self, begins=begins, slots=slots)
        wide = ceil(len(self.slots) / parts)
        firsts = range(0, len(self.slots), wide)
        slots = tuple(_together(self.slots[at : at + wide]) for at in firsts)
        begins, days = self.begins[::wide], self.days * wide
        return replace(self, begins=begins, slots=slots, days=days)


def chart_of(tally: Tally, window: Window, now: int) -> Chart:
    """The window that ends now, or with the newest entry if it would be empty."""
    known = {begin: slot for begin, slot in tally.slots.items() if _day(begin)}
    if window is Window.ALL:
        return _all(known, tally.undated)
    end = _label(_here(now), window.step)
    begins = _before(end, window)
    is_now = any(begin in known for begin in begins) or not known
    if not is_now:
        begins = _before(max(known), window)
    slots = tuple(known.get(begin, NOTHING) for begin in begins)
    return Chart(window, begins, slots, is_now=is_now, undated=tally.undated)


def since(chart: Chart) -> datetime | None:
    """The local start of a chart; None if it starts with the first entry."""
    if chart.window is Window.ALL or not chart.begins:
        return None
    return _moment(chart.begins[0])


def until(chart: Chart) -> datetime | None:
    """The local end of a chart; None if it is open."""
    if chart.window is Window.ALL or not chart.begins:
        return None
    step = timedelta(hours=1) if chart.window.step is Step.HOUR else timedelta(days=1)
    try:
        return _moment(chart.begins[-1]) + step
    except OverflowError:
        return None


def _all(known: Mapping[str, Slot], undated: int) -> Chart:
    """All days from the first to the last, grouped if there are many."""
    if not known:
        return Chart(Window.ALL, undated=undated)
    ordinals = {date.fromisoformat(day).toordinal(): day for day in known}
    first, last = min(ordinals), max(ordinals)
    days = ceil((last - first + 1) / _MOST)
    slots = [NOTHING] * ((last - first) // days + 1)
    for ordinal, day in ordinals.items():
        at = (ordinal - first) // days
        slots[at] = _together((slots[at], known[day]))
    begins = [
        date.fromordinal(first + at * days).isoformat() for at in range(len(slots))
    ]
    return Chart(Window.ALL, begins, slots, days, is_now=False, undated=undated)


def _before(end: str, window: Window) -> tuple[str, ...]:
    """The starts of the parts of a window that ends with this one."""
    moments = _back(_moment(end), window)
    labels = [_label(moment, window.step) for moment in moments]
    return tuple(dict.fromkeys(reversed(labels)))


def _back(moment: datetime, window: Window) -> Iterator[datetime]:
    step = timedelta(hours=1) if window.step is Step.HOUR else timedelta(days=1)
    for _ in range(_LENGTHS[window]):
        yield moment
        try:
            moment -= step
        except OverflowError:
            return


def _label(moment: datetime, step: Step) -> str:
    """The label of the part that starts at a time."""
    return moment.isoformat()[: _WINDOWS_HOUR if step is Step.HOUR else _WINDOWS_DAY]


def _moment(begin: str) -> datetime:
    return datetime.fromisoformat(begin)


def _here(now: int) -> datetime:
    return datetime.fromtimestamp(now // _SECOND)  # noqa: DTZ006  # local time is intended


def _day(begin: str) -> bool:
    """Whether the start of a part is a valid date."""
    try:
        _moment(begin)
    except ValueError:
        return False
    return True


def _together(slots: Sequence[Slot]) -> Slot:
    count = sum(slot.number for slot in slots)
    return Slot(count, sum(slot.seconds for slot in slots))


# A histogram per day: bars, a scale, and dates.

_SCALE = 6
"""Cells before the bars."""

_LABEL = len("│12 Feb ")


class Measured(NamedTuple):
    """The content of a histogram."""

    noun: str = "entry"
    """The name of what is counted."""
    chart: Chart = Chart()
    durations: Durations = Durations()
    """The durations of the entries shown."""
    in_time: bool = False
    """Whether it shows durations instead of counts."""


class Histogram(Picture):
    """Bars in five rows, with a heading above and dates below."""

    DEFAULT_CSS = "Histogram { height: 7; }"

    measured: reactive[Measured] = reactive(Measured())
    """Its content."""

    def rows(self, width: int) -> Sequence[Pieces]:
        """Heading, bars with their scale, dates."""
        room = max(width - _SCALE, 1)
        chart = self.measured.chart.narrowed(room)
        values = self._values(chart)
        bars = standing(values, ROWS, room)
        most = max(values, default=0.0)
        scale = [self._told(most * (ROWS - at) / ROWS) for at in range(ROWS)]
        return [
            list(self._heading(chart, width)),
            *scaled(scale, _SCALE, bars, "arrow"),
            [(" " * _SCALE, ""), (_dates(chart, room), "faint")],
        ]

    def _values(self, chart: Chart) -> list[float]:
        is_long = self.measured.in_time
        return [slot.seconds if is_long else float(slot.number) for slot in chart.slots]

    def _told(self, value: float) -> str:
        """A height on the scale; fractional counts are left out."""
        if not value:
            return ""
        if self.measured.in_time:
            return about(value)
        return brief(int(value)) if value == int(value) else ""

    def _heading(self, chart: Chart, width: int) -> Iterator[Piece]:
        """What is shown, for which period, and key figures, as far as they fit."""
        noun, unit = self.measured.noun, _unit(chart)
        if not self.measured.chart.count:
            yield f" no {noun}, {_span(self.measured.chart)}", "muted"
            return
        amount = f"duration of {noun}" if self.measured.in_time else noun
        told = f" {amount} per {unit}, {_span(chart)}"
        yield told, "muted"
        left, whole = width - cell_len(told), self.measured.chart
        gap = f"   in {_length(whole)}: " if len(whole.slots) > len(chart.slots) else ""
        for figure in self._figures(chart):
            text = f"{gap or '   '}{figure}"
            left -= cell_len(text)
            if left < 0:
                return
            yield text, "faint"
            gap = " · "

    def _figures(self, chart: Chart) -> Iterator[str]:
        ordered = self.measured.durations.seconds
        median, most = quantile(ordered, 0.5), quantile(ordered, 0.9)
        if median is not None and most is not None:
            named = "median" if self.measured.in_time else "median duration"
            yield f"{named} {took(median)}"
            yield f"p90 {took(most)}"
            yield f"total {took(self.measured.durations.total)}"
        else:
            yield f"{self.measured.chart.count} total"
        if chart.undated:
            yield f"{chart.undated} undated"


def _unit(chart: Chart) -> str:
    if chart.window.step is Step.HOUR:
        return "hour"
    return "day" if chart.days == 1 else f"{chart.days} days"


def _span(chart: Chart) -> str:
    """The period; there may be fewer bars than the window has parts."""
    if not chart.begins:
        return "nothing yet"
    first, last = _date(chart.begins[0]), _date(chart.begins[-1])
    if chart.window is Window.ALL:
        return first if first == last else f"{first} to {last}"
    told = _length(chart)
    return f"last {told}" if chart.is_now else f"{told} to {last}"


def _length(chart: Chart) -> str:
    unit = "h" if chart.window.step is Step.HOUR else "d"
    return f"{len(chart.begins) * chart.days} {unit}"


def _dates(chart: Chart, room: int) -> str:
    wide = breadth(len(chart.begins), room)
    every = -(-_LABEL // wide)
    told = ""
    for begin in chart.begins[::every]:
        label = f"│{begin[-2:]} h" if "T" in begin else f"│{_date(begin)}"
        told += f"{label[: every * wide]:<{every * wide}}"
    return told


def _date(begin: str) -> str:
    day = begin.partition("T")[0]
    return f"{int(day[8:])} {MONTHS[int(day[5:7]) - 1]}"


# The distribution of durations: short ones left, long ones right.

_DISTRIBUTION_SCALE = 5
_SHARES = ((0.5, "p50"), (0.9, "p90"))


class Distribution(Picture):
    """Bars with growing bins, and marks for the median and the 90th percentile."""

    DEFAULT_CSS = "Distribution { height: 7; }"

    durations: reactive[Durations] = reactive(Durations())
    """All durations."""

    def rows(self, width: int) -> Sequence[Pieces]:
        """Heading, bars, marks."""
        ordered, room = self.durations.seconds, max(width - _DISTRIBUTION_SCALE - 1, 1)
        found = spread(ordered, room)
        if found is None:
            return [[(" No durations recorded.", "faint")]]
        bars = standing([float(count) for count in found.counts], ROWS, room)
        most = brief(max(found.counts))
        scale = [most, *[""] * (ROWS - 1)]
        return [
            list(self._heading()),
            *scaled(scale, _DISTRIBUTION_SCALE, bars, "ok"),
            [(" " * _DISTRIBUTION_SCALE, ""), *_marks(found, ordered, room)],
        ]

    def _heading(self) -> Iterator[Piece]:
        ordered = self.durations.seconds
        yield f" {len(ordered)} duration{'s' * (len(ordered) != 1)}", "muted"
        for share, name in _SHARES:
            figure = quantile(ordered, share)
            if figure is not None:
                yield f" · {name} {took(figure)}", "faint"


def _marks(found: Spread, ordered: Sequence[float], room: int) -> list[Piece]:
    """The marks of the quantiles, and the ends of the scale if there is room."""
    row = list(" " * room)
    for share, name in reversed(_SHARES):
        figure = quantile(ordered, share)
        if figure is not None:
            _write(row, found.place(figure), f"▲{name}")
    _write(row, 0, about(found.least))
    if found.greatest > found.least:
        _write(row, room, about(found.greatest))
    return [("".join(row), "faint")]


def _write(row: list[str], at: int, text: str) -> None:
    """Write text into free cells, shifted left at the end of the row."""
    at = max(min(at, len(row) - len(text)), 0)
    if len(text) <= len(row) and not "".join(row[at : at + len(text)]).strip():
        row[at : at + len(text)] = text


# Message counts over time: messages spread over the durations of conversations.

_LEVELS = "▁▂▃▄▅▆▇█"

FINE = 720
"""Parts in which a window is counted, before the drawn width is known."""


class Recent(StrEnum):
    """How much of the past is shown."""

    DAY = "24h"
    WEEK = "7d"
    MONTH = "30d"
    ALL = "all"


_RECENT_LENGTHS = {Recent.DAY: DAY, Recent.WEEK: 7 * DAY, Recent.MONTH: 30 * DAY}


class Activity(NamedTuple):
    """The content of a window."""

    window: Recent = Recent.WEEK
    counts: Sequence[float] = ()
    """The messages in each part of it, oldest first."""
    end: int = UNDATED
    """When it ends."""
    is_now: bool = True
    """Whether it ends now."""


def activity(spans: Spans, window: Recent, now: int) -> Activity:
    """The window that ends now, or else with the newest conversation."""
    newest = max(spans.ends, default=UNDATED)
    if newest == UNDATED:
        return Activity(window, (), now)
    length = _RECENT_LENGTHS.get(window)
    is_now = newest > now - length if length else True
    end = max(now, newest) if is_now else newest
    if window is Recent.ALL:
        end, is_now = newest, False
    begin = end - length if length else _oldest(spans)
    indices = range(len(spans))
    return Activity(window, spread_over(spans, indices, begin, end, FINE), end, is_now)


def spread_over(
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
    return "".join(_level(each, most) for each in sums)


def _level(count: float, most: float) -> str:
    """A bar; a count that is only a rounding error is blank."""
    if count <= most * 1e-9:
        return " "
    return _LEVELS[min(ceil(count / most * len(_LEVELS)), len(_LEVELS)) - 1]


def _oldest(spans: Spans) -> int:
    return min((begin for begin in spans.begins if begin != UNDATED), default=0)


# The row above the timeline: recent activity, expirations.

WINDOW, REMOVAL = "window", "removal"
"""Reported on a click on the window's name, or on the warning."""

_WORDY = 54
"""The width from which expirations are shown as a whole sentence."""


class ActivityBar(Bar):
    """Bars in the available width, and how many conversations expire soon."""

    DEFAULT_CSS = "ActivityBar { height: 1; }"

    activity: reactive[Activity] = reactive(Activity())
    """The activity."""
    leaving: reactive[int] = reactive(0)
    """How many conversations the agent's own cleanup deletes within a week."""

    def _shown(self) -> list[Shown]:
        """The items from left to right; the bars get the remaining width."""
        width = self.size.width
        window = Shown([(f" {self.activity.window:>3} ", "strong")], WINDOW)
        end = Shown([(f" {self._end()} ", "faint")])
        removal = self._removal(width)
        left = width - _width([window, end, *removal])
        bars = spark(self.activity.counts, left)
        return [window, Shown([(bars, "arrow")]), end, *removal]

    def _end(self) -> str:
        if self.activity.is_now:
            return "now"
        return day_told(self.activity.end, with_weekday=False)

    def _removal(self, width: int) -> list[Shown]:
        """How many expire soon, in as many words as there is room for."""
        if not self.leaving:
            return []
        number, word = self.leaving, "expires" if self.leaving == 1 else "expire"
        told = f" {number} {word}"
        if width >= _WORDY:
            told += " within 7 days"
        return [Shown([(f"{told} ", "fading")], REMOVAL)]


def _width(several: list[Shown]) -> int:
    return sum(width_of(one.pieces) for one in several)
