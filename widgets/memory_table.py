"""Tables of memories and edges."""

import math
from collections.abc import Callable
from itertools import pairwise

from msgspec.structs import replace

from store.clean import clean
from store.derive.memories import STAGES
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from widgets.sheet import Piece, Pieces, Sheet, fitting, width_of
from widgets.table import (
    AGE,
    OPEN,
    Column,
    Spans,
    Table,
    age,
    brief,
    told,
    toned,
    with_hits,
)

# Links as strokes: the stronger the link, the heavier the line.

_STRONG, _WEAK = 0.7, 0.35
OUT, IN = "▶", "◀"


def line(strength: float | None) -> str:
    """The line character for a strength."""
    if strength is None:
        return "─"
    if strength >= _STRONG:
        return "━"
    return "─" if strength >= _WEAK else "┄"


def tone(strength: float | None) -> str:
    """The tone for a strength."""
    return "stroke_weak" if strength is not None and strength < _WEAK else "stroke"


def stroke(
    kind: str, strength: float | None, width: int, *, comes_in: bool = False
) -> list[Piece]:
    """A link as an arrow with its type in it, exactly this wide."""
    drawn, pen = line(strength), tone(strength)
    head = IN if comes_in else OUT
    if width <= 1:
        return [(head[:width], "arrow")]
    name = fitting(told(kind), max(width - 2, 0))
    rest = drawn * (width - 2 - width_of([(name, "")]))
    if comes_in:
        return [(head, "arrow"), (drawn, pen), (name, "muted"), (rest, pen)]
    return [(drawn, pen), (name, "muted"), (rest, pen), (head, "arrow")]


# Strength as a bar with fixed thresholds, so that stages are visible.
#
#    strength  0  .05  .2   .5   1    2    4
#      filled  0  1/8  3/8  5/8  6/8  7/8  1
#
# Strength has no upper bound, because use increases it. From the threshold of active
# memories on, each eighth doubles the strength.

_PLACES = (1 / 8, 3 / 8, 5 / 8)
_SCALE = ((0.0, 0.0), *zip((f for _, f in reversed(STAGES)), _PLACES, strict=True))
_EIGHTH = 1 / 8
_FULL, _HALF, _REST = "━", "╸", "─"


def share(strength: float) -> float:
    """The filled share of the bar for a strength, 0…1."""
    if not strength > 0:
        return 0.0
    for (low, start), (high, end) in pairwise(_SCALE):
        if strength < high:
            return start + (end - start) * (strength - low) / (high - low)
    top, place = _SCALE[-1]
    return min(place + _EIGHTH * math.log2(strength / top), 1.0)


def bar(filled: float, width: int, tone: str) -> list[Piece]:
    """A bar with a filled share, with a resolution of half a cell."""
    halves = round(max(0.0, min(filled, 1.0)) * width * 2)
    full = _FULL * (halves // 2) + _HALF * (halves % 2)
    return [(full, tone), (_REST * (width - len(full)), "faint")]


def figure(strength: float) -> str:
    """A strength in at most five characters."""
    for digits, bound in ((2, 100.0), (0, 10_000.0)):
        if strength < bound:
            return f"{strength:.{digits}f}"
    return f"{strength:.0e}".replace("e+0", "e").replace("e+", "e")


def fraction(value: float) -> str:
    """A number from 0 to 1 with two digits: `0.85`, `1.00`."""
    return f"{value:.2f}" if 0 <= value <= 1 else "?"


# Types of memories as three-letter codes, and stages as glyphs.

_CODES = {
    "solution": "SOL",
    "fix": "FIX",
    "decision": "DEC",
    "configuration": "CFG",
    "problem": "PRB",
    "workflow": "WFL",
    "code_pattern": "PAT",
    "error": "ERR",
    "general": "GEN",
    "procedure": "PRC",
    "insight": "INS",
}

TYPES = tuple(_CODES)
"""The types that have a code of their own."""

_SHORT_TYPES = {"configuration": "config", "code_pattern": "pattern"}
"""Words for types whose names are long."""

_OTHERWISE = {"error": "error_type"}
"""Types whose tone has another name, because theirs is taken."""

GLYPHS = {"vault": "◆", "active": "●", "fading": "◐", "dormant": "○", "archived": "·"}
"""The glyph of each stage."""

STAGE_WORDS = {"vault": "pinned"}
"""Stages that are shown by another name than in queries."""

_LETTERS = 3

PALE = {"dormant", "archived"}
"""Stages whose titles are dimmed."""


def code(kind: str | None) -> Piece:
    """The code of a type; the first letters of an unknown one."""
    if kind is None:
        return " " * _LETTERS, ""
    known = _CODES.get(kind)
    if known:
        return known, _OTHERWISE.get(kind, kind)
    letters = clean(kind[:_LETTERS].upper())
    return letters[:_LETTERS].ljust(_LETTERS), "general"


def word(kind: str | None) -> Piece:
    """A type as a word that fits its column."""
    text = told(_SHORT_TYPES.get(kind or "", kind)).replace("_", " ")
    return text, code(kind)[1]


def glyph(stage: str | None) -> Piece:
    """The glyph of a stage; blank if the memory does not decay."""
    known = GLYPHS.get(stage or "")
    return (known, stage or "") if known else (" ", "")


# The list of memories: stage, type, title, links, importance, strength, last seen.

SMALL, MEDIUM, LARGE, HUGE = 34, 54, 96, 112
_ROOMY = 70
"""The widths from which a pane shows more."""

STRENGTH, IMPORTANCE, USES = "strength", "importance", "uses"
"""Fields that not every format has."""

_SEEN = 4
"""Cells of an age."""

_DATED = {"updated", "created", "modified"}
"""The times by which a list can be sorted, besides when a memory was seen."""

_SHORT = {"medium": "med"}
"""Words of importance that are cut."""


def no_hits(_memory: Memory) -> Spans:
    """No search, so no hits."""
    return ()


class MemoryTable(Table[Memory]):
    """Memories, one row each."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet, self._made())
        self.now = 0
        """The time for relative ages, in microseconds since 1970."""
        self.hits: Callable[[Memory], Spans] = no_hits
        """Finds the hits in a memory's title.

        Called for each row that comes into view; set it before the rows.
        """

    def be_at(self, now: int) -> None:
        """Set the time for relative ages."""
        if now != self.now:
            self.now = now
            self.renew()

    def resized(self) -> None:
        """Spell types out if the terminal has room."""
        is_wide = self.lines.sheet.screen.size.width >= SPELLED
        shown, other = (_SPELLED, _CODED) if is_wide else (_CODED, _SPELLED)
        if other in self._all_columns:
            self._all_columns, self.columns = (
                tuple(shown if one is other else one for one in columns)
                for columns in (self._all_columns, self.columns)
            )
            self.renew()

    def renew(self) -> None:
        """Show the age by the time that orders the list, else by when it was seen."""
        name = self.sorting.name if self.sorting else ""
        title = AGE if name in _DATED else "seen"
        self._all_columns, self.columns = (
            tuple(
                replace(one, name=name if title == AGE else "accessed", title=title)
                if one.title in {AGE, "seen"}
                else one
                for one in columns
            )
            for columns in (self._all_columns, self.columns)
        )
        super().renew()

    def _made(self) -> tuple[Column[Memory], ...]:
        """The columns, from left to right."""
        return (
            Column("", "", _stage, ((0, 1),), gap=0),
            _CODED,
            Column("title", "title", self._title, ((0, OPEN),)),
            Column("", "tags", _tags, ((LARGE, 18), (HUGE, 24)), gap=2),
            Column("links_in", "links", _links, ((_ROOMY, 5),), is_right=True),
            Column(
                "importance",
                "imp",
                _importance,
                ((SMALL, 4),),
                is_right=True,
                fact=IMPORTANCE,
            ),
            Column(
                "strength",
                "strength",
                _strength,
                ((SMALL, 8), (LARGE, 12)),
                fact=STRENGTH,
            ),
            Column("", "score", _score, ((HUGE, 5),), is_right=True, fact=STRENGTH),
            Column(
                "access_count", "used", _uses, ((HUGE, 4),), is_right=True, fact=USES
            ),
            Column("accessed", "seen", self._seen, ((SMALL, _SEEN),), is_right=True),
        )

    def _title(self, memory: Memory, _width: int) -> Pieces:
        tone = "title faint" if memory.stage in PALE or memory.archived else "title"
        pieces = with_hits(memory.title, self.hits(memory), tone)
        signs = [("⚠ ", "warning")] if memory.problems else []
        signs += [("⊘ ", "muted")] if memory.unseen else []
        return [*signs, *pieces]

    def _seen(self, memory: Memory, _width: int) -> Pieces:
        """How long ago; `~` marks the time of the file where nothing else is known."""
        name = self.sorting.name if self.sorting else ""
        if name == "accessed":
            return [(age(memory.accessed, self.now), "muted")]
        last = memory.updated or memory.created
        written = memory.modified and age(memory.modified, self.now)
        if name in {"created", "modified"}:
            last = memory.created if name == "created" else None
        elif name == "updated" and not memory.updated and written:
            last = last if written == age(last, self.now) else None
        elif name not in _DATED:
            last = memory.accessed or last
        if last or not memory.modified:
            return [(age(last, self.now), "muted")]
        return [(f"~{age(memory.modified, self.now)}"[-_SEEN:], "faint")]


def _stage(memory: Memory, _width: int) -> Pieces:
    put_away = "archived" if memory.archived else None
    return [glyph("vault" if memory.pinned else memory.stage or put_away)]


def _type(memory: Memory, width: int) -> Pieces:
    return [code(memory.type) if width <= _LETTERS else word(memory.type)]


_tags = toned(lambda memory: told(" ".join(memory.tags)), "tag")
_uses = toned(lambda memory: brief(memory.access_count), "muted")


def _links(memory: Memory, _width: int) -> Pieces:
    if not (memory.links_in or memory.links_out):
        return [("–", "faint")]
    return [(f"{brief(memory.links_in)}→{brief(memory.links_out)}", "muted")]


def _importance(memory: Memory, _width: int) -> Pieces:
    """A number from 0 to 1, or the word of a store that uses words."""
    value = memory.importance
    if isinstance(value, str):
        return [(told(_SHORT.get(value, value)), "importance")]
    if value is None:
        return []
    if not value and memory.archived:
        return [("–", "faint")]  # it comes back on restoring
    return [(f"{value:.1f}" if 0 <= value <= 1 else "?", "importance")]


def _strength(memory: Memory, width: int) -> Pieces:
    if memory.strength is None:
        return []
    _, tone = glyph("vault" if memory.pinned else memory.stage)
    return bar(1.0 if memory.pinned else share(memory.strength), width, tone)


def _score(memory: Memory, _width: int) -> Pieces:
    if memory.strength is None:
        return []
    return [("pin" if memory.pinned else figure(memory.strength), "muted")]


_WORD = 9
"""Cells of a type as a word."""

SPELLED = 120
"""The width of a terminal from which types are words."""

_CODED = Column("type", "typ", _type, ((SMALL, _LETTERS),))
_SPELLED = replace(_CODED, title="type", widths=((SMALL, _WORD),))


# The list of edges: start, type, strength, end.

_TINY, _SPACIOUS, _WIDE = 20, 120, 150
"""The widths from which a pane shows the type, the date and the reason of an edge."""

_IN_A_FILE = "file"


def no_hits_edges(_edge: Edge) -> tuple[Spans, Spans]:
    """No search, so no hits."""
    return (), ()


class EdgeTable(Table[Edge]):
    """Edges, one row each."""

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet, self._made())
        self.hits: Callable[[Edge], tuple[Spans, Spans]] = no_hits_edges
        """Finds the hits in its two titles."""

    def _made(self) -> tuple[Column[Edge], ...]:
        """The columns, from left to right."""
        arrow = ((_TINY, 6), (SMALL, 10), (MEDIUM, 16))
        return (
            Column("from_title", "from", self._from, ((0, OPEN),), gap=0),
            Column("type", "type", _arrow, arrow),
            Column("to_title", "to", self._to, ((0, OPEN),)),
            Column("", "why", _why, ((_WIDE, OPEN),), gap=2),
            Column("strength", "str", _strength_edges, ((SMALL, 4),), is_right=True),
            Column("", "", _file, ((SMALL, 1),)),
            Column("", "", _broken, ((SMALL, 1),)),
            Column("created", "created", _created, ((_SPACIOUS, 10),)),
        )

    def _from(self, edge: Edge, _width: int) -> Pieces:
        return _end(edge.from_, edge.from_type, edge.from_title, self.hits(edge)[0])

    def _to(self, edge: Edge, _width: int) -> Pieces:
        return _end(edge.to, edge.to_type, edge.to_title, self.hits(edge)[1])


def _end(ref: str | None, kind: str | None, title: str | None, spans: Spans) -> Pieces:
    """One end; a broken one shows the name that the edge uses."""
    if ref is None:
        return [("? ", "warning"), *with_hits(title or "nothing", spans, "faint")]
    letters, tone = code(kind)
    known = [(f"{letters} ", tone)] if letters.strip() else []
    return [*known, *with_hits(title or ref, spans, "title")]


def _arrow(edge: Edge, width: int) -> Pieces:
    return stroke(edge.type, edge.strength, width)


def _strength_edges(edge: Edge, _width: int) -> Pieces:
    return [] if edge.strength is None else [(fraction(edge.strength), "muted")]


def _broken(edge: Edge, _width: int) -> Pieces:
    is_dangling = edge.from_ is None or edge.to is None
    return [("⚠", "warning")] if edge.problems or is_dangling else []


_why = toned(lambda edge: told(edge.context), "muted")
_file = toned(lambda edge: "✎" if _IN_A_FILE in edge.sides else "", "arrow")
_created = toned(lambda edge: told(edge.created)[: len("2026-02-14")], "faint")
