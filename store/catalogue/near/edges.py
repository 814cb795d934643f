"""The edges that are other than before, made anew from all that is said of each."""

import sqlite3
from collections import Counter
from collections.abc import Iterable, Mapping

from store.catalogue.edges import (
    COLUMNS,
    INSERT,
    About,
    in_order,
    name_of,
    own_of,
    row_of,
)
from store.catalogue.near.claims import Claims
from store.catalogue.near.keys import Holders
from store.catalogue.rows.cells import Row
from store.catalogue.schema.memories import START_NAME
from store.derive.agreement import Word, agree
from store.findings import Side

_STANDING = (
    f"SELECT id, {COLUMNS} FROM edges WHERE {{}} AND start_key = :start_key "
    "AND end_key = :end_key AND +type = :type AND +store = :store ORDER BY id"
)
_FROM = _STANDING.format('start = :start AND "end" IS :end')
_TO = _STANDING.format('start IS NULL AND "end" = :end')
_NOWHERE = _STANDING.format(
    f'start IS NULL AND "end" IS NULL AND {START_NAME} = :name AND store = :store'
)
_CALLED = (
    'SELECT start_key, start, end_key, "end", type FROM edges '
    "WHERE ref = ? AND +store = ?"
)
_WHERE = """
    SELECT sources.path, memories.line IS NOT NULL, memories.line, memories.id
    FROM memories JOIN sources ON sources.id = memories.source WHERE memories.id = ?
"""
_NAMES = COLUMNS.replace('"', "").split(", ")
_SOURCE, _EDGE_ID, _SIDES = map(_NAMES.index, ("source", "edge_id", "sides"))


class Edges:
    """The edges of a neighbourhood: those that stand, and what claims make of them."""

    def __init__(
        self, connection: sqlite3.Connection, store: int, place: bytes
    ) -> None:
        self._connection = connection
        self._store = store
        self._place = place
        self._standing: dict[About, list[Row]] = {}
        self._agreed: dict[About, list[Word]] = {}

    def settle(
        self, said: Mapping[About, set[int]], claims: Claims, now: Holders
    ) -> list[Row]:
        """Make some edges anew, and all that share a name with one of them.

        `said` tells of each which sources speak of it that may not have done so before.
        Returns the rows that went and those that came.
        """
        pending = set(said)
        while pending:
            about = pending.pop()
            rows = self._standing[about] = self._stands(about)
            sources = said.get(about, set()) | _files(rows)
            for key, _ in about[:2]:
                sources |= claims.with_key(key)
            words = [
                one.word
                for source in sources
                for one in claims.of(source)
                if one.may_be(about) and one.about(now) == about
            ]
            ordered = in_order(self._connection, words)
            self._agreed[about] = agree(ordered) if ordered else []
            pending |= self._namesakes(about).difference(self._agreed)
        return self._exchange()

    def _stands(self, about: About) -> list[Row]:
        """The rows of an edge, each with its number first."""
        (start_key, start), (end_key, end), kind = about
        terms = {
            "start_key": start_key,
            "start": start,
            "end_key": end_key,
            "end": end,
            "type": kind,
            "store": self._store,
            "name": start_key.rpartition("/")[2],
        }
        question = _FROM if start is not None else _TO if end is not None else _NOWHERE
        return self._connection.execute(question, terms).fetchall()

    def _namesakes(self, about: About) -> set[About]:
        """The edges that go by the same as one does, as it stands or as it will be."""
        named = {own_of(about, word) for word in self._agreed[about]}
        for row in self._standing[about]:
            edge_id = row[1 + _EDGE_ID]
            named.add((str(edge_id),) if edge_id else about.own)
        return {other for own in named for other in self._called(own)}

    def _called(self, own: tuple[str, ...]) -> set[About]:
        """The edges that stand and go by this."""
        found: set[About] = set()
        number = 0
        while True:
            name = name_of(self._place, own, number)
            rows = self._connection.execute(_CALLED, (name, self._store)).fetchall()
            if not rows:
                return found
            found |= {
                About((start_key, start), (end_key, end), kind)
                for start_key, start, end_key, end, kind in rows
            }
            number += 1

    def _exchange(self) -> list[Row]:
        """Put the rows that came in the place of those that went."""
        standing = {row[1:]: row[0] for rows in self._standing.values() for row in rows}
        agreed = list(self._rows())
        came = [row for row in agreed if row not in standing]
        gone = standing.keys() - set(agreed)
        self._connection.executemany(
            "DELETE FROM edges WHERE id = ?", [(standing[row],) for row in gone]
        )
        self._connection.executemany(INSERT, came)
        return [*gone, *came]

    def _rows(self) -> Iterable[Row]:
        """The rows of all edges; those that share a name are numbered."""
        numbers: Counter[str] = Counter()
        for about in sorted(filter(self._agreed.get, self._agreed), key=self._order):
            for word in self._agreed[about]:
                own = own_of(about, word)
                name = name_of(self._place, own, 0)
                number = numbers[name]
                numbers[name] += 1
                name = name_of(self._place, own, number) if number else name
                yield row_of(self._store, about, word, name)

    def _order(self, about: About) -> tuple[object, ...]:
        """Where an edge stands among all: by its ends' keys, paths and lines."""
        (start_key, start), (end_key, end), kind = about
        return (start_key, self._where(start), end_key, self._where(end), kind)

    def _where(self, memory: int | None) -> tuple[object, ...]:
        """Where a memory stands among those that share a key with it."""
        row = self._connection.execute(_WHERE, (memory,)).fetchone()
        return tuple(row or ())


def _files(rows: Iterable[Row]) -> set[int]:
    """The edge files that rows of edges come from."""
    return {
        int(row[1 + _SOURCE] or 0)
        for row in rows
        if str(row[1 + _SIDES]).split()[0] == Side.FILE
    }
