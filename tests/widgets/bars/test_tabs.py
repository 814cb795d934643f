"""The tabs stay in their places, and can be read at 80 columns."""

import pytest
from msgspec.structs import replace

from widgets.bars import Items, Tab, arranged, tab_bar
from widgets.sheet import text_of

TABS = (
    Tab("1", "Memories", 226),
    Tab("2", "Edges", 188),
    Tab("3", "Episodes", 109),
    Tab("4", "Timeline", 0),
    Tab("5", "Journals", 22),
    Tab("6", "Health", 20, is_problem=True),
    Tab("7", "Documents", 145, "Docs", is_second=True),
    Tab("8", "Messages", 218, is_second=True),
)
ACCESS = ("read-only", "RO")


def row(items: Items, width: int) -> str:
    """What the bar shows in a width."""
    pieces = [piece for shown in arranged(items, width) for piece in shown.pieces]
    return text_of(pieces)


def bar(here: str = "1", store: str = "homelab", tabs: tuple[Tab, ...] = TABS) -> Items:
    """The tabs, with one of them current."""
    return tab_bar(tabs, here, store, ACCESS)


@pytest.mark.parametrize(
    ("width", "told"),
    [
        (
            160,
            (
                " ◈ homelab  1 Memories 226   2 Edges 188   3 Episodes 109   4 "
                "Timeline 0     5 Journals 22    6 Health 20    7 Documents 145   "
                "8 Messages 218          read-only"
            ),
        ),
        (
            120,
            (
                "1 Memories 226 2 Edges 188 3 Episodes 109 4 Timeline 0   5 Journals "
                "22  6 Health 20  7 Docs 145 8 Messages 218 read-only"
            ),
        ),
        (
            100,
            (
                "1 Memories 2 Edges 3 Episodes 4 Timeline 5 Journals 6 Health 20 "
                "7 Documents 8 Messages     read-only"
            ),
        ),
        (
            80,
            (
                "1 Memories 2 Edges 3 Episodes 4 Timeline 5 Journals 6 Health 20 7 8 "
                "   read-only"
            ),
        ),
        (64, "1 Memories 2 Edges 3 Episodes 4 Timeline 5 Journals 6 Health 20"),
        (40, "1 Mem 2 Edg 3 Epi 4 Tim 5 Jou 6 Hea 20"),
        (20, "1 2 3 4 5 6       RO"),
    ],
)
def test_a_narrow_bar_has_fewer_counts_then_fewer_tabs(width: int, told: str) -> None:
    assert row(bar(), width).rstrip() == told


@pytest.mark.parametrize("width", [20, 40, 64, 80, 100, 120, 160, 200])
def test_tabs_stay_where_they_are_whichever_is_current(width: int) -> None:
    shown = {row(bar(tab.key), width)[: width - 13] for tab in TABS[:6]}

    assert len(shown) == 1


@pytest.mark.parametrize("width", [80, 100, 120, 160])
def test_counts_do_not_move_them(width: int) -> None:
    empty = tuple(replace(tab, amount=0) for tab in TABS)
    many = tuple(replace(tab, amount=98_765) for tab in TABS[:5]) + TABS[5:]

    first, second = (row(bar(tabs=tabs), width) for tabs in (empty, many))

    assert [first.find(tab.title) for tab in TABS] == [
        second.find(tab.title) for tab in TABS
    ]


def test_a_tab_of_the_second_rank_has_its_title_while_it_is_current() -> None:
    assert "Docs" not in row(bar("1"), 80)
    assert row(bar("7"), 80).endswith("6 Health 20 7 Docs 8      RO")
    assert row(bar("8"), 80).endswith("6 Health 20 7 8 Messages  RO")
