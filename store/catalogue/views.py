"""How each kind of record is asked for: its query, its sorts, its total order."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Generic, TypeVar

from store.catalogue import made
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.memory import Memory
from store.records.problem import Problem

Record = Memory | Edge | Episode | Document | Problem
"""Whatever a list can show."""

RecordT_co = TypeVar("RecordT_co", covariant=True)

_PROBLEMS = (
    "(SELECT group_concat(code, ' ') FROM "
    "(SELECT DISTINCT code FROM problems WHERE problems.ref = {0}.ref ORDER BY code))"
)

_NAMED = "substr(edges.{0}_key, instr(edges.{0}_key, ':') + 1)"
"""What an edge names an end by, where it is no memory and nobody copied its title."""

_PLACE = "sources.path AS path, stores.path AS store_path, stores.format AS format"


@dataclass(frozen=True, slots=True)
class View(Generic[RecordT_co]):
    """One kind of record, as SQL."""

    table: str
    """The table that its rows are in."""
    columns: str
    """What a record is made from."""
    joins: str
    """The tables that belong to it."""
    sorts: dict[str, str]
    """What it may be sorted by; the first is the order that a list has by itself."""
    make: Callable[[sqlite3.Row, int], RecordT_co]
    """A record out of a row, as of a point in time."""
    ties: tuple[str, ...]
    """The order among equals; it does not hang on what was read first."""
    largest_first: frozenset[str] = field(default_factory=frozenset[str])
    """The sorts that begin with the largest."""

    @property
    def query(self) -> str:
        """Everything before the WHERE clause."""
        return f"SELECT {self.columns} FROM {self.table} {self.joins}"

    def order(self, sort: str | None, *, reverse: bool) -> str:
        """The ORDER BY clause: total, so that pages never overlap; blanks come last."""
        name = sort or next(iter(self.sorts))
        column = self.sorts[name]
        down = (name in self.largest_first) is not reverse
        direction = "DESC" if down else "ASC"
        ties = ", ".join(f"{tie} {direction}" for tie in self.ties)
        return f"ORDER BY {column} {direction} NULLS LAST, {ties}"


_OF_SOURCE = (
    "JOIN stores ON stores.id = {0}.store JOIN sources ON sources.id = {0}.source"
)

MEMORIES: View[Memory] = View(
    make=made.memory,
    table="memories",
    ties=("memories.ref",),
    columns=f"memories.*, {_PLACE}, {_PROBLEMS.format('memories')} AS codes",
    joins=_OF_SOURCE.format("memories"),
    sorts={
        "updated": "memories.changed_at",
        "created": "memories.created_at",
        "accessed": "memories.accessed_at",
        "modified": "sources.mtime_ns",
        "strength": "memories.vigour",
        "importance": "memories.importance",
        "confidence": "memories.confidence",
        "access_count": "memories.access_count",
        "links_in": "memories.links_in",
        "links_out": "memories.links_out",
        "title": "memories.title COLLATE NOCASE",
        "type": "memories.type",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset(
        {
            "updated",
            "created",
            "accessed",
            "modified",
            "strength",
            "importance",
            "confidence",
            "access_count",
            "links_in",
            "links_out",
        }
    ),
)

EDGES: View[Edge] = View(
    make=made.edge,
    table="edges",
    ties=("edges.ref",),
    columns=(
        f"edges.*, {_PLACE}, {_PROBLEMS.format('edges')} AS codes, "
        "starts.ref AS start_ref, ends.ref AS end_ref, "
        f"coalesce(starts.title, edges.start_title, {_NAMED.format('start')}) "
        "AS from_title, "
        f"coalesce(ends.title, edges.end_title, {_NAMED.format('end')}) AS to_title"
    ),
    joins=(
        f"{_OF_SOURCE.format('edges')} "
        "LEFT JOIN memories AS starts ON starts.id = edges.start "
        'LEFT JOIN memories AS ends ON ends.id = edges."end"'
    ),
    sorts={
        "created": "edges.created_at",
        "strength": "edges.strength",
        "type": "edges.type",
        "from_title": "from_title COLLATE NOCASE",
        "to_title": "to_title COLLATE NOCASE",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"created", "strength"}),
)

EPISODES: View[Episode] = View(
    make=made.episode,
    table="episodes",
    ties=("episodes.line", "episodes.ref"),
    columns=f"episodes.*, {_PLACE}, memories.ref AS memory_ref",
    joins=(
        f"{_OF_SOURCE.format('episodes')} "
        "LEFT JOIN memories ON memories.id = episodes.memory"
    ),
    sorts={
        "date": "(episodes.date || ' ' || coalesce(episodes.time, ''))",
        "title": "episodes.title COLLATE NOCASE",
        "type": "episodes.type",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset({"date"}),
)

DOCUMENTS: View[Document] = View(
    make=made.document,
    table="documents",
    ties=("documents.ref",),
    columns=f"documents.*, {_PLACE}",
    joins=_OF_SOURCE.format("documents"),
    sorts={
        "path": "sources.path",
        "title": "documents.title COLLATE NOCASE",
        "role": "documents.role",
        "text_bytes": "documents.text_bytes",
        "store": "stores.path",
    },
    largest_first=frozenset({"text_bytes"}),
)

PROBLEMS: View[Problem] = View(
    make=made.problem,
    table="problems",
    ties=(
        "problems.path",
        "problems.line",
        "problems.code",
        "problems.message",
        "stores.path",
        "problems.id",
    ),
    columns="problems.*, stores.path AS store_path, stores.format AS format",
    joins="JOIN stores ON stores.id = problems.store",
    sorts={
        "severity": (
            "CASE problems.severity WHEN 'error' THEN 0 "
            "WHEN 'warning' THEN 1 ELSE 2 END"
        ),
        "code": "problems.code",
        "path": "problems.path",
        "store": "stores.path",
    },
)

VIEWS: dict[str, View[Record]] = {
    "memories": MEMORIES,
    "edges": EDGES,
    "episodes": EPISODES,
    "documents": DOCUMENTS,
    "problems": PROBLEMS,
}
"""The kinds that can be listed, by the word for them on the command line."""
