"""Copying text out of lines: as it was written, not as it was wrapped."""

from collections.abc import Sequence

from textual.selection import Selection

from widgets.lines.pieces import Piece
from widgets.reader.runs import BREAK, TextLine

_TO_THE_END = -1
"""How Textual says that a span has no end."""


def copied(lines: Sequence[TextLine], selection: Selection) -> str:
    """The selected text of lines: wrapped ones joined, the indent of code left out."""
    parts: list[str] = []
    for number, line in enumerate(lines):
        span = selection.get_span(number)
        if span is None:
            continue
        start, end = span
        last = None if end == _TO_THE_END else end
        parts.append(line.text[max(start, line.margin) : last].rstrip())
        parts.append(line.joint)
    return "".join(parts[:-1]).rstrip(BREAK)


def selected(pieces: Sequence[Piece], span: tuple[int, int] | None) -> Sequence[Piece]:
    """Pieces, those characters of them that are selected in the tone of that."""
    if span is None:
        return pieces
    start, end = span
    shown: list[Piece] = []
    at = 0
    for text, tone in pieces:
        first = min(max(start - at, 0), len(text))
        last = len(text) if end == _TO_THE_END else min(max(end - at, first), len(text))
        shown += [
            (text[:first], tone),
            (text[first:last], f"{tone} selected".strip()),
            (text[last:], tone),
        ]
        at += len(text)
    return [piece for piece in shown if piece[0]]
