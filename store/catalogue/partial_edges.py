"""Keys, claims, edges and links that a changed source affects."""

import os
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from typing import Any, NamedTuple, cast

from store.catalogue.schema import FILE_NAME, TABLES
from store.catalogue.settle import (
    COLUMNS,
    About,
    in_order,
    is_short,
    name_of,
    order_of,
    own_of,
    readings,
    row_of,
)
from store.derive.memories import Word, agree
from store.findings import Side
from store.kinds.edges import EDGES, END_NAME, START_NAME
from store.kinds.memories import (
    FIRST_NAME,
    HAS_MANY,
    HAS_MORE,
    HAS_SEVERAL,
    LAST_NAME,
    SECOND_NAME,
)
from store.kinds.pages import TARGET_NAME
from store.kinds.table import Row

# Look up single keys: which memory each meant before some files changed, and now.

_HELD = 'SELECT memories.id, memories."key", sources.path, memories.line'
_OF_MEMORIES = f"{_HELD} FROM memories JOIN sources ON sources.id = memories.source"
_OF_SOURCES = f"{_HELD} FROM sources JOIN memories ON memories.source = sources.id"

_BY_KEY = f'{_OF_MEMORIES} WHERE memories."key" = ?1 AND memories.store = ?2'
_BY_PATH = f"{_OF_SOURCES} WHERE sources.path = ?1 AND sources.store = ?2"
_BY_FILE = f"""
    {_HELD} FROM sources INDEXED BY sources_by_name
    JOIN memories ON memories.source = sources.id
    WHERE {FILE_NAME} = ?1 AND sources.store = ?2
"""
_BY_SHORT = (
    f'{_OF_MEMORIES} WHERE memories."key" >= ?1 '
    'AND memories."key" < ?1 || char(0x10FFFF) AND memories.store = ?2'
)
_BY_NAME = (
    f"{_OF_MEMORIES} WHERE {FIRST_NAME} = ?1 AND memories.store = ?2",
    f"{_OF_MEMORIES} WHERE {LAST_NAME} = ?1 AND memories.store = ?2 AND {HAS_SEVERAL}",
    f"{_OF_MEMORIES} WHERE {SECOND_NAME} = ?1 AND memories.store = ?2 AND {HAS_MANY}",
    (
        f"{_OF_MEMORIES} WHERE memories.store = ?2 AND {HAS_MORE} "
        "AND instr(' ' || names || ' ', ' ' || ?1 || ' ')"
    ),
)


class Held(NamedTuple):
    """The memory that has a key: the first by path and line."""

    row: int
    key: str
    """Its own key."""


class Holders:
    """The memories of one store by key.

    Gives the same answers as `settle.resolve_keys`, without reading all memories.
    The keys in `known` are not looked up; they have the values from an earlier time.
    """

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        known: Mapping[str, Held | None] | None = None,
    ) -> None:
        self._connection = connection
        self._store = store
        self._held: dict[str, Held | None] = dict(known or {})

    def held(self, key: str) -> Held | None:
        """The memory that has exactly this key."""
        if key not in self._held:
            self._held[key] = self._first(key)
        return self._held[key]

    def found(self, key: str) -> Held | None:
        """The memory that a key refers to."""
        return next(filter(None, map(self.held, readings(key))), None)

    def meant(self, key: str) -> tuple[str, int | None]:
        """The own key and row of the memory for a key; (key, None) if missing."""
        held = self.found(key)
        return (key, None) if held is None else (held.key, held.row)

    def _first(self, key: str) -> Held | None:
        try:
            key.encode()
        except UnicodeEncodeError:
            return None  # no row can contain such a text, so no claim does
        found = sorted(self._candidates(key))
        if is_short(key) and len({own for _, _, _, own in found}) > 1:
            return None
        return Held(found[0][2], found[0][3]) if found else None

    def _candidates(
        self, key: str
    ) -> Iterator[tuple[bytes, tuple[bool, int], int, str]]:
        """All memories with the key, each with its path and line to sort by."""
        for question, term in _questions(key):
            for row, own, path, line in self._connection.execute(
                question, (term, self._store)
            ):
                yield path, (line is not None, line or 0), row, own


class Meanings(NamedTuple):
    """The memories that keys meant before some files changed, and mean now."""

    before: Holders
    now: Holders
    changed: frozenset[str]
    """The keys that belong to another memory than before."""

    @classmethod
    def of(cls, before: Holders, now: Holders, keys: Iterable[str]) -> "Meanings":
        """Compare these keys; no others are affected."""
        changed = (key for key in keys if before.held(key) != now.held(key))
        return cls(before, now, frozenset(changed))


def _questions(key: str) -> Iterator[tuple[str, str | bytes]]:
    """The queries for the memories with a key."""
    scheme, _, rest = key.partition(":")
    yield _BY_KEY, key
    match scheme:
        case "path":
            yield _BY_PATH, os.fsencode(rest)
        case "file":
            yield _BY_FILE, rest
        case "name":
            yield from ((question, key) for question in _BY_NAME)
        case "id6":
            yield _BY_SHORT, f"id:{rest}"
            yield from ((question, key) for question in _BY_NAME)
        case _:
            pass


def without_folders(key: str) -> Iterator[tuple[str, str]]:
    """The forms without folders of all keys that may have the same meaning as a key.

    Each is an SQL operator and the term to compare with.
    """
    scheme, _, rest = key.partition(":")
    match scheme:
        case "id6":
            yield "LIKE", f"%-{rest}.md"
        case "file":
            yield from (("=", name) for name in (rest, f"path:{rest}"))
        case _:
            pass
    yield "=", key.rpartition("/")[2]


# Find the claims about an edge through the edges and memories that it connects.
#
# What a memory claims about its edges is in its own file, or in that of a copy with the
# same identifier. What an edge file claims is in the row of its edge. So no index of
# claims by key is needed.

_SAID = f"SELECT {TABLES['claims'].selected} FROM claims WHERE source = ? ORDER BY id"
_MET = "SELECT source, start_key, end_key FROM edges"
_OF_MEMORY = f'{_MET} WHERE start = ?1 UNION {_MET} WHERE "end" = ?1'
_OF_NOTHING = f"""
    {_MET} WHERE start IS NULL AND {START_NAME} {{0}} ?1 AND store = ?2
    UNION {_MET} WHERE "end" IS NULL AND {END_NAME} {{0}} ?1 AND store = ?2
"""
_WITH_KEY = 'SELECT source FROM memories WHERE "key" = ? AND store = ?'


class Said(NamedTuple):
    """A claim of one source about an edge."""

    start: str
    end: str
    type: str
    word: Word

    @classmethod
    def of(cls, source: int, row: Row) -> "Said":
        """Create from a row of claims, which ends with a path and the line."""
        start, end, kind, side, *said, _, line = cast("tuple[Any, ...]", row)
        return cls(start, end, kind, Word._make(((side,), *said, source, line)))

    def about(self, holders: Holders) -> About:
        """The edge that it is about."""
        return About(holders.meant(self.start), holders.meant(self.end), self.type)

    def names(self, keys: AbstractSet[str]) -> bool:
        """Whether it uses one of some keys, or a path that may refer to one."""
        return any(
            reading in keys
            for key in (self.start, self.end)
            for reading in readings(key)
        )

    def may_be(self, about: About) -> bool:
        """Whether it can be about an edge; an identifier only ever refers to itself."""
        return self.type == about.type and all(
            key == meant or not key.startswith("id:")
            for key, (meant, _) in ((self.start, about.start), (self.end, about.end))
        )


class Claims:
    """The claims of a store, read as needed."""

    def __init__(self, connection: sqlite3.Connection, store: int) -> None:
        self._connection = connection
        self._store = store
        self._said: dict[int, list[Said]] = {}

    def of(self, source: int) -> list[Said]:
        """All claims of a source, in their order."""
        if source not in self._said:
            self._said[source] = [
                Said.of(source, row)
                for row in self._connection.execute(_SAID, (source,))
            ]
        return self._said[source]

    def remeant(self, meanings: Meanings) -> set[int]:
        """The sources whose claims may refer to other memories now, found by edges."""
        met: set[tuple[int, str, str]] = set()
        for key in meanings.changed:
            held = meanings.before.found(key)
            if held is not None:
                met.update(self._connection.execute(_OF_MEMORY, (held.row,)))
            if held is None or meanings.before.held(key) is None:
                for term, name in without_folders(key):
                    asked = (name, self._store)
                    question = _OF_NOTHING.format(term)
                    met.update(self._connection.execute(question, asked))
        ends = {key for _, *keys in met for key in keys}
        return {source for source, *_ in met}.union(*map(self.with_key, ends))

    def with_key(self, key: str) -> set[int]:
        """The sources of the memories with this key as their own."""
        rows = self._connection.execute(_WITH_KEY, (key, self._store))
        return {source for (source,) in rows}


# Rebuild the edges that changed from all claims about each.

_STANDING = (
    f"SELECT id, store, source, {EDGES.table.selected} FROM edges WHERE {{}} "
    "AND start_key = :start_key AND end_key = :end_key AND +type = :type "
    "AND +store = :store ORDER BY id"
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
_SOURCE, _EDGE_ID, _SIDES = map(COLUMNS.index, ("source", "edge_id", "sides"))


class Edges:
    """The edges around changed sources: those that exist, and those claimed."""

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
        """Rebuild some edges, and all that share a ref with one of them.

        `said` has, for each edge, the sources that claim something new about it.
        Returns the removed and the added rows.
        """
        pending = set(said)
        while pending:
            about = pending.pop()
            rows = self._standing[about] = self._existing_rows(about)
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

    def _existing_rows(self, about: About) -> list[Row]:
        """The existing rows of an edge, each preceded by its row id."""
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
        """The edges with the same ref as one, before or after the change."""
        named = {own_of(about, word) for word in self._agreed[about]}
        for row in self._standing[about]:
            edge_id = row[1 + _EDGE_ID]
            named.add((str(edge_id),) if edge_id else about.own)
        return {other for own in named for other in self._called(own)}

    def _called(self, own: tuple[str, ...]) -> set[About]:
        """The existing edges with an identity."""
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
        """Delete the old rows and insert the new ones."""
        standing = {row[1:]: row[0] for rows in self._standing.values() for row in rows}
        agreed = list(self._rows())
        came = [row for row in agreed if row not in standing]
        gone = standing.keys() - set(agreed)
        self._connection.executemany(
            "DELETE FROM edges WHERE id = ?", [(standing[row],) for row in gone]
        )
        self._connection.executemany(EDGES.table.insert, came)
        return [*gone, *came]

    def _rows(self) -> Iterable[Row]:
        """The rows of all edges; those with the same ref are numbered."""
        numbers: Counter[str] = Counter()
        order = partial(order_of, self._connection)
        for about in sorted(filter(self._agreed.get, self._agreed), key=order):
            for word in self._agreed[about]:
                own = own_of(about, word)
                name = name_of(self._place, own, 0)
                number = numbers[name]
                numbers[name] += 1
                name = name_of(self._place, own, number) if number else name
                yield row_of(self._store, about, word, name)


def _files(rows: Iterable[Row]) -> set[int]:
    """The edge files among the sources of edge rows."""
    return {
        int(row[1 + _SOURCE] or 0)
        for row in rows
        if str(row[1 + _SIDES]).split()[0] == Side.FILE
    }


# Resolve links of episodes and documents again.

_POINTING = ("episodes", "mentions")


def resolve_links(
    connection: sqlite3.Connection,
    store: int,
    meanings: Meanings,
    sources: Iterable[int],
) -> Iterator[tuple[int, set[int]]]:
    """Resolve the new links of some sources, and all that may have another target now.

    Yields the sources whose links changed, each with the old and new targets.
    """
    for table in _POINTING:
        rows = {
            row: (source, target, memory)
            for question, term in _questions_pointers(table, meanings, sources)
            for row, source, target, memory in connection.execute(
                f"SELECT id, source, target, memory FROM {table} "
                f"WHERE target IS NOT NULL AND +store = ?2 AND {question}",
                (term, store),
            )
        }
        for row, (source, target, memory) in rows.items():
            held = meanings.now.found(target)
            after = None if held is None else held.row
            if after != memory:
                update = f"UPDATE {table} SET memory = ? WHERE id = ?"
                connection.execute(update, (after, row))
                yield source, {each for each in (memory, after) if each is not None}


def _questions_pointers(
    table: str, meanings: Meanings, sources: Iterable[int]
) -> Iterator[tuple[str, int | str]]:
    """The conditions for rows of a table that may have another target now."""
    for source in sources:
        yield "source = ?1 AND memory IS NULL", source
    for key in meanings.changed:
        held = meanings.before.found(key)
        if held is not None:
            yield "memory = ?1", held.row
        for term, name in without_folders(key):
            asked = f"{TARGET_NAME} {term} ?1 AND {table}.store = ?2"
            yield f"memory IS NULL AND {asked}", name
