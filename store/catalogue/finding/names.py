"""The names of all records of a kind, held in memory for who types them wrongly."""

import sqlite3
from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from store.search.fuzzy.names import Names

_UUID = 36
"""So long is an identifier that nobody types from memory; what the file is called then
says what the title says."""

_NAMED = {
    "memories": (
        "SELECT memories.id, memories.title || char(10) || CASE "
        "WHEN memories.own_id IS NULL THEN replace(memories.names, 'name:', '') "
        f"WHEN length(memories.own_id) = {_UUID} THEN '' ELSE memories.own_id END "
        "|| char(10) || memories.tags FROM memories"
    ),
    "conversations": "SELECT conversations.id, conversations.title FROM conversations",
    "episodes": (
        "SELECT episodes.id, episodes.title || char(10) || episodes.tags FROM episodes"
    ),
    "documents": "SELECT documents.id, documents.title FROM documents",
    "edges": (
        "SELECT edges.id, coalesce(edges.start_title, '') || char(10) "
        "|| coalesce(edges.end_title, '') || char(10) || edges.type FROM edges"
    ),
    "measures": (
        "SELECT measures.id, measures.name FROM measures WHERE measures.name <> ''"
    ),
}
"""The names of each kind that has some, its title first."""

KINDS = tuple(_NAMED)
"""The kinds that have names."""

_LIKE = 100
"""So many are like what was typed at most; the rest is like them."""


class Like(Struct, frozen=True):
    """A row whose names are like what was typed."""

    row: int
    score: float
    """How like, from 0 to 1."""
    how: str
    """In what way."""


class _Held(Struct):
    """The names of a kind, as of a state of the catalogue."""

    state: tuple[int, int]
    rows: list[int]
    names: "Names"


class NamesOfRows:
    """Finds rows by names that are nearly right; reads them once for each state."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def like(
        self, connection: sqlite3.Connection, kind: str, words: Sequence[str]
    ) -> list[Like]:
        """The rows of a kind whose names are most like some words, best first."""
        if kind not in _NAMED:
            return []
        held = self._of(connection, kind)
        near = held.names.similar(words, _LIKE)
        return [Like(held.rows[one.position], one.score, one.how) for one in near]

    def _of(self, connection: sqlite3.Connection, kind: str) -> _Held:
        state = _state(connection)
        held = self._held.get(kind)
        if held is None or held.state != state:
            from store.search.fuzzy.names import Names  # noqa: PLC0415  # seldom needed

            rows = connection.execute(f"{_NAMED[kind]} ORDER BY 1").fetchall()
            names = Names(str(name) for _, name in rows)
            held = _Held(state, [row for row, _ in rows], names)
            self._held[kind] = held
        return held


def _state(connection: sqlite3.Connection) -> tuple[int, int]:
    """Changes with whatever is written, here or by another process."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return version, connection.total_changes
