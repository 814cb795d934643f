"""The cursor stays within the rows, with its record, and in view."""

import pytest
from textual.geometry import Offset

from tests.widgets.lines.words import HEIGHT, Headed, WordsApp, numbered, words
from widgets import lines as reports
from widgets.rows import Held
from widgets.sheet import Sheet

MANY = 1_000_000


def steps(app: WordsApp, *names: str) -> None:
    """Run the list's actions, as keys would."""
    done = {
        "down": lambda: app.words.move(1),
        "up": lambda: app.words.move(-1),
        "page": lambda: app.words.page(1),
        "back": lambda: app.words.page(-1),
        "half": lambda: app.words.half_page(1),
        "top": app.words.top,
        "bottom": app.words.bottom,
    }
    for name in names:
        done[name]()


@pytest.mark.parametrize(
    ("names", "position"),
    [
        (["up"], 0),
        (["down", "down", "up"], 1),
        (["bottom"], 29),
        (["bottom", "down"], 29),
        (["bottom", "top"], 0),
        (["page"], HEIGHT - 1),
        (["page", "back", "back"], 0),
        (["half"], HEIGHT // 2),
        (["page"] * 9, 29),
    ],
)
async def test_the_cursor_stays_within_the_rows(
    names: list[str], position: int
) -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        steps(app, *names)
        await pilot.pause()

        assert app.words.cursor == position
        assert app.words.cursor_key == app.words.at_cursor == f"word {position}"
        assert f" word {position}" in app.shown()


async def test_every_move_is_reported_and_no_other() -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.told.clear()
        for name in ("up", "down", "down", "bottom", "down", "top"):
            steps(app, name)
            await pilot.pause()

        highlighted = [m for m in app.told if isinstance(m, reports.Highlighted)]
        assert [message.position for message in highlighted] == [1, 2, 29, 0]
        assert highlighted[-1].key == "word 0"
        assert highlighted[-1].control is app.sheet


async def test_an_empty_list_has_no_cursor() -> None:
    app = WordsApp(Held[str]())
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        steps(app, "down", "bottom", "page", "up")
        app.words.marks.toggle()
        app.words.marks.select()
        app.words.marks.toggle_all()
        app.words.choose()
        await pilot.pause()

        assert app.words.cursor_key is None
        assert app.words.at_cursor is None
        assert app.shown() == [""] * HEIGHT
        told = [m for m in app.told if isinstance(m, reports.Highlighted)]
        assert {message.key for message in told} == {None}


async def test_the_cursor_stays_with_its_record_when_rows_change() -> None:
    app = WordsApp(words(*"abcdefgh"))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.to_key("e")

        app.words.set_rows(words(*"xyzbcdeh"))
        await pilot.pause()
        assert (app.words.cursor, app.words.cursor_key) == (6, "e")

        app.words.set_rows(words(*"eh"))
        assert (app.words.cursor, app.words.cursor_key) == (0, "e")

        assert not app.words.to_key("z")
        assert app.words.cursor_key == "e"


async def test_the_record_stays_at_its_place_on_the_screen() -> None:
    app = WordsApp(numbered(100))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.to(50)
        app.words.move(-3)
        await pilot.pause()
        line = app.shown().index(" word 47")

        app.words.set_rows(words("new", "newer", *(f"word {n}" for n in range(100))))
        await pilot.pause()

        assert app.words.cursor == 49
        assert app.shown().index(" word 47") == line


async def test_without_its_record_the_cursor_keeps_its_place() -> None:
    app = WordsApp(words(*"abcdef"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.to(4)
        app.words.set_rows(words(*"abcdxyz"))
        assert (app.words.cursor, app.words.cursor_key) == (4, "x")

        app.words.set_rows(words(*"ab"))
        assert app.words.cursor_key == "b"

        app.words.set_rows(words(*"bcd"), keeps=False)
        assert app.words.cursor_key == "b"
        assert app.words.cursor == 0


async def test_the_last_of_a_million_rows_is_one_step_away() -> None:
    app = WordsApp(Held(range(MANY), key=lambda number: number))  # pyright: ignore[reportArgumentType]  # numbers are never drawn here
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.bottom()
        await pilot.pause()

        assert app.words.cursor == MANY - 1
        assert app.words.first == MANY - HEIGHT


async def test_the_terminal_cursor_follows() -> None:
    app = WordsApp(numbered(100), Headed(Sheet()))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.cursor_position == Offset(0, 1)

        app.words.move(3)
        assert app.cursor_position == Offset(0, 4)

        app.words.bottom()
        await pilot.pause()
        assert app.cursor_position == Offset(0, HEIGHT - 1)


async def test_below_a_header_every_row_can_be_reached() -> None:
    app = WordsApp(numbered(30), Headed(Sheet()))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.bottom()
        await pilot.pause()
        assert app.shown()[0].startswith("words")
        assert app.shown()[-1] == " word 29"

        app.words.top()
        await pilot.pause()
        assert app.shown()[0].rstrip("━") == "words 39 "
        assert app.shown()[1] == " word 0"
