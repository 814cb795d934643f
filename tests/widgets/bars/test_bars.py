"""Bars tell what there is room for: all become short first, then the least goes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.one import OneApp
from widgets.bars.bar import Bar
from widgets.bars.hints import Key, hints
from widgets.bars.items import Item, Items, arranged
from widgets.bars.status import status
from widgets.bars.tabs import Tab, tab_bar
from widgets.lines.pieces import text_of, width_of
from widgets.styles.palette import ANSI, NONE

TABS = (
    Tab("1", "Memories", 313),
    Tab("2", "Edges", 412),
    Tab("3", "Episodes", 0),
    Tab("4", "Health", 7, flaws=3),
)
STAGES = {"vault": 10, "active": 107, "fading": 113}
KEYS = (Key("↵", "read"), Key("/", "filter"), Key("space", "mark"), Key("p", "pin"))
ALWAYS = (Key(":", "command"), Key("?", "keys"))


def row(items: Items, width: int) -> str:
    """What a bar tells in a width."""
    pieces = [piece for shown in arranged(items, width) for piece in shown.pieces]
    return text_of(pieces).rstrip()


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (
            82,
            (
                " ◈ cognitive ~/.cog  1 Memories 313  2 Edges 412  3 Episodes 0 "
                " 4 Health 7 ⚠3  RW"
            ),
        ),
        (
            75,
            (
                " ◈ cognitive ~/.cog  1 Memories 313  2 Edges 412  3 Epi "
                "4 Health 7 ⚠3   RW"
            ),
        ),
        (58, " ◈  1 Memories 313  2 Edges 412  3 Epi 4 Health 7 ⚠3   RW"),
        (55, " ◈  1 Memories 313  2 Edges 3 Episodes 4 Health ⚠3  RW"),
        (50, " ◈  1 Memories 313  2 Edg 3 Epi 4 Hea⚠         RW"),
        (34, " ◈  1 Memories 313  2  3  4    RW"),
        (20, " ◈  1 Memories 313"),
    ],
)
def test_tabs_become_short_but_for_the_one_that_is_shown(width: int, told: str) -> None:
    assert row(tab_bar(TABS, "1", "cognitive", "~/.cog", "RW"), width) == told


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (
            76,
            (
                "◆10 vault  ●107 active  ◐113 fading  ✓ 3 marked  ↶ 2 undo "
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
def test_of_the_status_marks_and_the_job_stay_longest(width: int, told: str) -> None:
    assert row(status(STAGES, 3, 2, "scan 4/9", "index ✓"), width) == told


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (60, "↵ read  / filter  space mark  p pin     : command  ? keys"),
        (50, "↵ read  / filter  space mark     : command  ? keys"),
        (30, "↵ read       : command  ? keys"),
        (18, ": command  ? keys"),
    ],
)
def test_the_first_keys_and_those_that_lead_to_all_others_stay(
    width: int, told: str
) -> None:
    assert row(hints(KEYS, ALWAYS), width).split() == told.split()


def test_keys_that_could_do_nothing_now_are_dim() -> None:
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


async def test_a_click_reports_what_was_clicked() -> None:
    bar = Bar()
    bar.items = tab_bar(TABS, "1", "cognitive")
    app = OneApp(bar)
    async with app.at(80, 3) as pilot:
        for x in (1, 15, 32, 79):
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
                tab_bar([Tab("1", text, 1), Tab("2", text)], "1", text, text, text),
                status({text: 1}, 1, 1, text, text),
                hints([Key(text, text)], [Key("?", text)]),
            ):
                bar.items = told
                await pilot.pause()
                strips = [bar.render_line(y) for y in range(bar.size.height)]
                assert_fit(strips, bar.size.width)
                assert not [s for s in strips if "cannot be drawn" in s.text]
    assert cell_len(row(status({}), 9)) == 0
