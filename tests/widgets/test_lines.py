"""A list asks for the lines in view and no others, and says where its cursor is."""

from collections.abc import Sequence
from typing import overload

import pytest
from textual.app import App, ComposeResult

from widgets.lines import Line, Lines

HEIGHT = 10
MANY = 1_000_000


class Asked(Sequence[Line]):
    """Lines that are made when they are asked for, and remember which were."""

    def __init__(self, count: int, text: str = "line {}") -> None:
        self.positions: set[int] = set()
        self._count = count
        self._text = text

    def __len__(self) -> int:
        return self._count

    @overload
    def __getitem__(self, position: int) -> Line: ...
    @overload
    def __getitem__(self, position: slice) -> Sequence[Line]: ...
    def __getitem__(self, position: int | slice) -> Line | Sequence[Line]:
        assert isinstance(position, int)
        if not 0 <= position < self._count:
            raise IndexError(position)
        self.positions.add(position)
        return Line(self._text.format(position))


class ListApp(App[None]):
    """Nothing but a list, and what it reported."""

    def __init__(self, count: int, text: str = "line {}") -> None:
        super().__init__()
        self.asked = Asked(count, text)
        self.highlighted: list[int] = []
        self.widths: list[int] = []

    def compose(self) -> ComposeResult:
        yield Lines()

    def on_mount(self) -> None:
        self.list.lines = self.asked
        self.list.focus()

    @property
    def list(self) -> Lines:
        return self.query_one(Lines)

    def on_lines_highlighted(self, event: Lines.Highlighted) -> None:
        self.highlighted.append(event.position)

    def on_lines_laid_out(self, event: Lines.LaidOut) -> None:
        self.widths.append(event.width)

    def row(self, y: int) -> str:
        return self.list.render_line(y).text.rstrip()


@pytest.mark.parametrize(
    ("keys", "position"),
    [
        (["k"], 0),
        (["up", "j"], 1),
        (["j", "down", "k"], 1),
        (["G"], 29),
        (["G", "j"], 29),
        (["end", "k", "k"], 27),
        (["G", "g"], 0),
        (["pagedown"], HEIGHT - 1),
        (["ctrl+d", "ctrl+u", "ctrl+u"], 0),
        (["pagedown"] * 9, 29),
    ],
)
async def test_the_cursor_keeps_to_the_lines(keys: list[str], position: int) -> None:
    app = ListApp(30)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press(*keys)

        assert app.list.cursor == position
        assert app.highlighted[-1] == position


async def test_every_move_is_told_once() -> None:
    app = ListApp(30)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        app.highlighted.clear()

        await pilot.press("k", "j", "j", "G", "j", "g")

        assert app.highlighted == [1, 2, 29, 0]


async def test_a_list_without_lines_has_its_cursor_nowhere() -> None:
    app = ListApp(0)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("j", "G", "pagedown", "k")

        assert app.list.cursor == 0
        assert set(app.highlighted) == {-1}
        assert [app.row(y) for y in range(HEIGHT)] == [""] * HEIGHT


async def test_new_lines_begin_at_their_top() -> None:
    app = ListApp(500)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("G")
        app.list.lines = Asked(3, "other {}")
        await pilot.pause()

        assert (app.list.cursor, app.highlighted[-1]) == (0, 0)
        assert [app.row(y) for y in range(4)] == ["other 0", "other 1", "other 2", ""]


async def test_below_the_last_line_there_is_nothing() -> None:
    app = ListApp(2)
    async with app.run_test(size=(40, HEIGHT)):
        assert [app.row(y) for y in (0, 1, 2, HEIGHT)] == ["line 0", "line 1", "", ""]
        assert app.list.render_line(2).cell_length == app.list.size.width


async def test_the_cursor_is_seen_wherever_it_goes() -> None:
    app = ListApp(500)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.press("G")
        await pilot.pause()
        assert app.row(HEIGHT - 1) == "line 499"

        await pilot.press("g")
        await pilot.pause()
        at_cursor, below = app.list.render_line(0), app.list.render_line(1)

        assert (at_cursor.text.rstrip(), below.text.rstrip()) == ("line 0", "line 1")
        assert [s.style for s in at_cursor] != [s.style for s in below]


async def test_of_a_million_lines_those_in_view_are_asked_for() -> None:
    app = ListApp(MANY)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        assert app.asked.positions <= set(range(HEIGHT))
        assert 0 in app.asked.positions

        app.asked.positions.clear()
        await pilot.press("G")
        await pilot.pause()

        assert MANY - 1 in app.asked.positions
        assert len(app.asked.positions) <= 2 * HEIGHT


@pytest.mark.parametrize("text", ["x" * 300, "界" * 300, "e\u0301" * 300, ""])
async def test_a_line_is_exactly_as_wide_as_the_list(text: str) -> None:
    app = ListApp(3, text)
    async with app.run_test(size=(41, HEIGHT)):
        widths = {app.list.render_line(y).cell_length for y in range(HEIGHT)}

        assert widths == {app.list.size.width}


async def test_another_width_is_told() -> None:
    app = ListApp(500)
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        before = app.widths[-1]
        await pilot.resize_terminal(60, HEIGHT)
        await pilot.pause()

        assert app.widths[-1] == app.list.text_width == before + 20
        assert app.widths[-1] < 60
