"""Charts: bars to an eighth of a cell, scales, dates, durations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import Durations, Slot
from tests.widgets.one import OneApp
from widgets.bars import arranged
from widgets.charts import (
    Chart,
    Distribution,
    Histogram,
    Measured,
    Window,
    about,
    breadth,
    heights,
    standing,
    took,
)
from widgets.journal import Scale, section_bar
from widgets.sheet import text_of

VALUES = st.lists(st.floats(0, 1e12, allow_nan=False), max_size=60)


@given(VALUES, st.integers(1, 9))
def test_the_greatest_bar_is_full_and_the_smallest_is_visible(
    values: list[float], rows: int
) -> None:
    drawn = heights(values, rows)
    assert all(
        (height > 0) == (value > 0) for height, value in zip(drawn, values, strict=True)
    )
    if any(values):
        assert max(drawn) == rows * 8


@given(VALUES, st.integers(0, 120))
def test_bars_are_no_wider_than_their_room_if_each_has_a_cell(
    values: list[float], room: int
) -> None:
    wide = breadth(len(values), room) * len(values)
    assert {len(row) for row in standing(values, 5, room)} == {wide}
    assert wide <= max(room, len(values))


@pytest.mark.parametrize(
    ("seconds", "told", "short"),
    [
        (0, "0s", "0s"),
        (0.44, "0.4s", "0.4s"),
        (9.96, "10s", "10s"),
        (97, "1m 37s", "1.6m"),
        (585, "9m 45s", "9.8m"),
        (4210, "1h 10m", "1.2h"),
        (15_120, "4h 12m", "4.2h"),
        (300_000, "3d 11h", "3.5d"),
    ],
)
def test_durations_are_written_in_few_cells(
    seconds: float, told: str, short: str
) -> None:
    assert (took(seconds), about(seconds)) == (told, short)


@given(st.floats(0, 3e11))
def test_any_duration_can_be_written(seconds: float) -> None:
    assert took(seconds)[0].isdigit()
    assert about(seconds)[0].isdigit()


@given(st.lists(st.floats(0, 1e7), min_size=2, max_size=2), st.integers(0, 60))
def test_a_bar_is_as_long_as_its_share_of_the_longest(
    seconds: list[float], width: int
) -> None:
    short, long = sorted(seconds)
    drawn = [text_of(Scale(long).duration(one, width)) for one in (short, long)]
    bars = [text.partition(" ")[0] for text in drawn if set("━╸─") & set(text)]
    if bars:
        room = len(bars[0])
        cells = [len(bar.rstrip("─")) for bar in bars]
        assert cells[1] == room
        assert cells[0] == pytest.approx(short / long * room, abs=1)
        assert (cells[0] > 0) == (short > 0)


def measured(*, in_time: bool) -> Measured:
    """Three days, the second of them empty."""
    begins = ("2026-02-12", "2026-02-13", "2026-02-14")
    slots = (Slot(2, 120.0), Slot(), Slot(5, 600.0))
    durations = Durations((30.0, 60.0, 570.0), 660.0)
    chart = Chart(Window.WEEK, begins, slots, undated=1)
    return Measured("tasks", chart, durations, in_time)


async def test_a_histogram_shows_its_values() -> None:
    histogram = Histogram()
    async with OneApp(histogram).run_test(size=(80, 7)):
        histogram.measured = measured(in_time=False)
        rows = [text_of(row).rstrip() for row in histogram.rows(100)]
        assert rows[0] == (
            " tasks per day, last 3 d   median duration 1m 00s · p90 7m 48s"
            " · total 11m 00s · 1 undated"
        )
        assert rows[1] == "    5" + " " * 17 + "███████"
        assert rows[5] == "    1 ███████         ███████"
        assert rows[6].split("│")[1].startswith("12 Feb")

        histogram.measured = measured(in_time=True)
        rows = [text_of(row) for row in histogram.rows(80)]
        assert rows[0].startswith(" duration of tasks per day")
        assert rows[1].startswith("  10m ")


async def test_a_distribution_marks_the_median_and_the_ninetieth_percentile() -> None:
    distribution = Distribution()
    async with OneApp(distribution).run_test(size=(80, 7)):
        assert "No durations" in text_of(distribution.rows(80)[0])
        distribution.durations = Durations((1.0, 60.0, 61.0, 3600.0), 3722.0)
        rows = [text_of(row) for row in distribution.rows(80)]
        assert "4 durations" in rows[0]
        assert rows[6].index("▲p50") < rows[6].index("▲p90") < len(rows[6])
        assert rows[6].split()[0] == "1s"


@given(st.integers(0, 250))
def test_no_width_is_too_small(width: int) -> None:
    histogram, distribution = Histogram(), Distribution()
    histogram.set_reactive(Histogram.measured, measured(in_time=True))
    distribution.set_reactive(Distribution.durations, Durations((1.0, 99.0), 100.0))
    assert len(histogram.rows(width)) == 7
    assert len(distribution.rows(width)) == 7


def test_section_names_are_shortened_before_they_are_dropped() -> None:
    names = ("tasks", "sessions", "claims")
    items = section_bar(names, "sessions", {"tasks": 11, "sessions": 4000, "claims": 0})
    wide = "".join(text_of(one.pieces) for one in arranged(items, 60)).rstrip()
    assert wide == " tasks 11  sessions 4k  claims 0"
    slim = "".join(text_of(one.pieces) for one in arranged(items, 24)).rstrip()
    assert slim == " tas  sessions 4k  cla"
