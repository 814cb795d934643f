"""Days, times of day, and durations, in words."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import UNDATED
from tests.widgets.timeline.made import DAY, HOUR, MINUTE, at
from widgets.timeline_lines import NO_DAY, clock, date_told, day_of, day_told, lasting


@pytest.fixture(autouse=True)
def _in_vienna(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Europe/Vienna")
    time.tzset()


def test_days_use_the_local_time_zone() -> None:
    late = at(14, "23:30")

    assert clock(late) == "00:30"
    assert day_told(late) == "Sun 15 Mar 2026"
    assert day_told(late, with_weekday=False) == "15 Mar 2026"
    assert date_told(late) == "2026-03-15"


def test_a_day_may_be_shorter_than_others() -> None:
    day = day_of(at(29, "12:00"))

    assert day.end - day.begin == 23 * HOUR


def test_a_missing_time_has_no_day() -> None:
    assert day_of(UNDATED) == NO_DAY
    assert (clock(UNDATED), date_told(UNDATED)) == ("", "")
    assert day_told(UNDATED) == "no date"


@pytest.mark.parametrize(
    ("micros", "told"),
    [
        (0, "0m"),
        (35 * MINUTE, "35m"),
        (75 * MINUTE, "1h 15m"),
        (24 * HOUR - 1, "1d 0h"),
        (3 * DAY + 4 * HOUR, "3d 4h"),
        (-HOUR, "0m"),
    ],
)
def test_spans_are_written_in_two_units(micros: int, told: str) -> None:
    assert lasting(micros) == told


@given(st.integers(-(2**62), 2**62))
def test_every_instant_is_in_its_day(instant: int) -> None:
    day = day_of(instant)

    assert day.begin <= instant < day.end
    assert day_of(day.begin) == day
    assert day_told(instant)
