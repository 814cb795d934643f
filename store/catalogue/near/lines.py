"""Lines of a file exchanged for others: all that is kept of the rest only moves.

Files in which every line is a memory of its own are large and change by a line. What
such a line says is put in the place of what the one before it said, and the numbers of
the lines behind it are made right; a file of a hundred thousand is not read for that.
"""

import sqlite3
from collections.abc import Mapping, Sequence

from store.catalogue.near.rows import replace, write_bodies, write_memory
from store.catalogue.rows.cells import Row, fit_to_store
from store.catalogue.rows.flaws import SOURCE
from store.catalogue.rows.source import COLUMNS
from store.catalogue.settle import score
from store.derive.exchange import Exchange

LINED = ("memories", "bodies", "problems")
"""The tables whose rows are exchanged so."""

_FEWEST = 2
"""Memories of a file whose flaws are its own; of a single one they are that one's."""

_MEMORY = COLUMNS["memories"].split()
_REF, _KEY, _FADES, _OWN_ID = map(_MEMORY.index, ("ref", "key", "fades", "own_id"))

_BETWEEN = "source = :source AND line >= :first AND line < :behind"
_ROWS = {
    "memories": f"SELECT id, {', '.join(_MEMORY)} FROM memories WHERE {_BETWEEN}",
    "bodies": f"SELECT id, line, text FROM bodies WHERE {_BETWEEN}",
}
_OF_LINES = f"""
    DELETE FROM problems WHERE source = :source AND origin = '{SOURCE}'
        AND (line IS NULL AND ref IS NULL OR line >= :first AND line < :behind)
"""
_OF_MEMORY = f"""
    DELETE FROM problems
    WHERE ref = ? AND source = ? AND origin = '{SOURCE}' AND line IS NULL
"""
_MOVED = "UPDATE {} SET line = line + :shift WHERE source = :source AND line >= :behind"
_UNDATED = """
    UPDATE memories SET changed_at = :time WHERE source = :source AND updated_at IS NULL
"""

_NUMBER = "SELECT count(*) FROM memories WHERE source = :source"
_LEADING = (
    "SELECT 1 FROM sources JOIN {0} ON {0}.source = sources.id "
    "WHERE sources.store = :store LIMIT 1"
)
_FORBIDDING = (
    *(
        _LEADING.format(table)
        for table in ("edges", "claims", "accesses", "episodes", "mentions")
    ),
    (
        "SELECT 1 FROM problems WHERE path = :path AND store = :store "
        "AND origin <> 'source' LIMIT 1"
    ),
)
"""What leads to memories by their keys, and what was found out by comparing."""

_NAMELESS = """
    SELECT 1 FROM memories
    WHERE source = :source AND line >= :behind AND own_id IS NULL LIMIT 1
"""
"""Memories that go by their line."""

_SHARED = 'SELECT count(*) FROM memories WHERE "key" = ? AND store = ?'


class Lined:
    """What the catalogue holds of some lines of a source."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        where: tuple[int, int],
        exchange: Exchange,
    ) -> None:
        """`where` is the store and the source."""
        self._connection = connection
        self._where = where
        self._terms = {
            "store": where[0],
            "source": where[1],
            "first": exchange.first,
            "behind": exchange.behind,
            "shift": exchange.shift,
        }
        self._old = {
            table: connection.execute(question, self._terms).fetchall()
            for table, question in _ROWS.items()
        }
        (number,) = connection.execute(_NUMBER, self._terms).fetchone()
        self.others = int(number) - len(self._old["memories"])
        """How many memories stand on other lines."""

    def is_apart(self, path: bytes, tables: Mapping[str, Sequence[Row]]) -> bool:
        """Whether nothing else depends on these lines, as they were and as they are."""
        if not set(tables) <= set(LINED):
            return False
        old, new = self._old["memories"], fit_to_store(tables.get("memories", ()))
        if self.others + min(len(old), len(new)) < _FEWEST:
            return False
        if any(row[_OWN_ID] is None for row in (*(one[1:] for one in old), *new)):
            return False
        if not self._are_unique([str(row[_KEY]) for row in new]):
            return False
        forbidding = [*_FORBIDDING, *([_NAMELESS] if self._terms["shift"] else [])]
        terms = {**self._terms, "path": path}
        return not any(
            self._connection.execute(question, terms).fetchone()
            for question in forbidding
        )

    def become(self, tables: Mapping[str, Sequence[Row]], time: int) -> None:
        """Have the catalogue hold this instead; `time` is the file's own."""
        new = {table: fit_to_store(tables.get(table, ())) for table in LINED}
        self._forget_problems()
        if self._stays(new["memories"]):
            for (number, *old), now in zip(
                self._old["memories"], new["memories"], strict=True
            ):
                write_memory(self._connection, number, old, now)
            write_bodies(
                self._connection, self._where, self._old["bodies"], new["bodies"]
            )
        else:
            self._exchange(new)
        replace(self._connection, self._where, "problems", (), new["problems"])
        self._connection.execute(_UNDATED, {**self._terms, "time": time})
        self._score([str(row[_KEY]) for row in new["memories"]])

    def _are_unique(self, keys: Sequence[str]) -> bool:
        """Whether no other line of the store goes by any of some keys, or went."""
        old = [str(row[1 + _KEY]) for row in self._old["memories"]]
        if len(set(keys)) < len(keys) or len(set(old)) < len(old):
            return False
        return all(
            self._connection.execute(_SHARED, (key, self._where[0])).fetchone()[0]
            == (key in old)
            for key in {*keys, *old}
        )

    def _stays(self, new: Sequence[Row]) -> bool:
        """Whether these are the same memories, each on the line that it was on."""
        names = [(row[1 + _KEY], row[1 + _FADES]) for row in self._old["memories"]]
        return not self._terms["shift"] and names == [
            (row[_KEY], row[_FADES]) for row in new
        ]

    def _exchange(self, new: Mapping[str, Sequence[Row]]) -> None:
        for table in ("memories", "bodies"):
            replace(self._connection, self._where, table, self._old[table], ())
        if self._terms["shift"]:
            for table in LINED:
                self._connection.execute(_MOVED.format(table), self._terms)
        for table in ("memories", "bodies"):
            replace(self._connection, self._where, table, (), new[table])

    def _forget_problems(self) -> None:
        self._connection.execute(_OF_LINES, self._terms)
        refs = [(row[1 + _REF], self._where[1]) for row in self._old["memories"]]
        self._connection.executemany(_OF_MEMORY, refs)

    def _score(self, keys: Sequence[str]) -> None:
        """Keep what remains of the strength of those that came."""
        store, _ = self._where
        question = 'SELECT id FROM memories WHERE "key" = ? AND store = ?'
        rows = [
            row
            for key in keys
            for (row,) in self._connection.execute(question, (key, store))
        ]
        score(self._connection, store, rows)
