"""Memories that stand more than once: by their identifier, or by what they say."""

from collections import defaultdict
from collections.abc import Iterator

import orjson
from msgspec import Struct

from store.catalogue.finding.asked import Asked
from store.catalogue.rows.cells import json_text
from store.catalogue.views import MEMORIES
from store.records.double import Double
from store.search.similar import Sketch, doubles

_NEARLY = "they say nearly the same"
_COPIES = "they have one identifier"

_SKETCHED = (
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
    """A memory that is held against the others of its store."""

    row: int
    key: object
    sketch: Sketch


class _Group(Struct, frozen=True):
    """Memories that are one, by their rows."""

    rows: list[int]
    share: float
    why: str


def find_doubles(asked: Asked) -> Iterator[Double]:
    """All that stand more than once, group by group, what was made first at first."""
    reader = asked.reader
    stores: defaultdict[int, list[_Seen]] = defaultdict(list)
    seen = json_text(reader.stores_seen)
    for row, ref, title, tags, text, store, key in reader.connection.execute(
        _SKETCHED, (seen,)
    ):
        sketch = Sketch(ref, title, tuple(orjson.loads(tags)), text)
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
                yield Double(
                    memory=records[row],
                    of=records[there[0]].ref,
                    share=round(group.share, 3),
                    why=group.why,
                )


def _copies(memories: list[_Seen]) -> Iterator[_Group]:
    """Those that share an identifier; of those without one, the path is the key."""
    by_key: defaultdict[object, list[int]] = defaultdict(list)
    for memory in memories:
        by_key[memory.key].append(memory.row)
    for rows in by_key.values():
        if len(rows) > 1:
            yield _Group(rows, 1.0, _COPIES)


def _alike(memories: list[_Seen]) -> Iterator[_Group]:
    for places, share in doubles([memory.sketch for memory in memories]):
        yield _Group([memories[place].row for place in places], share, _NEARLY)
