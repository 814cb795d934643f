"""Pieces: a line before it has colours, as texts and the tones that they are in."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from store.clean import clean
from widgets.styles.brush import Brush

Piece = tuple[str, str]
"""Some text, and the tone or tones that it is in."""

Pieces = Sequence[Piece]

_CHARACTERS_PER_CELL = 10
"""How many characters one cell takes at most: a letter, and marks upon it."""


def strip(pieces: Iterable[Piece], width: int, brush: Brush) -> Strip:
    """A line exactly as wide as asked, whatever the pieces hold.

    What is not fit to show is made so, in case that nobody did; pieces that look alike
    become one, because every change of style costs bytes.
    """
    segments: list[Segment] = []
    left = width
    for text, tones in pieces:
        if left <= 0:
            break
        shown = fitting(text, left)
        left -= cell_len(shown)
        _add(segments, brush.palette.spelt(shown), brush.style(tones))
    _add(segments, " " * left, brush.style(""))
    return Strip(segments, width)


def broken(error: Exception, width: int, brush: Brush) -> Strip:
    """What stands in place of a line that cannot be drawn."""
    told = f"✗ cannot be drawn: {type(error).__name__}"
    return strip([(told, "broken_row")], width, brush)


def fitting(text: str, width: int) -> str:
    """As much of a text as a width holds; a long one costs no more than a short one."""
    shown = text[: width * _CHARACTERS_PER_CELL]
    if not shown.isprintable():
        shown = clean(shown)
    return set_cell_size(shown, width) if cell_len(shown) > width else shown


def width_of(pieces: Iterable[Piece]) -> int:
    """How many cells pieces take."""
    return sum(cell_len(text) for text, _ in pieces)


def text_of(pieces: Iterable[Piece]) -> str:
    """What pieces say."""
    return "".join(text for text, _ in pieces)


def _add(segments: list[Segment], text: str, style: Style) -> None:
    """Append a segment, or lengthen the one before where both look the same."""
    if not text:
        return
    if segments and segments[-1].style == style:
        text = segments.pop().text + text
    segments.append(Segment(text, style))
