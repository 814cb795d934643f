"""Pins that their stores have no words for, as the catalogue shows them."""

import os
import sqlite3
from collections.abc import Mapping, Sequence

import orjson

from store.catalogue.database import transaction
from store.catalogue.moves import note_move

_OURS = 2
"""What `memories.pinned` is where nobody but the program knows of the pin; 1 is what a
store says itself."""

_NO_MORE = f"""
    SELECT 1 FROM memories WHERE store = ?1 AND pinned = {_OURS}
        AND key NOT IN (SELECT value FROM json_each(?2)) LIMIT 1
"""

_NOT_YET = """
    SELECT 1 FROM memories WHERE store = ?1 AND pinned = 0
        AND key IN (SELECT value FROM json_each(?2)) LIMIT 1
"""
"""Looks at every memory of the store, so it is asked only where some are marked."""

_PINNED = f"""
    UPDATE memories
    SET pinned = CASE WHEN pinned = {_OURS} THEN 0 ELSE {_OURS} END
    WHERE store = ?1 AND (
        (pinned = {_OURS} AND key NOT IN (SELECT value FROM json_each(?2)))
        OR (pinned = 0 AND key IN (SELECT value FROM json_each(?2)))
    )
"""


def show_pins(
    connection: sqlite3.Connection, marked: Mapping[str, Sequence[str]]
) -> None:
    """Let those memories be pinned that are marked, by their keys, store by store."""
    for row, place in connection.execute("SELECT id, path FROM stores").fetchall():
        keys = marked.get(os.fsdecode(place), ())
        told = (row, orjson.dumps(keys).decode())
        questions = (_NO_MORE, _NOT_YET) if keys else (_NO_MORE,)
        if any(connection.execute(each, told).fetchone() for each in questions):
            with transaction(connection):
                connection.execute(_PINNED, told)
                note_move(connection, place, {"memories"})
