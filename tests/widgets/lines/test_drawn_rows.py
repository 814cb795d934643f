"""Rows are drawn as wide as the list, safe to show, and no more often than needed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual.geometry import Region

from tests.widgets.hostile import SIZES, TEXTS, assert_fit
from tests.widgets.lines.words import HEIGHT, Headed, Words, WordsApp, numbered, words
from widgets.sheet import Piece, Pieces, Sheet, strip, text_of, width_of
from widgets.styles import ANSI, DARK, NONE, Brush

pieces = st.lists(
    st.tuples(
        st.text(st.characters(codec=None), max_size=8),
        st.sampled_from(["", "title", "code", "hit strong"]),
    ),
    max_size=8,
)


class Watched(Sheet):
    """A sheet that records which regions it repainted."""

    painted: list[Region]

    def refresh(
        self,
        *regions: Region,
        repaint: bool = True,
        layout: bool = False,
        recompose: bool = False,
    ) -> "Watched":
        self.painted = [*getattr(self, "painted", []), *regions]
        super().refresh(*regions, repaint=repaint, layout=layout, recompose=recompose)
        return self


class Broken(Words):
    """A list that cannot draw one of its rows."""

    def draw(self, record: str, width: int) -> Pieces:
        if record == "word 2":
            raise ZeroDivisionError(record)
        return super().draw(record, width)


@given(pieces, st.integers(0, 40))
def test_a_strip_is_as_wide_as_requested(drawn: list[Piece], width: int) -> None:
    assert_fit([strip(drawn, width, Brush(DARK, Style()))], width)


def test_adjacent_pieces_of_the_same_style_are_joined() -> None:
    drawn = strip([("a", "link"), ("b", "link"), ("c", "")], 10, Brush(DARK, Style()))

    assert [segment.text for segment in drawn] == ["ab", "c       "]
    assert text_of([("a", "link"), ("界", "")]) == "a界"
    assert width_of([("a", "link"), ("界", "")]) == 3


@pytest.mark.parametrize("size", SIZES)
async def test_nothing_hostile_gets_through(size: tuple[int, int]) -> None:
    app = WordsApp(words(*TEXTS), Headed(Sheet()))
    async with app.run_test(size=size) as pilot:
        for _ in TEXTS:
            app.words.marks.toggle()
            await pilot.pause()
            strips = [app.sheet.render_line(y) for y in range(size[1])]
            assert_fit(strips, app.sheet.text_width)


async def test_a_row_that_cannot_be_drawn_harms_no_other() -> None:
    app = WordsApp(numbered(4), Broken(Sheet()))
    async with app.run_test(size=(50, HEIGHT)):
        told = "✗ cannot be drawn: ZeroDivisionError"
        assert app.shown()[:4] == [" word 0", " word 1", told, " word 3"]
        red = next(iter(app.sheet.render_line(2))).style
        assert red is not None
        assert red.reverse


async def test_a_move_repaints_two_rows() -> None:
    watched = Watched()
    app = WordsApp(numbered(30), Words(watched))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        watched.painted.clear()
        app.words.move(1)
        assert watched.painted == [Region(0, 0, 40, 2)]

        await pilot.pause()
        watched.painted.clear()
        app.words.move(4)
        assert watched.painted == [Region(0, 1, 40, 1), Region(0, 5, 40, 1)]


async def test_new_rows_repaint_only_what_differs() -> None:
    watched = Watched()
    app = WordsApp(words(*"abcdef"), Words(watched))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        await pilot.pause()
        watched.painted.clear()
        app.words.set_rows(words(*"abCDeF"))

        assert watched.painted == [Region(0, 2, 40, 2), Region(0, 5, 40, 1)]

        await pilot.pause()
        watched.painted.clear()
        app.words.set_rows(words(*"abCDeF"))
        assert watched.painted == []


async def test_the_current_row_is_visible_without_colours() -> None:
    app = WordsApp(words(*"abc"))
    async with app.run_test(size=(40, HEIGHT)) as pilot:
        app.use(NONE)
        app.words.marks.toggle()
        await pilot.pause()
        styles = [[s.style for s in app.sheet.render_line(y)] for y in range(3)]
        assert {style.color for row in styles for style in row if style} == {None}
        assert [any(s and s.reverse for s in row) for row in styles] == [0, 1, 0]

        app.set_focus(None)
        await pilot.pause()
        assert app.shown()[:3] == ["✓a", "▌b", " c"]
        assert not any(s.style and s.style.reverse for s in app.sheet.render_line(1))


async def test_in_ascii_no_glyph_is_left() -> None:
    app = WordsApp(words("a → b", "c ● d"))
    async with app.run_test(size=(40, HEIGHT)):
        app.words.marks.toggle_all()
        app.use(ANSI.in_ascii())

        assert app.shown()[:2] == ["va > b", "vc O d"]
