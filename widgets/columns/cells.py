"""Cells: what stands in a column, cut to its width where it is longer."""

from collections.abc import Iterable, Sequence

from rich.cells import cell_len, set_cell_size

from store.clean import clean
from widgets.lines.pieces import Piece, Pieces, fitting, width_of

Spans = Sequence[tuple[int, int]]
"""Where in a text something was found, as start and end."""

_CUT = "…"

_LONGEST = 1000
"""Characters that a cell looks at; none is so wide."""


def told(text: str | None) -> str:
    """A field of a record, fit to stand in a cell."""
    return clean(text[:_LONGEST]) if text else ""


def with_hits(text: str, spans: Spans, tone: str) -> list[Piece]:
    """A text of a record, with what was found in it standing out."""
    pieces: list[Piece] = []
    done = 0
    for start, end in spans:
        pieces.append((told(text[done:start]), tone))
        pieces.append((told(text[max(start, done) : end]), f"{tone} hit"))
        done = max(done, end)
    pieces.append((told(text[done : done + _LONGEST]), tone))
    return [piece for piece in pieces if piece[0]]


def fit(pieces: Pieces, width: int, *, is_right: bool = False) -> list[Piece]:
    """Pieces exactly as wide as their column; a cut shows at the end."""
    left = width - width_of(pieces)
    if left < 0:
        return _cut(pieces, width)
    blank = (" " * left, "")
    return [blank, *pieces] if is_right else [*pieces, blank]


def fit_path(text: str, width: int) -> str:
    """A path no longer than a width, cut in the middle: its end tells most."""
    if cell_len(text) <= width:
        return text
    head = max(width - 1, 0) // 3
    tail = max(width - 1 - head, 0)
    kept = text[len(text) - tail :]
    while cell_len(kept) > tail:
        kept = kept[1:]
    return set_cell_size(f"{set_cell_size(text, head)}{_CUT}{kept}", width)


def _cut(pieces: Iterable[Piece], width: int) -> list[Piece]:
    """As much of the pieces as fits before the sign that something is missing."""
    kept: list[Piece] = []
    left = width - 1
    for text, tone in pieces:
        shown = fitting(text, left) if left > 0 else ""
        left -= cell_len(shown)
        if shown:
            kept.append((shown, tone))
        if left <= 0:
            break
    tone = kept[-1][1] if kept else ""
    return [*kept, (_CUT[:width], tone)] if width > 0 else []
