"""Memories that are like one, found without looking at all of them.

What tells the memory from others is looked up in the index; the few hundred that share
most of it are held against it as a whole.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

import orjson

from store.catalogue.finding.asked import Asked
from store.catalogue.finding.frequent import Index
from store.catalogue.finding.near import rows_near
from store.catalogue.reader import Reader
from store.catalogue.rows.cells import json_text
from store.catalogue.views import MEMORIES
from store.records.memory import Memory
from store.records.similar import Similar
from store.search.similar import Alike, Near, Sketch, Telling, most_alike, tell

_LOOKED_AT = 300
"""So many memories are held against the one, those that share most with it."""

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
    """The memories most like one, the most alike first.

    `near` are those whose vectors lie near its own; `unlinked` leaves out what an edge
    leads to or from.
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
    return _told(asked, {rows[one.ref]: one for one in found}, linked)


def _linked(reader: Reader, row: int) -> set[int]:
    """The memories that an edge leads to from one, or from which one leads to it."""
    return {other for (other,) in reader.connection.execute(_LINKED, (row,))}


def _candidates(index: Index, telling: Telling) -> list[int]:
    """The memories that share most of what tells one from others."""
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
    """Some memories, as much of them as likeness is told by.

    Several may have one ref; the row behind it tells them apart.
    """
    found = reader.connection.execute(_SKETCHED, (json_text(sorted(rows)),))
    return {
        row: Sketch(f"{ref} {row}", title, tuple(orjson.loads(tags)), text)
        for row, ref, title, tags, text in found
    }


def _told(asked: Asked, found: Mapping[int, Alike], linked: set[int]) -> list[Similar]:
    """The records of what was found."""
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
