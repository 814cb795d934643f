"""Similar memories and duplicates, found through the index."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import orjson
from msgspec import Struct

from store.catalogue.query import Asked, rows_near
from store.catalogue.reader import Reader
from store.catalogue.words import match
from store.kinds.kind import Shelf
from store.kinds.memories import BODIES, HEADS, MEMORIES, Memory
from store.kinds.table import json_text
from store.records.answers import Double, Similar
from store.search.meaning import Near
from store.search.similar import (
    Alike,
    Sketch,
    Telling,
    doubles,
    is_pair,
    most_alike,
    tell,
)

# Find memories by tag or word through the index, also to count them.

_FEW = 500
"""A word in more memories than this counts as being in all, in a small store."""

_SHARE = 100
"""One in this many memories is the same limit for a large store."""

_SEEN = "memories.store IN (SELECT value FROM json_each(:stores))"

_HAS_TAG = "EXISTS (SELECT 1 FROM json_each(memories.tags) WHERE same(value, :tag))"

_OF_BODY = (
    "SELECT memories.id FROM bodies JOIN memories ON memories.source = bodies.source "
    "AND coalesce(memories.line, 0) = bodies.line "
    f"WHERE bodies.id IN (SELECT value FROM json_each(:rows)) AND {_SEEN}"
)
_OF_HEAD = (
    "SELECT memories.id FROM memories "
    f"WHERE memories.id IN (SELECT value FROM json_each(:rows)) AND {_SEEN}"
)


class Index:
    """Finds memories by tags and words, and looks up each of these once.

    Only indexed rows are found; those being read right now are missing.
    """

    def __init__(self, asked: Asked) -> None:
        self._connection = asked.reader.connection
        self._vocabulary = asked.shelves.vocabulary
        self._stores = json_text(asked.reader.stores_seen)
        self._memories = len(self._rows(f"SELECT id FROM memories WHERE {_SEEN}"))
        self._tagged: dict[str, frozenset[int]] = {}
        self._worded: dict[str, frozenset[int] | None] = {}

    @property
    def memories(self) -> int:
        """The number of memories."""
        return self._memories

    def with_tag(self, tag: str) -> int:
        """The number of memories with a tag, which must be folded."""
        return len(self.rows_with_tag(tag))

    def with_word(self, word: str) -> int:
        """The number of memories with a word in title or text, which must be folded."""
        rows = self._of_word(word)
        return self.memories if rows is None else len(rows)

    def rows_with_tag(self, tag: str) -> frozenset[int]:
        """The memories with a tag."""
        if tag not in self._tagged:
            question = f"SELECT memories.id FROM memories WHERE {_HAS_TAG} AND {_SEEN}"
            words = self._expression(HEADS, tag)
            if words is not None:
                question += (
                    f" AND memories.id IN (SELECT rowid FROM {HEADS.words} "
                    f"WHERE {HEADS.words} MATCH :words)"
                )
            self._tagged[tag] = self._rows(question, tag=tag, words=words)
        return self._tagged[tag]

    def rows_with_word(self, word: str) -> frozenset[int]:
        """The memories with a word; none if there are too many."""
        return self._of_word(word) or frozenset()

    def _of_word(self, word: str) -> frozenset[int] | None:
        """The memories with a word; None if there are too many."""
        if word not in self._worded:
            heads, bodies = self._few(HEADS, word), self._few(BODIES, word)
            self._worded[word] = (
                None
                if heads is None or bodies is None
                else self._rows(_OF_HEAD, rows=heads)
                | self._rows(_OF_BODY, rows=bodies)
            )
        return self._worded[word]

    def _few(self, shelf: Shelf, word: str) -> str | None:
        """The rows of a shelf that contain a word, as JSON; None if too many."""
        expression = self._expression(shelf, word)
        if expression is None:
            return None
        most = max(_FEW, self.memories // _SHARE)
        rows = self._connection.execute(
            f"SELECT rowid FROM {shelf.words} WHERE {shelf.words} MATCH ? LIMIT ?",
            (expression, most + 1),
        ).fetchall()
        return None if len(rows) > most else json_text([row for (row,) in rows])

    def _expression(self, shelf: Shelf, word: str) -> str | None:
        """The index query for a whole word, or for a pair of letters without spaces."""
        text = word if is_pair(word) else f" {word} "
        return match(self._connection, self._vocabulary, shelf, text).expression

    def _rows(self, question: str, **values: str | None) -> frozenset[int]:
        named = {**values, "stores": self._stores}
        return frozenset(row for (row,) in self._connection.execute(question, named))


# Find the memories similar to one without reading all of them.
#
# The distinctive tags and words of the memory are looked up in the index. The few
# hundred memories that share most of these are then compared in full.

_LOOKED_AT = 300
"""How many memories are compared in full: those that share the most."""

_SKETCHED = (
    "SELECT memories.id, memories.ref, memories.title, memories.tags, "
    "coalesce(memories.description, '') || char(10) || coalesce((SELECT bodies.text "
    "FROM bodies WHERE bodies.source = memories.source "
    "AND bodies.line = coalesce(memories.line, 0) LIMIT 1), '') FROM memories "
    "WHERE memories.id IN (SELECT value FROM json_each(?))"
)

_LINKED = (
    'SELECT edges."end" FROM edges WHERE edges.start = ?1 AND edges."end" IS NOT NULL '
    'UNION SELECT edges.start FROM edges WHERE edges."end" = ?1 '
    "AND edges.start IS NOT NULL"
)


def alike(
    asked: Asked,
    memory: Memory,
    limit: int,
    near: Sequence[Near] = (),
    *,
    unlinked: bool = False,
) -> list[Similar]:
    """The memories most similar to one, most similar first.

    `near` are those whose vectors are near its own; `unlinked` leaves out those
    connected to it by an edge.
    """
    reader = asked.reader
    own = reader.row_of(MEMORIES, memory.ref)
    itself = {} if own is None else _sketches(reader, [own])
    if own is None or own not in itself:
        return []
    linked, index = _linked(reader, own), Index(asked)
    telling = tell(itself[own], index)
    left_out = {own, *(linked if unlinked else ())}
    near_rows = rows_near(reader, near)
    candidates = [*near_rows, *_candidates(index, telling)]
    sketches = _sketches(reader, set(candidates) - left_out)
    meanings = {
        sketches[row].ref: near_rows[row] for row in near_rows.keys() & sketches.keys()
    }
    found = most_alike(telling, sketches.values(), limit, meanings)
    rows = {sketch.ref: row for row, sketch in sketches.items()}
    return _as_records(asked, {rows[one.ref]: one for one in found}, linked)


def _linked(reader: Reader, row: int) -> set[int]:
    """The memories connected to one by an edge."""
    return {other for (other,) in reader.connection.execute(_LINKED, (row,))}


def _candidates(index: Index, telling: Telling) -> list[int]:
    """The memories that share the most distinctive tags and words."""
    having = [
        *((index.rows_with_tag(tag), weight) for tag, weight in telling.tags.items()),
        *(
            (index.rows_with_word(word), weight)
            for word, weight in telling.words.items()
        ),
    ]
    shared: defaultdict[int, float] = defaultdict(float)
    for rows, weight in having:
        for row in rows:
            shared[row] += weight
    return sorted(shared, key=lambda row: (-shared[row], row))[:_LOOKED_AT]


def _sketches(reader: Reader, rows: Iterable[int]) -> dict[int, Sketch]:
    """The parts of some memories that similarity depends on.

    As several may have the same ref, the row is appended to it.
    """
    found = reader.connection.execute(_SKETCHED, (json_text(sorted(rows)),))
    return {
        row: Sketch(f"{ref} {row}", title, tuple(orjson.loads(tags)), text)
        for row, ref, title, tags, text in found
    }


def _as_records(
    asked: Asked, found: Mapping[int, Alike], linked: set[int]
) -> list[Similar]:
    """The results as records."""
    records = asked.reader.rows(MEMORIES, list(found), asked.circumstances.now)
    return [
        Similar(
            memory=records[row],
            score=round(one.score, 3),
            reason=one.reason,
            linked=row in linked,
        )
        for row, one in found.items()
        if row in records
    ]


# Duplicates: memories with the same identifier, or nearly the same text.

_NEARLY = "nearly identical"
_ALIKE = 0.8
"""The least share of common words with which memories are called that."""
COPIES = "same id"

_DOUBLES_SKETCHED = (
    "SELECT memories.id, memories.ref, memories.title, memories.tags, "
    "coalesce(memories.description, '') || char(10) || coalesce((SELECT bodies.text "
    "FROM bodies WHERE bodies.source = memories.source "
    "AND bodies.line = coalesce(memories.line, 0) LIMIT 1), ''), "
    "memories.store, memories.key FROM memories JOIN sources "
    "ON sources.id = memories.source "
    "WHERE memories.store IN (SELECT value FROM json_each(?)) "
    "AND NOT memories.archived "
    "ORDER BY memories.is_copy, memories.created_at IS NULL, memories.created_at, "
    "sources.path, memories.line, memories.id"
)


class _Seen(Struct, frozen=True):
    """A memory to compare with the others of its store."""

    row: int
    key: object
    sketch: Sketch


class _Group(Struct, frozen=True):
    """Duplicate memories, by their rows."""

    rows: list[int]
    share: float
    why: str
    nearest: Mapping[int, int] = {}


_HEADINGS = re.compile(r"^ {0,3}#{1,6} .*", re.MULTILINE)
"""Headings, which memories from one template share whatever they say."""


def find_doubles(asked: Asked) -> Iterator[Double]:
    """All duplicates, group by group, oldest first."""
    reader = asked.reader
    stores: defaultdict[int, list[_Seen]] = defaultdict(list)
    seen = json_text(reader.stores_seen)
    for row, ref, title, tags, text, store, key in reader.connection.execute(
        _DOUBLES_SKETCHED, (seen,)
    ):
        said = _HEADINGS.sub("", text) if "#" in text else text
        sketch = Sketch(ref, title, tuple(orjson.loads(tags)), said)
        stores[store].append(_Seen(row, key, sketch))
    for memories in stores.values():
        yield from _of_store(asked, memories)


def _of_store(asked: Asked, memories: list[_Seen]) -> Iterator[Double]:
    groups = [*_copies(memories), *_alike(memories)]
    rows = list(dict.fromkeys(row for group in groups for row in group.rows))
    records = asked.reader.rows(MEMORIES, rows, asked.circumstances.now)
    told: set[int] = set()
    for group in groups:
        there = [row for row in group.rows if row in records and row not in told]
        if len(there) > 1:
            told.update(there)
            for row in there:
                near = group.nearest.get(row)
                yield Double(
                    memory=records[row],
                    of=records[there[0]].ref,
                    nearest=records[near if near in there else there[0]].ref,
                    share=round(group.share, 3),
                    why=group.why,
                )


def _copies(memories: list[_Seen]) -> Iterator[_Group]:
    """Memories with the same identifier; the key of one without it is its path."""
    by_key: defaultdict[object, list[int]] = defaultdict(list)
    for memory in memories:
        by_key[memory.key].append(memory.row)
    for rows in by_key.values():
        if len(rows) > 1:
            yield _Group(rows, 1.0, COPIES)


def _alike(memories: list[_Seen]) -> Iterator[_Group]:
    for places, share, nearest in doubles([memory.sketch for memory in memories]):
        near = {memories[at].row: memories[to].row for at, to in nearest.items()}
        why = _NEARLY if share >= _ALIKE else f"{share:.0%} of words shared"
        yield _Group([memories[place].row for place in places], share, why, near)
