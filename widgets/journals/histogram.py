"""How much there was of each day: bars, what their heights mean, and when they were."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rich.cells import cell_len
from textual.reactive import reactive

from store.derive.quantiles import quantile
from store.records.tally import Durations, Step
from widgets.calendar.names import MONTHS
from widgets.columns.numbers import brief
from widgets.journals.picture import ROWS, Picture
from widgets.journals.seconds import about, took
from widgets.journals.strokes import breadth, standing
from widgets.journals.windows import Chart, Window
from widgets.lines.pieces import Piece, Pieces

_SCALE = 6
"""Cells before the bars."""

_LABEL = len("│12 Feb ")


class Measured(NamedTuple):
    """What a histogram shows."""

    noun: str = "entry"
    """What one of those is called that are counted."""
    chart: Chart = Chart()
    durations: Durations = Durations()
    """How long those took that are shown."""
    in_time: bool = False
    """Whether it shows how long they took, not how many they were."""


class Histogram(Picture):
    """Bars in five rows; the row above says what they are, the one below when."""

    measured: reactive[Measured] = reactive(Measured())
    """What it shows."""

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
            *(
                [(f"{told:>{_SCALE - 1}} ", "faint"), (bar, "arrow")]
                for told, bar in zip(scale, bars, strict=True)
            ),
            [(" " * _SCALE, ""), (_dates(chart, room), "faint")],
        ]

    def _values(self, chart: Chart) -> list[float]:
        is_long = self.measured.in_time
        return [slot.seconds if is_long else float(slot.number) for slot in chart.slots]

    def _told(self, value: float) -> str:
        """A height of the scale; counts have no halves."""
        if not value:
            return ""
        if self.measured.in_time:
            return about(value)
        return brief(int(value)) if value == int(value) else ""

    def _heading(self, chart: Chart, width: int) -> Iterator[Piece]:
        """What is drawn, of which time, and what that comes to, as far as it fits."""
        noun, unit = self.measured.noun, _unit(chart)
        amount = f"time of {noun}" if self.measured.in_time else noun
        told = f" {amount} per {unit}, {_span(chart)}"
        yield told, "muted"
        left, whole = width - cell_len(told), self.measured.chart
        gap = f"   of {_length(whole)}: " if len(whole.slots) > len(chart.slots) else ""
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
            yield f"median {took(median)}"
            yield f"p90 {took(most)}"
            yield f"total {took(self.measured.durations.total)}"
        else:
            yield f"{self.measured.chart.count} in all"
        if chart.undated:
            yield f"{chart.undated} without a time"


def _unit(chart: Chart) -> str:
    if chart.window.step is Step.HOUR:
        return "hour"
    return "day" if chart.days == 1 else f"{chart.days} days"


def _span(chart: Chart) -> str:
    """Which time it is of; the bars themselves may be fewer than the window has."""
    if not chart.begins:
        return "nothing yet"
    first, last = _date(chart.begins[0]), _date(chart.begins[-1])
    if chart.window is Window.ALL:
        return first if first == last else f"{first} to {last}"
    told = _length(chart)
    return f"last {told}" if chart.is_now else f"{told} to {last}"


def _length(chart: Chart) -> str:
    """How many hours or days it is of."""
    unit = "h" if chart.window.step is Step.HOUR else "d"
    return f"{len(chart.begins) * chart.days} {unit}"


def _dates(chart: Chart, room: int) -> str:
    """When bars were, as many as there is room for."""
    wide = breadth(len(chart.begins), room)
    every = -(-_LABEL // wide)
    told = ""
    for begin in chart.begins[::every]:
        label = f"│{begin[-2:]} h" if "T" in begin else f"│{_date(begin)}"
        told += f"{label[: every * wide]:<{every * wide}}"
    return told


def _date(begin: str) -> str:
    """The day of a beginning."""
    day = begin.partition("T")[0]
    return f"{int(day[8:])} {MONTHS[int(day[5:7]) - 1]}"
