"""Links as strokes: the stronger the link, the heavier its line."""

from widgets.columns.cells import told
from widgets.lines.pieces import Piece, fitting, width_of

_STRONG, _WEAK = 0.7, 0.35
OUT, IN = "▶", "◀"


def line(strength: float | None) -> str:
    """The character that a link of some strength is drawn with."""
    if strength is None:
        return "─"
    if strength >= _STRONG:
        return "━"
    return "─" if strength >= _WEAK else "┄"


def tone(strength: float | None) -> str:
    """The tone that goes with it."""
    return "stroke_weak" if strength is not None and strength < _WEAK else "stroke"


def stroke(
    kind: str, strength: float | None, width: int, *, comes_in: bool = False
) -> list[Piece]:
    """A link as an arrow with its type in it, exactly as wide as asked."""
    drawn, pen = line(strength), tone(strength)
    head = IN if comes_in else OUT
    if width <= 1:
        return [(head[:width], "arrow")]
    name = fitting(told(kind), max(width - 2, 0))
    rest = drawn * (width - 2 - width_of([(name, "")]))
    if comes_in:
        return [(head, "arrow"), (drawn, pen), (name, "muted"), (rest, pen)]
    return [(drawn, pen), (name, "muted"), (rest, pen), (head, "arrow")]
