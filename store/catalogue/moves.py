"""What moved, one sync after another: told to everybody who looks, whoever read it."""

import os
import sqlite3
from collections import defaultdict
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from store.catalogue.schema import OF_SOURCE

if TYPE_CHECKING:
    from store.catalogue.writer import Known

_KEPT = 1000
"""How many moves are kept: whoever looks has been told of the older ones."""

_FEW = 64
"""So many sources are asked what they held; of more, anything may have been held."""

_SHOWN: Mapping[str, tuple[str, ...]] = {
    "memories": ("memories", "edges", "episodes"),
    "claims": ("memories",),
    "accesses": ("memories",),
    "edges": ("edges", "memories"),
    "episodes": ("episodes",),
    "documents": ("documents",),
    "mentions": ("documents",),
    "messages": ("messages", "conversations"),
    "writes": ("conversations",),
    "sessions": ("conversations",),
    "listed": ("conversations",),
    "conversations": ("conversations", "messages"),
    "events": ("events",),
    "measures": ("measures",),
    "agents": ("agents",),
}
"""The kinds of record that look different when rows of a table do."""


class Move(NamedTuple):
    """A store that moved, and what of it."""

    number: int
    """Greater than that of every move before."""
    store: Path
    """The store's root."""
    kinds: frozenset[str]
    """The kinds of record that may be other than before."""


class Touched:
    """The tables that a sync touches, store by store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tables: defaultdict[int, set[str]] = defaultdict(set)

    def written(self, store: int, tables: Iterable[str]) -> None:
        """Rows of a source were written into these tables."""
        self._tables[store].update(tables)

    def held(self, store: int, sources: "Iterable[Known]") -> None:
        """The rows that these sources have now go, or others come in their place."""
        rows = [known.row for known in sources]
        if len(rows) > _FEW:
            self._tables[store].update(OF_SOURCE)
            return
        for table in OF_SOURCE:
            question = f"SELECT 1 FROM {table} WHERE source = ? LIMIT 1"
            asked = (self._connection.execute(question, (row,)) for row in rows)
            if any(answer.fetchone() for answer in asked):
                self._tables[store].add(table)

    def kinds(self, store: int) -> frozenset[str]:
        """The kinds of record that are other than before; problems always may be."""
        return kinds_shown(self._tables[store])


def kinds_shown(tables: Iterable[str]) -> frozenset[str]:
    """The kinds of record that look different when rows of some tables do."""
    kinds = (kind for table in tables for kind in _SHOWN.get(table, ()))
    return frozenset(kinds) | {"problems"}


EVERY_KIND = frozenset(kind for kinds in _SHOWN.values() for kind in kinds) | {
    "problems"
}
"""What moves where a store comes or goes."""


def note_move(
    connection: sqlite3.Connection, store: bytes, kinds: Iterable[str]
) -> None:
    """Keep that a store moved, and forget what everybody knows by now."""
    row = connection.execute(
        "INSERT INTO moves (store, kinds) VALUES (?, ?)",
        (store, " ".join(sorted(kinds))),
    ).lastrowid
    connection.execute("DELETE FROM moves WHERE id <= ?", ((row or 0) - _KEPT,))


def moves_since(connection: sqlite3.Connection, number: int) -> list[Move]:
    """The moves after one; in a catalogue made anew since, all that there were."""
    since = number if number <= newest_move(connection) else 0
    rows = connection.execute(
        "SELECT id, store, kinds FROM moves WHERE id > ? ORDER BY id", (since,)
    )
    return [
        Move(row, Path(os.fsdecode(store)), frozenset(kinds.split()))
        for row, store, kinds in rows
    ]


def newest_move(connection: sqlite3.Connection) -> int:
    """The number of the last move; 0 where nothing ever moved."""
    (number,) = connection.execute("SELECT max(id) FROM moves").fetchone()
    return int(number or 0)
