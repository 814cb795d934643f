"""Title lines: the name of a pane on a rule, which is heavy where the keys go."""

import pytest

from tests.widgets.lines.words import Headed, WordsApp, numbered
from widgets.sheet import PANE, Pieces, Sheet, ruled, text_of
from widgets.styles import PALETTES
from widgets.table import Heading, headed, named

NAME: Pieces = [("Memories", PANE)]
ORDER: Pieces = [("newest first", "sorted")]


def drawn(pieces: Pieces, width: int, *, has_focus: bool = False) -> str:
    return text_of(list(ruled(pieces, width, has_focus=has_focus)))


@pytest.mark.parametrize(
    ("pieces", "width", "line"),
    [
        ([], 5, "─────"),
        ([("  ", ""), ("one", "")], 9, "─ one ───"),
        ([("one", ""), ("   ", ""), ("two", "")], 9, "one ─ two"),
        ([("one", ""), ("  ", ""), ("two", "")], 8, "one  two"),
        ([("one", ""), ("  ", ""), ("  ", ""), ("two", "")], 10, "one ── two"),
        ([("one  two", "")], 8, "one  two"),
    ],
)
def test_blanks_are_drawn_as_a_rule(pieces: Pieces, width: int, line: str) -> None:
    assert drawn(pieces, width) == line
    assert drawn(pieces, width, has_focus=True) == line.replace("─", "━")


@pytest.mark.parametrize("palette", PALETTES.values(), ids=repr)
async def test_the_rule_is_heavy_where_the_keys_go(palette: object) -> None:
    app = WordsApp(numbered(3), Headed(Sheet()))
    async with app.run_test(size=(20, 5)) as pilot:
        app.sheet.palette = palette  # pyright: ignore[reportAttributeAccessIssue]  # one of a list
        assert app.row(0).startswith("words 19 ━━")
        app.set_focus(None)
        await pilot.pause()
        assert app.row(0).startswith("words 19 ──")
        app.sheet.focus()
        await pilot.pause()
        assert app.row(0).startswith("words 19 ━━")


@pytest.mark.parametrize(
    ("most", "key", "line"),
    [
        (25, 0, "  Memories   newest first"),
        (24, 0, "  Memories"),
        (8, 0, "  Memor…"),
        (25, 1, "  Memories   newest first"),
        (24, 1, "  newest first"),
    ],
)
def test_a_name_has_as_many_parts_as_fit(most: int, key: int, line: str) -> None:
    assert text_of(named([NAME, [], ORDER], most, key=key)) == line


def test_headings_make_room_for_the_name() -> None:
    name = named([NAME], 30)
    headings = [
        Heading("typ", "head", 3, 6),
        Heading("title", "head", 7, 30),
        Heading("seen", "head", 31, 36, is_right=True),
    ]
    assert text_of(headed(name, headings)) == "  Memories   title              seen"
    assert text_of(headed((), headings)) == "   typ title                    seen"
