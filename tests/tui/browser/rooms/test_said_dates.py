"""Days are understood as people write them."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.tree import Days
from tui.browser.rooms.days import UNDERSTOOD, meant
from widgets.calendar import spelt

TODAY = date(2026, 2, 20)
"""A Friday."""


def one(year: int, month: int, day: int) -> Days:
    return Days(date(year, month, day), date(year, month, day))


@pytest.mark.parametrize(
    ("typed", "days"),
    [
        ("2026-02-14", one(2026, 2, 14)),
        (" 2026-2-4 ", one(2026, 2, 4)),
        ("today", one(2026, 2, 20)),
        ("Yesterday", one(2026, 2, 19)),
        ("tomorrow", one(2026, 2, 21)),
        ("3d", one(2026, 2, 17)),
        ("3d ago", one(2026, 2, 17)),
        ("2w", one(2026, 2, 6)),
        ("5h", one(2026, 2, 20)),
        ("friday", one(2026, 2, 20)),
        ("last sat", one(2026, 2, 14)),
        ("Thursday", one(2026, 2, 19)),
        ("14 feb", one(2026, 2, 14)),
        ("Feb 14, 2025", one(2025, 2, 14)),
        ("14. february 2024", one(2024, 2, 14)),
        ("24 dec", one(2025, 12, 24)),
        ("2026-02", Days(date(2026, 2, 1), date(2026, 2, 28))),
        ("feb", Days(date(2026, 2, 1), date(2026, 2, 28))),
        ("december", Days(date(2025, 12, 1), date(2025, 12, 31))),
        ("feb 2024", Days(date(2024, 2, 1), date(2024, 2, 29))),
        ("2025", Days(date(2025, 1, 1), date(2025, 12, 31))),
        ("2026-02-01..2026-02-14", Days(date(2026, 2, 1), date(2026, 2, 14))),
    ],
)
def test_days_are_understood(typed: str, days: Days) -> None:
    assert meant(typed, TODAY) == days


@pytest.mark.parametrize(
    "typed",
    ["", "soon", "fr", "30 feb 2026", "feb feb", "14 15 feb", "99999y", "0000-01-01"],
)
def test_text_that_is_not_a_date_is_none(typed: str) -> None:
    assert meant(typed, TODAY) is None


@pytest.mark.parametrize("said", UNDERSTOOD.split(" · "))
def test_every_example_is_understood(said: str) -> None:
    assert meant(said, TODAY) is not None


@given(st.dates())
def test_a_day_is_understood_as_it_is_shown(day: date) -> None:
    shown = spelt(day).partition(" ")[2]

    if day.year > 31:
        assert meant(shown, TODAY) == Days(day, day)
    assert meant(day.isoformat(), TODAY) == Days(day, day)


@given(st.text(), st.dates())
def test_any_text_means_days_or_nothing(typed: str, today: date) -> None:
    days = meant(typed, today)

    assert days is None or days.first <= days.last
