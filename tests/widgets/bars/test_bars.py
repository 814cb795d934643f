"""Bars show what fits: everything is shortened first, then the least is dropped."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from widgets.bars import (
    Bar,
    Item,
    Items,
    Key,
    Tab,
    arranged,
    health,
    hints,
    status,
    tab_bar,
)
from widgets.sheet import text_of, width_of
from widgets.styles import ANSI, NONE

TABS = (Tab("1", "Memories", 313), Tab("2", "Edges", 412))
STAGES = {"vault": 10, "active": 107, "fading": 113}
KEYS = (Key("↵", "read"), Key("/", "filter"), Key("space", "mark"), Key("p", "pin"))
ALWAYS = (Key(":", "command"), Key("?", "keys"))


def row(items: Items, width: int) -> str:
    """The text of a bar at a width."""
    pieces = [piece for shown in arranged(items, width) for piece in shown.pieces]
    return text_of(pieces).rstrip()


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (
            80,
            (
                "◆ 10 pinned  ● 107 active  ◐ 113 fading  ✓ 3 marked  ↶ 2 undo "
                " scan 4/9  index ✓"
            ),
        ),
        (60, "◆10  ●107  ◐113  ✓ 3 marked  ↶2  scan 4/9            index ✓"),
        (40, "◆10  ●107  ◐113  ✓ 3  ↶2  scan 4/9"),
        (30, "◆10  ●107  ✓ 3  ↶2  scan 4/9"),
        (14, "✓ 3  scan 4/9"),
        (4, "✓ 3"),
    ],
)
def test_marks_and_the_job_stay_longest_in_the_status(width: int, told: str) -> None:
    assert (
        row(status(STAGES, (3, 0), (2, "undo"), "scan 4/9", "index ✓"), width) == told
    )


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (60, "↵ read  / filter  space mark  p pin     : command  ? keys"),
        (50, "↵ read  / filter  space mark     : command  ? keys"),
        (30, "↵ read       : command  ? keys"),
        (18, ": command  ? keys"),
    ],
)
def test_the_first_keys_and_those_that_show_all_others_stay(
    width: int, told: str
) -> None:
    assert row(hints(KEYS, ALWAYS), width).split() == told.split()


def test_unavailable_keys_are_dimmed() -> None:
    told = hints([Key("p", "pin", is_possible=False), Key("s", "sort")], ())

    assert [item.forms[0] for item in told.left] == [
        [("p", "faint"), (" pin", "faint")],
        [("s", "key"), (" sort", "muted")],
    ]


items = st.builds(
    Item,
    st.lists(
        st.lists(
            st.tuples(st.text(st.sampled_from("ab界 "), max_size=6), st.just("")),
            max_size=2,
        ),
        min_size=1,
        max_size=3,
    ).map(tuple),
    st.integers(0, 3),
    st.booleans(),
)


@given(st.lists(items, max_size=4), st.lists(items, max_size=3), st.integers(0, 40))
def test_any_bar_is_as_wide_as_there_is_room(
    left: list[Item], right: list[Item], width: int
) -> None:
    shown = arranged(Items(tuple(left), tuple(right)), width)

    used = sum(width_of(one.pieces) for one in shown)
    assert used == width or len([one for one in shown if one.pieces]) <= 2


async def test_a_click_reports_the_clicked_item() -> None:
    bar = Bar()
    bar.items = tab_bar(TABS, "1", "cognitive")
    app = OneApp(bar)
    async with app.at(80, 3) as pilot:
        for x in (1, 15, 35, 79):
            await pilot.click(offset=(x, 0))
        await pilot.pause()

        clicked = app.told(Bar.Clicked)
        assert [message.name for message in clicked] == ["1", "2"]
        assert clicked[0].control is bar


async def test_a_bar_is_one_row_in_any_palette() -> None:
    bar = Bar()
    bar.items = hints(KEYS, ALWAYS)
    app = OneApp(bar)
    async with app.at(80, 3):
        bar.palette = ANSI.in_ascii()
        assert app.shown() == [row(hints(KEYS, ALWAYS), 80).replace("↵", "<")]
        bar.palette = NONE
        colours = {s.style.color for s in bar.render_line(0) if s.style}
        assert colours == {None}


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    bar = Bar()
    app = OneApp(bar)
    async with app.at(*size) as pilot:
        for text in TEXTS:
            for told in (
                tab_bar([Tab("1", text, 1), Tab("2", text)], "1", text, (text, text)),
                status({text: 1}, (1, 1), (1, text), text, text),
                hints([Key(text, text)], [Key("?", text)]),
            ):
                bar.items = told
                await pilot.pause()
                strips = [bar.render_line(y) for y in range(bar.size.height)]
                assert_fit(strips, bar.size.width)
                assert not [s for s in strips if "cannot be drawn" in s.text]
    assert cell_len(row(status({}), 9)) == 0


def test_the_health_score_has_its_history_where_there_is_room() -> None:
    days = [("2026-02-27", 50), ("2026-02-28", 0), ("2026-03-01", 100)]

    def bar(width: int, before: list[tuple[str, int]] = days) -> str:
        return row(health({"error": 2, "note": 1}, 3, 100, before), width)

    assert bar(80).endswith("  ▄▁█ 50 on 2026-02-27")
    assert "50 on" not in bar(40)
    assert "█" not in bar(80, days[:1]), "one day is no history"
