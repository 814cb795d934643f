"""Memories whose names are like what was typed, for whoever remembers half of one."""

from collections.abc import Sequence
from pathlib import PurePath

from store.library import Library, Record
from store.records.memory import Memory
from store.search.language.tree import Fuzzy
from widgets.columns.types import code, glyph
from widgets.lines.pieces import Pieces

MOST = 10
"""So many are told at most."""

LEAST = 2
"""Letters that must be typed: whatever has one of them in its name is no find."""


def named(library: Library, typed: str) -> list[Memory]:
    """The memories with such names, the most like first."""
    rows = library.like("memories", Fuzzy(typed))[:MOST]
    records = library.numbered("memories", rows)
    return _memories([records[row] for row in rows if row in records])


def at_a_glance(memory: Memory) -> Pieces:
    """Stage and type of a memory."""
    return [glyph(memory.stage), (" ", ""), code(memory.type), (" ", "")]


def told_of(memory: Memory) -> str:
    """What tells it from others of the same name."""
    described = memory.description or ", ".join(memory.tags)
    return " · ".join(filter(None, (PurePath(memory.store).name, described)))


def _memories(records: Sequence[Record]) -> list[Memory]:
    return [record for record in records if isinstance(record, Memory)]
