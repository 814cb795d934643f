"""One of several is chosen by moving, typing or clicking."""

import pytest
from textual.events import Click
from textual.pilot import Pilot

from tests.tui.browser.popups.opened import UNDECIDED, Opener
from tests.widgets.hostile import SIZES, TEXTS, unfit
from tui.browser.layout import TEXTUAL_THEMES, palette_of
from tui.browser.menus import saved_menu, sort_menu, themes_menu
from tui.browser.popups.popup import Choice, Picker
from tui.themes import THEMES
from widgets.styles import DARK
from widgets.table import Sorting

FRUIT = [
    Choice("a", "apple", "red or green"),
    Choice("b", "banana", "yellow", why_not="There are none left."),
    Choice("c", "cherry", "red", detail="It has a stone."),
]


def a_picker(current: str | None = None) -> Picker[str]:
    return Picker("fruit", FRUIT, DARK, current=current)


def box(app: Opener) -> list[str]:
    """The lines of the popup."""
    return [row for row in app.shown() if row]


async def pressed(pilot: Pilot[None], *keys: str) -> None:
    await pilot.press(*keys)
    await pilot.pause()


async def test_the_choices_are_shown() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        rows = box(app)

        assert rows[0] == "  ╭─ fruit ".ljust(77, "─") + "╮"
        assert rows[1].strip(" │") == "> type to search"
        assert rows[2].strip(" │") == "apple   red or green"
        assert rows[3].strip(" │") == "banana  There are none left."
        assert rows[-1].startswith("  ╰")
        assert len(rows) == len(FRUIT) + 4, "as high as the choices need"


async def test_many_choices_are_scrolled() -> None:
    many = [Choice(str(number), str(number)) for number in range(100)]
    app = Opener(Picker("numbers", many, DARK))
    async with app.at(80, 24) as pilot:
        await pilot.pause()

        assert len(box(app)) == 20


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


async def test_an_impossible_choice_says_why_and_is_not_chosen() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pressed(pilot, "down", "enter")
        assert app.came_to is UNDECIDED
        assert box(app)[-2].strip(" │") == "There are none left."

        await pressed(pilot, "down")
        assert box(app)[-2].strip(" │") == "It has a stone."


async def test_the_cursor_begins_at_the_current_choice() -> None:
    app = Opener(a_picker(current="c"))
    async with app.at(80, 24) as pilot:
        await pressed(pilot, "enter")

    assert app.came_to == "c"


async def test_without_a_match_nothing_is_chosen() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pressed(pilot, *"zzzz", "enter")

        assert app.came_to is UNDECIDED
        assert box(app)[-2].strip(" │") == "No matches."


async def test_the_focus_stays_in_the_popup() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        before = app.focused
        await pressed(pilot, "tab", "shift+tab", "f1")
        await pilot.click(offset=(20, 11))

        assert app.focused is before
        assert len(app.screen_stack) == 2


async def test_one_click_moves_two_choose_and_one_outside_closes() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        last = next(y for y, row in enumerate(app.shown()) if "cherry" in row)
        await pilot.click(offset=(10, last))
        assert app.came_to is UNDECIDED

        await pilot.click(offset=(10, last), times=2)
        await pilot.pause()
        assert app.came_to == "c"

    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        await pilot.click(offset=(0, 0))
        await pilot.pause()
        assert app.came_to is None


async def test_a_click_on_what_was_there_before_a_resize_is_ignored() -> None:
    app = Opener(a_picker())
    async with app.at(80, 24) as pilot:
        await pilot.pause()
        late = Click(None, 70, 20, 0, 0, 1, shift=False, meta=False, ctrl=False)
        await pilot.resize_terminal(40, 12)
        app.screen.post_message(late)
        await pilot.pause()

        assert app.came_to is UNDECIDED


async def test_small_screens_are_filled_and_large_ones_show_more() -> None:
    app = Opener(a_picker())
    async with app.at(40, 12) as pilot:
        await pilot.pause()
        assert app.shown()[0] == "> type to search"
        assert app.shown()[1] == " apple   red or green"

    app = Opener(a_picker())
    async with app.at(120, 36) as pilot:
        await pilot.pause()
        assert len(box(app)) == len(FRUIT) + 4
        assert {len(row.strip()) for row in box(app)} == {108}

    many = [Choice(str(number), str(number)) for number in range(100)]
    app = Opener(Picker("numbers", many, DARK))
    async with app.at(120, 36) as pilot:
        await pilot.pause()
        assert len(box(app)) == 24


@pytest.mark.parametrize("size", SIZES)
async def test_any_size_works(size: tuple[int, int]) -> None:
    app = Opener(a_picker())
    async with app.at(*size) as pilot:
        await pressed(pilot, "c", "h", "enter")

    assert app.came_to == "c"


@pytest.mark.parametrize("text", TEXTS)
async def test_no_text_of_a_choice_does_harm(text: str) -> None:
    choice = Choice(text, text, text, [(text[:2], "")], [(text[:9], "")], text, None)
    app = Opener(Picker(text, [choice], DARK))
    async with app.at(80, 24) as pilot:
        await pilot.pause()

        assert unfit(app.shown()) == set()
        assert max(map(len, app.shown())) <= 80
        await pressed(pilot, "enter")
    assert app.came_to == text


@pytest.mark.parametrize("theme", TEXTUAL_THEMES)
async def test_a_picker_is_drawn_in_every_theme_and_in_ascii(theme: str) -> None:
    choices = [
        *themes_menu(THEMES, theme),
        *saved_menu({"stale": "seen>90d"}, {"stale": 3}),
        *sort_menu(
            ["strength", "access_count"], Sorting("strength", is_ascending=True)
        ),
    ]
    palette = palette_of(theme, is_ascii=True)
    app = Opener(Picker("all sorts", choices, palette), theme)
    async with app.at(80, 24) as pilot:
        await pilot.pause()

        assert "".join(app.shown()).isascii()
        assert box(app)[0] == "  +- all sorts ".ljust(77, "-") + "+"


def test_menus_mark_the_current_choice() -> None:
    marked = [
        one.title for one in themes_menu(THEMES, "dark") if "✓" in str(one.before)
    ]
    ordered = sort_menu(
        ["strength", "access_count"], Sorting("strength", is_ascending=True)
    )

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
