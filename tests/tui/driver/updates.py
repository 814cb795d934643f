"""Generated output, as Textual may write it."""

from dataclasses import dataclass

from hypothesis import strategies as st
from rich.cells import cell_len, set_cell_size
from rich.color import ColorSystem
from rich.style import Style
from textual.strip import Strip

WORDS = [
    *("redis", "a", "x y", "  ", " " * 12, "━━╸──", "│", "●◐", "é", "naïve"),
    *(
        "e\u0301",
        "字",
        "漢字",
        "한글",
        "🙂",
        "👩\u200d🚀",
        "☁\ufe0f",
        "👍🏽",
        "🇩🇪",
        "1\ufe0f\u20e3",
    ),
]

COLOURS = st.one_of(
    st.none(),
    st.sampled_from(
        ["default", "red", "bright_blue", "color(123)", "#102030", "#ffffff"]
    ),
)


@dataclass(frozen=True)
class Piece:
    """Some text at a place, like a part of a widget's line."""

    row: int
    column: int
    written: str


def rendered(style: Style, text: str) -> str:
    return Strip.render_style(style, text, ColorSystem.TRUECOLOR)


@st.composite
def styles(draw: st.DrawFn) -> Style:
    attributes = ["bold", "dim", "italic", "underline", "blink", "reverse", "strike"]
    attributes += ["conceal", "underline2", "overline"]
    worn = draw(st.sets(st.sampled_from(attributes), max_size=3))
    colour, ground = draw(COLOURS), draw(COLOURS)
    colours = [colour] if colour else []
    grounds = ["on", ground] if ground else []
    return Style.parse(" ".join([*sorted(worn), *colours, *grounds]))


STYLES = st.one_of(st.just(Style()), st.just(Style.parse("white on #121212")), styles())


@st.composite
def runs(draw: st.DrawFn, width: int) -> str:
    """Styled text of this width."""
    parts: list[str] = []
    while width > 0:
        text = "".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=6)))
        text = set_cell_size(text, min(cell_len(text), width))
        parts.append(rendered(draw(STYLES), text))
        width -= cell_len(text)
    return "".join(parts)


@st.composite
def pieces(draw: st.DrawFn, width: int, height: int) -> Piece:
    column = draw(st.integers(0, width - 1))
    room = draw(st.integers(1, width - column))
    return Piece(draw(st.integers(0, height - 1)), column, draw(runs(room)))


def update(pieces: list[Piece], cursor: tuple[int, int] = (0, 0)) -> str:
    """An update as Textual's compositor writes it: places, pieces, the final cursor."""
    row, column = cursor
    placed = [f"\x1b[{p.row + 1};{p.column + 1}H{p.written}" for p in pieces]
    return "\n".join(placed) + f"\x1b[{row + 1};{column + 1}H"
