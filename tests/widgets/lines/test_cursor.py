"""The cursor keeps to the rows, keeps its record, and is always to be seen."""

import pytest
from textual.geometry import Offset

from tests.widgets.lines.words import HEIGHT, Headed, WordsApp, numbered, words
from widgets.lines import reports
from widgets.lines.rows import Held

MANY = 1_000_000


def steps(app: WordsApp, *names: str) -> None:
    """Let the list do what keys would have it do."""
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
async def test_it_keeps_to_the_rows(names: list[str], position: int) -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        steps(app, *names)
        await pilot.pause()

        assert app.words.cursor == position
        assert app.words.cursor_key == app.words.at_cursor == f"word {position}"
        assert f" word {position}" in app.shown()


async def test_every_move_is_told_and_no_other() -> None:
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
        assert highlighted[-1].control is app.words


async def test_a_list_without_rows_has_its_cursor_nowhere() -> None:
    app = WordsApp(Held[str]())
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        steps(app, "down", "bottom", "page", "up")
        app.words.mark()
        app.words.mark_range()
        app.words.mark_all()
        app.words.choose()
        await pilot.pause()

        assert app.words.cursor_key is None
        assert app.words.at_cursor is None
        assert app.shown() == [""] * HEIGHT
        told = [m for m in app.told if isinstance(m, reports.Highlighted)]
        assert {message.key for message in told} == {None}


async def test_it_stays_with_its_record_when_rows_come_and_go() -> None:
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


async def test_its_record_stays_where_it_is_on_the_screen() -> None:
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


async def test_where_its_record_is_gone_it_keeps_its_place() -> None:
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


async def test_of_a_million_rows_the_last_is_one_step_away() -> None:
    app = WordsApp(Held(range(MANY), key=lambda number: number))  # pyright: ignore[reportArgumentType]  # numbers are never drawn here
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.bottom()
        await pilot.pause()

        assert app.words.cursor == MANY - 1
        assert app.words.first == MANY - HEIGHT


async def test_the_cursor_of_the_terminal_follows() -> None:
    app = WordsApp(numbered(100), Headed())
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.cursor_position == Offset(0, 1)

        app.words.move(3)
        assert app.cursor_position == Offset(0, 4)

        app.words.bottom()
        await pilot.pause()
        assert app.cursor_position == Offset(0, HEIGHT - 1)


async def test_beneath_a_head_every_row_can_be_reached() -> None:
    app = WordsApp(numbered(30), Headed())
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.bottom()
        await pilot.pause()
        assert app.shown()[0].startswith("words")
        assert app.shown()[-1] == " word 29"

        app.words.top()
        await pilot.pause()
        assert app.shown()[:2] == ["words 39", " word 0"]
