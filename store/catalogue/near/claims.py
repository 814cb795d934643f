"""Claims about edges, found through the edges and memories that they are about.

What a memory says of its edges stands in its own file, or in that of a copy with the
same identifier; what an edge file says is in the row that is kept of its edge. So the
claims of an edge are found without an index of all claims by the keys they name.
"""

import sqlite3
from collections.abc import Set as AbstractSet
from typing import Any, NamedTuple, cast

from store.catalogue.edges import About
from store.catalogue.keys import file_key
from store.catalogue.near.keys import Holders, Meanings, without_folders
from store.catalogue.rows.cells import Row
from store.catalogue.rows.source import COLUMNS
from store.catalogue.schema.memories import END_NAME, START_NAME
from store.derive.agreement import Word

_SAID = (
    f"SELECT {', '.join(COLUMNS['claims'].split())} FROM claims "
    "WHERE source = ? ORDER BY id"
)
_MET = "SELECT source, start_key, end_key FROM edges"
_OF_MEMORY = f'{_MET} WHERE start = ?1 UNION {_MET} WHERE "end" = ?1'
_OF_NOTHING = f"""
    {_MET} WHERE start IS NULL AND {START_NAME} = ?1 AND store = ?2
    UNION {_MET} WHERE "end" IS NULL AND {END_NAME} = ?1 AND store = ?2
"""
_WITH_KEY = 'SELECT source FROM memories WHERE "key" = ? AND store = ?'


class Said(NamedTuple):
    """What one source says of an edge."""

    start: str
    end: str
    type: str
    word: Word

    @classmethod
    def of(cls, source: int, row: Row) -> "Said":
        """What a row of claims says; its line comes last."""
        cells = cast("tuple[Any, ...]", row)
        start, end, kind, side = cells[:4]
        return cls(
            start, end, kind, Word._make(((side,), *cells[4:-1], source, cells[-1]))
        )

    def about(self, holders: Holders) -> About:
        """Which edge it is about."""
        return About(holders.meant(self.start), holders.meant(self.end), self.type)

    def names(self, keys: AbstractSet[str]) -> bool:
        """Whether it names one of some keys, or a path that may mean one."""
        return any(
            key in keys or (key.startswith("path:") and file_key(key) in keys)
            for key in (self.start, self.end)
        )

    def may_be(self, about: About) -> bool:
        """Whether it can be about an edge: an identifier means itself alone."""
        return self.type == about.type and all(
            key == meant or not key.startswith("id:")
            for key, (meant, _) in ((self.start, about.start), (self.end, about.end))
        )


class Claims:
    """The claims of a store, as far as they were asked for."""

    def __init__(self, connection: sqlite3.Connection, store: int) -> None:
        self._connection = connection
        self._store = store
        self._said: dict[int, list[Said]] = {}

    def of(self, source: int) -> list[Said]:
        """All that a source says of edges, in its order."""
        if source not in self._said:
            self._said[source] = [
                Said.of(source, row)
                for row in self._connection.execute(_SAID, (source,))
            ]
        return self._said[source]

    def remeant(self, meanings: Meanings) -> set[int]:
        """The sources whose claims may mean others now, as the edges tell so far."""
        met: set[tuple[int, str, str]] = set()
        for key in meanings.changed:
            held = meanings.before.found(key)
            if held is not None:
                met.update(self._connection.execute(_OF_MEMORY, (held.row,)))
            if held is None or meanings.before.held(key) is None:
                for name in without_folders(key):
                    asked = (name, self._store)
                    met.update(self._connection.execute(_OF_NOTHING, asked))
        ends = {key for _, *keys in met for key in keys}
        return {source for source, *_ in met}.union(*map(self.with_key, ends))

    def with_key(self, key: str) -> set[int]:
        """The sources of the memories whose own key this is."""
        rows = self._connection.execute(_WITH_KEY, (key, self._store))
        return {source for (source,) in rows}
