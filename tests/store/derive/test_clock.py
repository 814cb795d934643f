"""Times of the day are parsed as logs write them, and never raise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.derive.statistics import DAY, minute_of


@pytest.mark.parametrize(
    ("time", "minute"),
    [
        ("09:02", 542),
        ("9:02", 542),
        ("21:40:05", 1300),
        ("21:40:05.123", 1300),
        ("1:33 PM", 813),
        ("8:00 p.m.", 1200),
        ("8:00 P. M.", 1200),
        ("12:00 AM", 0),
        ("12:30 pm", 750),
        ("8:00 PM – 9:04 PM (UTC)", 1200),
        ("00:00", 0),
        ("23:59", 1439),
    ],
)
def test_a_time_is_a_minute_of_the_day(time: str, minute: int) -> None:
    assert minute_of(time) == minute


@pytest.mark.parametrize(
    "time", [None, "", "noon", "24:00", "9:60", "13:00 PM", "0:30 am", "9:023", "9h02"]
)
def test_an_invalid_time_has_no_minute(time: str | None) -> None:
    assert minute_of(time) is None


@given(st.integers(0, DAY - 1))
def test_every_minute_is_read_as_it_is_written(minute: int) -> None:
    hour, rest = divmod(minute, 60)
    half = "AM" if hour < 12 else "PM"

    assert minute_of(f"{hour:02}:{rest:02}") == minute
    assert minute_of(f"{hour % 12 or 12}:{rest:02} {half}") == minute


@given(st.text())
def test_any_text_is_a_minute_or_none(text: str) -> None:
    minute = minute_of(text)

    assert minute is None or 0 <= minute < DAY
