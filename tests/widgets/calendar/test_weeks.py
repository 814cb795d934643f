"""The arithmetic of weeks agrees with the calendar, from the first day to the last."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from widgets.calendar import (
    LAST,
    WEEK,
    first_week,
    labels,
    longest_streak,
    monday,
    moved_by_months,
    ordinal,
    relative,
    row_around,
    spelt,
    told,
    weekday,
)

DAYS = st.integers(1, LAST)
A_DAY = date(2026, 2, 20)


@given(DAYS)
def test_weekdays_are_those_of_the_calendar(day: int) -> None:
    assert weekday(day) == date.fromordinal(day).weekday()
    assert monday(day) <= day < monday(day) + WEEK
    assert weekday(monday(day)) == 0


@given(DAYS, DAYS, DAYS, st.integers(1, 200))
def test_the_selected_day_is_in_view(
    shown: int, day: int, today: int, weeks: int
) -> None:
    first = first_week(monday(shown), weeks, day, today)

    assert weekday(first) == 0
    assert first <= day < first + WEEK * weeks


@given(DAYS, st.integers(1, 200), st.integers(0, 400))
def test_this_week_is_the_last_if_possible(today: int, weeks: int, ago: int) -> None:
    first = first_week(1, weeks, today - ago, today)

    is_near = ago <= weekday(today) + WEEK * (weeks - 1)
    assert (first == monday(today) - WEEK * (weeks - 1)) == is_near


def test_the_view_stays_while_the_day_stays_in_it() -> None:
    today = A_DAY.toordinal()
    first = first_week(0, 10, today - 400, today)

    assert first_week(first, 10, today - 390, today) == first
    assert first_week(first, 10, today - 400 + 7 * 30, today) != first
    assert first + WEEK * 10 > today - 400 + WEEK


@given(DAYS, st.integers(-30, 30))
def test_months_are_reached_one_by_one(day: int, months: int) -> None:
    moved = moved_by_months(day, months)

    assert 1 <= moved <= LAST
    if 1 < moved < LAST:
        at, since = date.fromordinal(moved), date.fromordinal(day)
        assert at.day == 1
        assert (at.year - since.year) * 12 + at.month - since.month == months


def test_months_are_above_the_week_that_they_begin_in() -> None:
    first = monday(date(2025, 12, 3).toordinal())

    found = dict(labels(first, 12))

    assert found == {0: "Dec", 4: "2026", 8: "Feb"}


@given(st.integers(-100, LAST + 100), st.integers(0, 60))
def test_labels_stay_within_the_weeks(first: int, weeks: int) -> None:
    assert all(0 <= column < weeks for column, _ in labels(monday(first), weeks))


@given(DAYS, DAYS, st.integers(1, 300))
def test_a_row_of_days_contains_the_selected_one(
    day: int, today: int, room: int
) -> None:
    row = row_around(day, today, room)

    assert len(row) == room
    assert day in row


@pytest.mark.parametrize(
    ("days", "streak"),
    [([], 0), ([5], 1), ([1, 2, 3, 9, 10], 3), ([10, 9, 1, 3, 2, 11, 12], 4)],
)
def test_the_longest_streak(days: list[int], streak: int) -> None:
    assert longest_streak(days) == streak


@given(st.dates())
def test_a_day_is_read_as_it_is_written(day: date) -> None:
    assert ordinal(day.isoformat()) == day.toordinal()
    assert spelt(day).split()[1:] == [
        str(day.day),
        spelt(day).split()[2],
        f"{day.year:04}",
    ]


@pytest.mark.parametrize(
    "text", ["", "2026-02-30", "2026-02", "someday", "20 Feb 2026", "2026-02-20T01"]
)
def test_an_invalid_day_has_no_number(text: str) -> None:
    assert ordinal(text) is None


def test_days_are_written_in_words() -> None:
    yesterday = A_DAY - timedelta(days=1)

    assert relative(A_DAY, A_DAY) == "today"
    assert told("2026-02-20", A_DAY) == "Fri 20 Feb 2026 · today"
    assert told(yesterday.isoformat(), A_DAY) == "Thu 19 Feb 2026 · yesterday"
    assert told("2026-02-14", A_DAY) == "Sat 14 Feb 2026"
    assert told("Someday soon", A_DAY) == "Someday soon"
    assert told(" ", A_DAY) == "undated"
