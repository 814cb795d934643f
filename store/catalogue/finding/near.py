"""Memories by the keys that the vectors of their stores have them under."""

import os
from collections import defaultdict
from collections.abc import Iterable, Sequence

from store.catalogue.reader import Reader
from store.catalogue.rows.cells import holdable, json_text
from store.search.similar import Near

_KEYED = (
    "SELECT memories.key, memories.id FROM memories "
    "JOIN stores ON stores.id = memories.store "
    "WHERE stores.path = ? AND memories.key IN (SELECT value FROM json_each(?))"
)


def rows_near(reader: Reader, near: Sequence[Near]) -> dict[int, float]:
    """The rows of the memories that lie near, and how near; the nearest first."""
    by_store: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for one in near:
        by_store[one.store][holdable(one.key)] = one.score
    rows = {
        row: scores[key]
        for store, scores in by_store.items()
        for key, row in _rows(reader, store, scores)
    }
    return dict(sorted(rows.items(), key=lambda found: (-found[1], found[0])))


def _rows(reader: Reader, store: str, keys: Iterable[str]) -> list[tuple[str, int]]:
    """The rows of a store's memories that have one of some keys."""
    values = (os.fsencode(store), json_text(list(keys)))
    return reader.connection.execute(_KEYED, values).fetchall()
