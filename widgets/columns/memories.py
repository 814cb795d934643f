"""The index of memories: stage, type, title, links, importance, strength, last seen."""

from collections.abc import Callable

from textual.reactive import reactive

from store.records.memory import Memory
from widgets.columns.ages import age
from widgets.columns.cells import Spans, told, with_hits
from widgets.columns.column import OPEN, Column
from widgets.columns.numbers import brief
from widgets.columns.strengths import bar, figure, share
from widgets.columns.table import Table
from widgets.columns.types import PALE, code, glyph
from widgets.lines.pieces import Pieces

SMALL, MEDIUM, LARGE, HUGE = 34, 54, 96, 112
"""The widths of a pane from which on it shows more."""

STRENGTH, IMPORTANCE, USES = "strength", "importance", "uses"
"""What not every format keeps of a memory."""

_LEVELS = 10
_HIGHEST = 9


def no_hits(_memory: Memory) -> Spans:
    """Nothing was looked for."""
    return ()


class MemoryTable(Table[Memory]):
    """Memories, a row each."""

    now: reactive[int] = reactive(0)
    """The instant that ages are told at, in microseconds since 1970."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(self._made(), id=id, classes=classes)
        self.hits: Callable[[Memory], Spans] = no_hits
        """Where in its title a memory holds what was looked for; asked for each row
        that comes into view. Set it before the rows that it is for."""

    def watch_now(self) -> None:
        """Ages are others now."""
        self.forget()
        self.redraw()

    def _made(self) -> tuple[Column[Memory], ...]:
        """The columns, from left to right."""
        return (
            Column("", "", _stage, ((0, 1),), gap=0),
            Column("type", "typ", _type, ((SMALL, 3),)),
            Column("title", "title", self._title, ((0, OPEN),)),
            Column("", "tags", _tags, ((LARGE, 18), (HUGE, 24)), gap=2),
            Column("links_in", "links", _links, ((MEDIUM, 5),), is_right=True),
            Column("importance", "i", _importance, ((SMALL, 1),), fact=IMPORTANCE),
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
            Column("accessed", "seen", self._seen, ((SMALL, 4),), is_right=True),
        )

    def _title(self, memory: Memory, _width: int) -> Pieces:
        tone = "title faint" if memory.stage in PALE or memory.archived else "title"
        pieces = with_hits(memory.title, self.hits(memory), tone)
        return [("⚠ ", "warning"), *pieces] if memory.problems else pieces

    def _seen(self, memory: Memory, _width: int) -> Pieces:
        last = memory.accessed or memory.updated or memory.created
        return [(age(last, self.now), "muted")]


def _stage(memory: Memory, _width: int) -> Pieces:
    put_away = "archived" if memory.archived else None
    return [glyph("vault" if memory.pinned else memory.stage or put_away)]


def _type(memory: Memory, _width: int) -> Pieces:
    return [code(memory.type)]


def _tags(memory: Memory, _width: int) -> Pieces:
    return [(told(" ".join(memory.tags)), "tag")]


def _links(memory: Memory, _width: int) -> Pieces:
    if not (memory.links_in or memory.links_out):
        return [("·", "faint")]
    return [(f"{brief(memory.links_in)}→{brief(memory.links_out)}", "muted")]


def _importance(memory: Memory, _width: int) -> Pieces:
    """The first digit of a share; of a word its first letter."""
    value = memory.importance
    if isinstance(value, str):
        return [(told(value[:1]), "importance")]
    if value is None:
        return []
    level = min(int(value * _LEVELS + 1e-9), _HIGHEST) if 0 <= value <= 1 else "?"
    return [(str(level), "importance")]


def _strength(memory: Memory, width: int) -> Pieces:
    if memory.strength is None:
        return []
    _, tone = glyph("vault" if memory.pinned else memory.stage)
    return bar(1.0 if memory.pinned else share(memory.strength), width, tone)


def _score(memory: Memory, _width: int) -> Pieces:
    if memory.strength is None:
        return []
    return [("pin" if memory.pinned else figure(memory.strength), "muted")]


def _uses(memory: Memory, _width: int) -> Pieces:
    return [(brief(memory.access_count), "muted")]
