"""Windows of the past: their parts, and that nothing is lost in them."""

from collections.abc import Mapping
from datetime import date, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import Slot, Tally
from widgets.charts import Chart, Window, chart_of, since, until
from widgets.sheet import following

NOW = int(datetime(2026, 3, 1, 12).timestamp()) * 1_000_000  # noqa: DTZ001  # by the clock here

SLOTS = st.dictionaries(
    st.dates().map(date.isoformat),
    st.builds(Slot, st.integers(1, 9), st.integers(0, 9).map(float)),
)


def tally(slots: Mapping[str, int]) -> Tally:
    """A number for each day."""
    return Tally({day: Slot(number, float(number)) for day, number in slots.items()})


def test_a_window_ends_now_and_has_a_part_for_each_day() -> None:
    chart = chart_of(tally({"2026-02-27": 3, "2025-01-01": 9}), Window.WEEK, NOW)
    assert chart.begins[0] == "2026-02-23"
    assert chart.begins[-1] == "2026-03-01"
    assert [slot.number for slot in chart.slots] == [0, 0, 0, 0, 3, 0, 0]
    assert chart.is_now


def test_an_empty_window_ends_at_the_newest_instead() -> None:
    chart = chart_of(tally({"2025-01-01": 9}), Window.WEEK, NOW)
    assert (chart.begins[0], chart.begins[-1]) == ("2024-12-26", "2025-01-01")
    assert (chart.count, chart.is_now) == (9, False)


def test_a_day_has_its_hours() -> None:
    chart = chart_of(Tally({"2026-03-01T09": Slot(2, 60.0)}), Window.DAY, NOW)
    assert len(chart.begins) == 24
    assert chart.slots[chart.begins.index("2026-03-01T09")] == Slot(2, 60.0)
    begin, end = since(chart), until(chart)
    assert begin is not None
    assert end is not None
    assert end - begin == timedelta(days=1)


def test_a_window_of_nothing_is_empty() -> None:
    for window in Window:
        assert chart_of(Tally(), window, NOW).count == 0
    assert since(chart_of(Tally(), Window.ALL, NOW)) is None


@given(SLOTS, st.integers(1, 200))
def test_the_whole_past_has_everything_however_narrow_it_is(
    slots: dict[str, Slot], parts: int
) -> None:
    chart = chart_of(Tally(slots), Window.ALL, NOW)
    narrow = chart.narrowed(parts)
    total = sum(slot.number for slot in slots.values())
    assert chart.count == narrow.count == total
    assert len(narrow.slots) == len(narrow.begins) <= parts


@given(SLOTS, st.sampled_from(list(Window)), st.integers(1, 200))
def test_any_other_window_keeps_the_newest(
    slots: dict[str, Slot], window: Window, parts: int
) -> None:
    chart = chart_of(Tally(slots), window, NOW)
    narrow = chart.narrowed(parts)
    assert len(narrow.slots) <= max(parts, 0)
    if window is not Window.ALL:
        assert list(narrow.begins) == list(chart.begins)[-len(narrow.begins) :]


def test_windows_cycle() -> None:
    window, seen = Window.QUARTER, list[Window]()
    for _ in Window:
        seen.append(window)
        window = following(window)
    assert window is Window.QUARTER
    assert set(seen) == set(Window)


def test_impossible_dates_are_left_out() -> None:
    chart = chart_of(tally({"-4712-01-01": 1, "2026-02-27": 2}), Window.ALL, NOW)
    assert chart.count == 2
    assert Chart().narrowed(5) == Chart()
