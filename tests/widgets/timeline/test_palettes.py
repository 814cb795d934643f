"""The timeline says the same with any palette, glyphs and titles."""

import time
from collections.abc import Sequence

import pytest

from store.kinds.conversations import Conversation
from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from tests.widgets.timeline.made import a_conversation, at, spans_of
from tests.widgets.timeline.shelf import shelf
from widgets.rows import Held
from widgets.sheet import Sheet
from widgets.styles import PALETTES, Palette
from widgets.timeline import Shown, Timeline
from widgets.timeline_lines import Layout, Scale, in_time


@pytest.fixture(autouse=True)
def _at_greenwich(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()


@pytest.mark.parametrize("palette", PALETTES.values(), ids=repr)
async def test_the_timeline_says_the_same_in_every_palette(palette: Palette) -> None:
    shown = shelf()
    async with shown.app.at(62, 14):
        before = shown.lines()
        shown.timeline.lines.sheet.palette = palette
        assert [line[1:] for line in shown.lines()] == [line[1:] for line in before]


async def test_in_ascii_nothing_moves() -> None:
    shown = shelf()
    async with shown.app.at(62, 14):
        before = shown.lines()
        shown.timeline.lines.sheet.palette = PALETTES["none"].in_ascii()
        after = shown.lines()
        assert all(line.isascii() for line in after)
        assert [len(line) for line in after] == [len(line) for line in before]
        assert after[2].startswith(" 09:00 + Redis")


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    hostile: Sequence[Conversation] = [
        a_conversation(
            ref=str(number),
            title=text,
            project=text,
            branch=text,
            status=text,
            models=(text,),
        )
        for number, text in enumerate(TEXTS)
    ]
    timeline = Timeline(Sheet())
    app = OneApp(timeline.lines.sheet)
    lasted = [
        (at(1, "08:00"), at(1, "08:00") + n * 900_000_000) for n in range(len(TEXTS))
    ]
    several = spans_of(lasted, leaves=[at(9, "08:00")] * len(TEXTS))
    timeline.known.hits = lambda _: [(0, 5)]
    timeline.known.price = lambda _: "$1.00"
    async with app.at(*size) as pilot:
        timeline.lines.set_rows(Held(hostile, key=lambda one: one.ref))
        timeline.show(Shown(Layout(in_time(several), Scale.LOG), several))
        timeline.bring([], {})
        for _ in hostile:
            timeline.lines.move(-1)
            await pilot.pause()
            strips = [timeline.lines.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, timeline.lines.sheet.text_width)
            assert not [s for s in strips if "cannot be drawn" in s.text]
