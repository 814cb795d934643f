"""Palettes have every tone; nothing depends on colour alone, and nothing blinks."""

import ast
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.color import ColorType
from rich.style import Style

from tests.project import sources
from widgets.styles import (
    ANSI,
    ASCII,
    CONTRAST,
    DARK,
    LIGHT,
    NONE,
    PALETTES,
    TONES,
    Palette,
)

CURSORS = ("", "cursor", "blurred")
MEANT = ("hit", "marked", "error", "cursor", "tab_here", "selected", "link_here")
"""What must be told from plain text even where there are no colours."""


@pytest.mark.parametrize("palette", PALETTES.values(), ids=repr)
def test_every_palette_knows_every_tone(palette: Palette) -> None:
    for tone in TONES:
        for cursor in CURSORS:
            style = palette.style(f"{tone} title", cursor)
            assert isinstance(style, Style)
            assert not style.blink
            assert style.link is None


def test_without_colours_meanings_still_differ() -> None:
    for tone in TONES:
        style = NONE.style(tone)
        assert style.color is style.bgcolor is None
    assert all(NONE.style(tone) != NONE.style("") for tone in MEANT)


def test_with_sixteen_colours_none_is_another_and_black_is_never_text() -> None:
    for tone in TONES:
        style = ANSI.style(tone)
        for colour in (style.color, style.bgcolor):
            assert colour is None or colour.type is ColorType.STANDARD
            assert colour is None or colour.name not in {"black", "bright_black"}


def test_with_few_colours_the_current_row_has_one() -> None:
    for palette in (ANSI, CONTRAST, NONE):
        styles = {palette.style(tone, "cursor").color for tone in TONES}
        assert styles == {None}
        assert palette.style("active", "cursor").reverse
    for palette in (DARK, LIGHT):
        assert palette.style("active", "cursor").color == palette.style("active").color
        assert palette.style("active", "cursor").bgcolor != palette.style("").bgcolor


def test_tones_are_combined() -> None:
    both = DARK.style("code hit")

    assert both.underline
    assert both.color == DARK.style("hit").color
    assert both.bgcolor == DARK.style("code").bgcolor


def test_ascii_moves_no_column() -> None:
    for glyph, spelt in ASCII.items():
        assert cell_len(chr(glyph)) == 1
        assert len(str(spelt)) == 1
        assert str(spelt).isascii()
    assert DARK.in_ascii().spelt("◆ a → b …") == "* a > b ~"
    assert DARK.in_ascii().style("link") == DARK.style("link")
    assert DARK.spelt("◆") == "◆"


def drawn_by(path: Path) -> set[str]:
    """The non-ASCII characters in the strings of a module, except words."""
    nodes = list(ast.walk(ast.parse(path.read_bytes())))
    words = {id(node.value) for node in nodes if isinstance(node, ast.Expr)}
    texts = [n for n in nodes if isinstance(n, ast.Constant) and id(n) not in words]
    return {
        c for n in texts if isinstance(n.value, str) for c in n.value if ord(c) > 127
    }


def test_every_glyph_has_an_ascii_spelling() -> None:
    modules = [path for path in sources("widgets") if path.name != "glyphs.py"]
    drawn = set[str]().union(*map(drawn_by, modules))

    assert "◆" in drawn
    unspelt = {glyph for glyph in drawn if ord(glyph) not in ASCII}
    assert not [glyph for glyph in unspelt if glyph.isprintable()]


def test_stages_differ_in_ascii() -> None:
    assert len(set("◆●◐○·".translate(ASCII))) == 5


def test_signs_differ_in_ascii() -> None:
    for together in ("✗⚠i✓•", "●◇◌↻◎·∅", "⚠⊘✎↺↶✓◆"):
        assert len(set(together.translate(ASCII))) == len(together)
