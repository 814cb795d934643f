"""One of several is chosen, by moving to it, by typing some of it, or by clicking."""

import pytest
from textual.pilot import Pilot

from tests.tui.browser.popups.opened import UNDECIDED, Opener
from tests.widgets.hostile import SIZES, TEXTS, unfit
from tui.browser.popups.menus import saved_menu, sort_menu, themes_menu
from tui.browser.popups.picker import Picker
from tui.browser.popups.rows import Choice
from tui.themes.choice import THEMES
from tui.themes.themes import TEXTUAL_THEMES, palette_of
from widgets.styles.palette import DARK

FRUIT = [
    Choice("a", "apple", "red or green"),
    Choice("b", "banana", "yellow", why_not="There are none left."),
    Choice("c", "cherry", "red", detail="It has a stone."),
]


def a_picker(current: str | None = None) -> Picker[str]:
    return Picker("fruit", FRUIT, DARK, current=current)


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def test_it_shows_what_there_is_to_choose_from() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        rows = app.shown()

        assert rows[2] == "  ╭─ fruit ".ljust(77, "─") + "╮"
        assert rows[3].strip(" │") == "> type to find"
        assert rows[4].strip(" │") == "apple   red or green"
        assert rows[5].strip(" │") == "banana  There are none left."
        assert rows[21].startswith("  ╰")
        assert len([row for row in rows if row]) == 20


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (["enter"], "a"),
        (["down", "tab", "enter"], "c"),
        (["ctrl+n", "ctrl+n", "ctrl+p", "up", "enter"], "a"),
        (["pagedown", "enter"], "c"),
        (["pagedown", "pageup", "enter"], "a"),
        (["shift+tab", "enter"], "a"),
        (["c", "h", "enter"], "c"),
        (["s", "t", "o", "n", "escape"], None),
        (["ctrl+g"], None),
        (["ctrl+c"], None),
    ],
)
async def test_keys_choose_or_close(keys: list[str], value: str | None) -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pressed(pilot, *keys)

    assert app.came_to == value


async def test_what_is_not_possible_says_why_and_is_not_chosen() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pressed(pilot, "down", "enter")
        assert app.came_to is UNDECIDED
        assert app.shown()[20].strip(" │") == "There are none left."

        await pressed(pilot, "down")
        assert app.shown()[20].strip(" │") == "It has a stone."


async def test_the_cursor_begins_at_what_holds_now() -> None:
    app = Opener(a_picker(current="c"))
    async with app.at(80, 24) as pilot:
        await pressed(pilot, "enter")

    assert app.came_to == "c"


async def test_where_nothing_is_like_it_nothing_is_chosen() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pressed(pilot, *"zzzz", "enter")

        assert app.came_to is UNDECIDED
        assert app.shown()[20].strip(" │") == "Nothing goes by that name."


async def test_the_focus_cannot_get_out() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        before = app.focused
        await pressed(pilot, "tab", "shift+tab", "f1")
        await pilot.click(offset=(20, 5))

        assert app.focused is before
        assert len(app.screen_stack) == 2


async def test_a_click_moves_two_choose_and_one_beside_it_closes() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        await pilot.click(offset=(10, 6))
        assert app.came_to is UNDECIDED

        await pilot.click(offset=(10, 6), times=2)
        await pilot.pause()
        assert app.came_to == "c"

    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        await pilot.click(offset=(0, 0))
        await pilot.pause()
        assert app.came_to is None


async def test_small_screens_are_filled_and_large_ones_give_more() -> None:
    app = Opener(a_picker())
    async with app.at(40, 12) as pilot:
        await pilot.pause()
        assert app.shown()[0] == "> type to find"
        assert app.shown()[1] == " apple   red or green"

    app = Opener(a_picker())
    async with app.at(120, 36) as pilot:
        await pilot.pause()
        rows = [row for row in app.shown() if row]
        assert len(rows) == 24
        assert {len(row.strip()) for row in rows} == {76}


@pytest.mark.parametrize("size", SIZES)
async def test_any_size_will_do(size: tuple[int, int]) -> None:
    app = Opener(a_picker())
    async with app.at(*size) as pilot:
        await pressed(pilot, "c", "h", "enter")

    assert app.came_to == "c"


@pytest.mark.parametrize("text", TEXTS)
async def test_nothing_in_a_choice_harms(text: str) -> None:
    choice = Choice(text, text, text, [(text[:2], "")], [(text[:9], "")], text, None)
    app = Opener(Picker(text, [choice], DARK))
    async with app.at(80, 24) as pilot:
        await pilot.pause()

        assert unfit(app.shown()) == set()
        assert max(map(len, app.shown())) <= 80
        await pressed(pilot, "enter")
    assert app.came_to == text


@pytest.mark.parametrize("theme", TEXTUAL_THEMES)
async def test_it_can_be_drawn_in_every_theme_and_in_ascii(theme: str) -> None:
    choices = [
        *themes_menu(THEMES, theme),
        *saved_menu({"stale": "seen>90d"}, {"stale": 3}),
        *sort_menu(["strength", "access_count"], "strength", is_reversed=True),
    ]
    palette = palette_of(theme, is_ascii=True)
    app = Opener(Picker("all sorts", choices, palette), theme)
    async with app.at(80, 24) as pilot:
        await pilot.pause()

        assert "".join(app.shown()).isascii()
        assert app.shown()[2] == "  +- all sorts ".ljust(77, "-") + "+"


def test_menus_mark_what_holds() -> None:
    marked = [
        one.title for one in themes_menu(THEMES, "dark") if "✓" in str(one.before)
    ]
    ordered = sort_menu(["strength", "access_count"], "strength", is_reversed=True)

    assert marked == ["dark"]
    assert [(one.title, str(one.before)[3]) for one in ordered] == [
        ("strength", "▲"),
        ("access count", " "),
    ]


def test_queries_saved_under_two_names_are_offered_once() -> None:
    assert [one.title for one in saved_menu({"a": "x", "b": "x", "c": "y"})] == [
        "a",
        "c",
    ]
