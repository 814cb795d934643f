"""A line of a graph, drawn: branch, arrow, the record at its end, strength, flaws."""

from widgets.columns.cells import fit, told
from widgets.columns.strengths import fraction
from widgets.columns.strokes import stroke
from widgets.columns.types import code
from widgets.graph.arrow import Arrow, Node
from widgets.graph.ego import GraphLine
from widgets.lines.pieces import Piece, Pieces, width_of

_ARROW = 18
"""Cells that branch and arrow take together, where there is room for them."""

_SHARE = 3
"""They take no more than one in so many of all cells."""

_LEAST = 6

_ROOMY = 24
"""Cells from which on strength and flaws are told."""


def drawn(line: GraphLine, width: int) -> Pieces:
    """The pieces of a line."""
    if line.arrow is None:
        return fit([("◉ ", "center"), *_node(line.node, "title center")], width)
    reach = max(min(_ARROW, width // _SHARE), _LEAST)
    before: list[Piece] = [(line.branch, "stroke"), *_link(line, line.arrow, reach)]
    after = _after(line.arrow) if width >= _ROOMY and not line.more else []
    left = max(width - width_of(before) - width_of(after), 0)
    return [*before, *fit(_end(line), left), *after]


def _link(line: GraphLine, arrow: Arrow, reach: int) -> list[Piece]:
    """The arrow, its end beneath the ends of all others."""
    if line.more:
        return [("  ", "")]
    width = max(reach - len(line.branch), 2)
    drawn = stroke(arrow.kind, arrow.strength, width, comes_in=arrow.comes_in)
    return [*drawn, (" ", "")]


def _end(line: GraphLine) -> Pieces:
    """What the link leads to; or how many more there are."""
    if line.more and line.arrow:
        return [(f"… {line.more} more {told(line.arrow.kind)}", "muted")]
    if line.is_again:
        return [("↺ ", "faint"), *((text, "faint") for text, _ in _node(line.node, ""))]
    return _node(line.node, "title" if line.node.ref else "faint")


def _node(node: Node, tone: str) -> list[Piece]:
    """The type of a record, as far as it is known, and its title."""
    letters, colour = code(node.type)
    known = [(f"{letters} ", colour)] if letters.strip() else []
    return [*known, (told(node.title) or told(node.ref) or "nothing", tone)]


def _after(arrow: Arrow) -> list[Piece]:
    """How strong the link is, and what is to be known of it, always as wide."""
    strength = "" if arrow.strength is None else fraction(arrow.strength)
    return [
        (f" {strength:>3} ", "muted"),
        ("✎" if arrow.has_file else " ", "arrow"),
        ("⚠" if arrow.is_broken else " ", "warning"),
    ]
