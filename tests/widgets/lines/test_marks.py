"""Marks belong to records: single, a range, all; they survive every filter."""

import pytest
from textual import events

from tests.widgets.lines.words import HEIGHT, WordsApp, numbered, words
from widgets import lines as reports


async def test_marking_a_row_moves_to_the_next() -> None:
    app = WordsApp(words(*"abc"))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.words.marks.toggle()
        app.words.marks.toggle()
        await pilot.pause()

        assert app.words.marks == {"a", "b"}
        assert app.shown()[:3] == ["✓a", "✓b", " c"]
        told = [m.count for m in app.told if isinstance(m, reports.Marked)]
        assert told[-1] == 2

        app.words.top()
        app.words.marks.toggle()
        assert app.words.marks == {"b"}


async def test_marks_survive_a_filter_that_hides_them() -> None:
    app = WordsApp(words(*"abcdef"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.to(3)
        app.words.marks.toggle()

        app.words.set_rows(words(*"abc"))
        assert app.words.marks == {"d"}

        app.words.set_rows(words(*"fed"))
        assert app.shown()[:3] == [" f", " e", "✓d"]


async def test_a_range_follows_the_cursor_until_it_is_ended() -> None:
    app = WordsApp(words(*"abcdef"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.to(1)
        app.words.marks.select()
        app.words.move(3)
        assert app.words.marks == set("bcde")
        app.words.move(-1)
        assert app.words.marks == set("bcd")
        app.words.to(0)
        assert app.words.marks == set("ab")

        app.words.marks.select()
        app.words.move(4)
        assert app.words.marks == set("ab")


async def test_a_range_can_remove_marks() -> None:
    app = WordsApp(words(*"abcdef"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.marks.toggle_all()
        app.words.to(2)
        app.words.marks.select(takes=True)
        app.words.move(1)

        assert app.words.marks == set("abef")


async def test_mark_all_none_and_the_others() -> None:
    app = WordsApp(words(*"abc"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.marks.toggle_all()
        assert app.words.marks == set("abc")
        app.words.marks.toggle_all()
        assert app.words.marks == set()

        app.words.marks.toggle()
        app.words.marks.invert()
        assert app.words.marks == set("bc")

        app.words.marks.replace("a")
        assert app.words.marks == {"a"}


async def test_new_rows_end_a_range() -> None:
    app = WordsApp(words(*"abc"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.marks.select()
        app.words.move(1)
        app.words.set_rows(words(*"xyz"))
        app.words.bottom()

        assert app.words.marks == set("ab")


@pytest.mark.parametrize(("x", "marks"), [(0, {"word 2"}), (5, set[str]())])
async def test_a_click_beside_a_row_marks_it(x: int, marks: set[str]) -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.click(offset=(x, 2))

        assert app.words.cursor == 2
        assert app.words.marks == marks


async def test_a_double_click_opens_a_row() -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.double_click(offset=(5, 4))
        await pilot.pause()

        chosen = [m for m in app.told if isinstance(m, reports.Chosen)]
        assert [(m.key, m.position) for m in chosen] == [("word 4", 4)]


async def test_the_wheel_scrolls_and_leaves_the_cursor() -> None:
    app = WordsApp(numbered(30))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        turn = (app.sheet, 3, 3, 0, 1, 0, False, False, False)
        app.sheet.post_message(events.MouseScrollDown(*turn))
        await pilot.pause()

        assert app.words.first == 3
        assert app.words.cursor == 0

        app.sheet.post_message(events.MouseScrollUp(*turn))
        await pilot.pause()
        assert app.words.first == 0
