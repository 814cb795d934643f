"""The list of edges: from where, what kind of link and how strong, to where."""

from collections.abc import Callable

from store.records.edge import Edge
from widgets.columns.cells import Spans, told, with_hits
from widgets.columns.column import OPEN, Column
from widgets.columns.memories import MEDIUM, SMALL
from widgets.columns.strengths import fraction
from widgets.columns.strokes import stroke
from widgets.columns.table import Table
from widgets.columns.types import code
from widgets.lines.pieces import Pieces

_TINY, _SPACIOUS, _WIDE = 20, 120, 150
"""The widths from which on a pane tells what an edge is, when it was made, and why."""

_IN_A_FILE = "file"


def no_hits(_edge: Edge) -> tuple[Spans, Spans]:
    """Nothing was looked for."""
    return (), ()


class EdgeTable(Table[Edge]):
    """Edges, a row each."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(self._made(), id=id, classes=classes)
        self.hits: Callable[[Edge], tuple[Spans, Spans]] = no_hits
        """Where its two titles hold what was looked for."""

    def _made(self) -> tuple[Column[Edge], ...]:
        """The columns, from left to right."""
        arrow = ((_TINY, 6), (SMALL, 10), (MEDIUM, 16))
        return (
            Column("from_title", "from", self._from, ((0, OPEN),), gap=0),
            Column("type", "type", _arrow, arrow),
            Column("to_title", "to", self._to, ((0, OPEN),)),
            Column("", "why", _why, ((_WIDE, OPEN),), gap=2),
            Column("strength", "str", _strength, ((SMALL, 3),), is_right=True),
            Column("", "", _file, ((SMALL, 1),)),
            Column("", "", _broken, ((SMALL, 1),)),
            Column("created", "created", _created, ((_SPACIOUS, 10),)),
        )

    def _from(self, edge: Edge, _width: int) -> Pieces:
        return _end(edge.from_, edge.from_type, edge.from_title, self.hits(edge)[0])

    def _to(self, edge: Edge, _width: int) -> Pieces:
        return _end(edge.to, edge.to_type, edge.to_title, self.hits(edge)[1])


def _end(ref: str | None, kind: str | None, title: str | None, spans: Spans) -> Pieces:
    """One end; one that leads nowhere is told by what the edge names it by."""
    if ref is None:
        return [("? ", "warning"), *with_hits(title or "nothing", spans, "faint")]
    letters, tone = code(kind)
    known = [(f"{letters} ", tone)] if letters.strip() else []
    return [*known, *with_hits(title or ref, spans, "title")]


def _arrow(edge: Edge, width: int) -> Pieces:
    return stroke(edge.type, edge.strength, width)


def _why(edge: Edge, _width: int) -> Pieces:
    return [(told(edge.context), "muted")]


def _strength(edge: Edge, _width: int) -> Pieces:
    return [] if edge.strength is None else [(fraction(edge.strength), "muted")]


def _file(edge: Edge, _width: int) -> Pieces:
    return [("✎", "arrow")] if _IN_A_FILE in edge.sides else []


def _broken(edge: Edge, _width: int) -> Pieces:
    is_dangling = edge.from_ is None or edge.to is None
    return [("⚠", "warning")] if edge.problems or is_dangling else []


def _created(edge: Edge, _width: int) -> Pieces:
    return [(told(edge.created)[: len("2026-02-14")], "faint")]
