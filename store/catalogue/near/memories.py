"""What is kept of a memory because of others: its ref, its links, how often used."""

import os
import sqlite3
from collections.abc import Iterable

from store.catalogue.keys import Keyed
from store.catalogue.settle import name_duplicates_apart

_CALLED = """
    SELECT memories.id, memories."key", sources.path, memories.line, memories.is_copy
    FROM memories JOIN sources ON sources.id = memories.source
    WHERE memories."key" = ? AND memories.store = ?
    ORDER BY sources.path, memories.line, memories.id
"""
_COUNTED = """
    UPDATE memories SET
        links_in = (SELECT count(*) FROM edges WHERE "end" = memories.id),
        links_out = (SELECT count(*) FROM edges WHERE start = memories.id)
    WHERE id = ?
"""


def name_apart(
    connection: sqlite3.Connection, store: int, place: bytes, keys: Iterable[str]
) -> list[int]:
    """Give the memories that share an identifier refs of their own.

    Returns all memories that have one of the keys for their own.
    """
    copies: list[Keyed] = []
    copies_no_more: list[Keyed] = []
    rows: list[int] = []
    for key in keys:
        found = connection.execute(_CALLED, (key, store)).fetchall()
        rows += [row for row, *_ in found]
        if key.startswith("id:"):
            first, *others = [_keyed(*row) for row in found] or [None]
            copies_no_more += [first] if first and first.was_copy else []
            copies += [other for other in others if other]
    name_duplicates_apart(connection, place, copies_no_more, copies)
    return rows


def count_links(connection: sqlite3.Connection, memories: Iterable[int]) -> None:
    """Keep how many edges meet some memories."""
    connection.executemany(_COUNTED, [(memory,) for memory in memories])


def _keyed(row: int, key: str, path: bytes, line: int | None, was_copy: int) -> Keyed:
    return Keyed(row, key, os.fsdecode(path), line, bool(was_copy))
