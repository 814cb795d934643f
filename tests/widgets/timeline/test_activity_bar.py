"""The row above the timeline: activity, status, expiry."""

import time

import pytest
from textual.geometry import Offset

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.timeline.made import at
from widgets.bars import Bar
from widgets.charts import REMOVAL, WINDOW, Activity, ActivityBar, Recent


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


def bar(*, is_now: bool = True, leaving: int = 4) -> tuple[ActivityBar, OneApp]:
    made = ActivityBar()
    made.activity = Activity(Recent.WEEK, [0, 1, 0, 2], at(3, "12:00"), is_now)
    made.leaving = leaving
    return made, OneApp(made)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (60, "  7d        ▄▄▄▄▄▄       ██████ now  4 expire within 7 days"),
        (44, "  7d       ▄▄▄▄▄▄      ██████ now  4 expire"),
        (8, "  7d  no"),
    ],
)
async def test_the_bar_shows_as_much_as_there_is_room_for(
    width: int, told: str
) -> None:
    _, app = bar()
    async with app.at(width, 1):
        assert app.shown() == [told]


async def test_old_activity_has_its_date() -> None:
    made, app = bar(is_now=False, leaving=0)
    async with app.at(60, 1):
        assert " 3 Mar 2026" in app.shown()[0]
        assert "expire" not in app.shown()[0]
        made.leaving = 1
        assert app.shown()[0].endswith("1 expires within 7 days")


async def test_a_click_is_reported() -> None:
    _, app = bar()
    async with app.at(100, 1) as pilot:
        line = app.shown()[0]
        for word in (" 7d", "4 exp"):
            await pilot.click(offset=Offset(line.index(word) + 1, 0))
        assert [told.name for told in app.told(Bar.Clicked)] == [
            WINDOW,
            REMOVAL,
        ]


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    made, app = bar()
    async with app.at(*size):
        for text in TEXTS:
            made.activity = Activity(Recent.WEEK, [0, len(text)], 0, is_now=False)
            assert_fit([made.render_line(0)], size[0])
