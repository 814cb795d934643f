"""The whole content of a catalogue, table by table, independent of row numbers."""

import sqlite3
from contextlib import closing
from pathlib import Path

from store.catalogue import schema
from store.catalogue.schema import SHELVES

_TABLES = (*schema.OF_STORE, "sources", "noticed", "stores")
_INCIDENTAL = {"id", "store", "at", "signature", "newlines"}
"""Numbers of rows, when something was noticed, and what only some changes tell."""

_NAMED = {
    "source": "SELECT path FROM sources WHERE id = ?",
    "shared": "SELECT code || severity FROM problems WHERE id = ?",
    "message": "SELECT ref FROM messages WHERE id = ?",
    **dict.fromkeys(
        ("memory", "start", "end"),
        "SELECT path || ref FROM memories JOIN sources ON sources.id = source "
        "WHERE memories.id = ?",
    ),
}
"""What stands in place of the numbers of other rows, where a column holds them."""


def rows_of(catalogue: Path) -> dict[str, list[str]]:
    """The rows of all tables, in a fixed order."""
    with closing(sqlite3.connect(catalogue)) as connection:
        for shelf in SHELVES:
            check = f"INSERT INTO {shelf.words} ({shelf.words}, rank) VALUES (?, 1)"
            connection.execute(check, ("integrity-check",))
        return {table: sorted(_rows(connection, table)) for table in _TABLES}


def _rows(connection: sqlite3.Connection, table: str) -> list[str]:
    cursor = connection.execute(f"SELECT * FROM {table}")
    names = [column[0] for column in cursor.description]
    kept = _INCIDENTAL - ({"at"} if table in {"episodes", "events"} else set())
    return [
        repr(
            {
                name: _named(connection, table, name, value)
                for name, value in zip(names, row, strict=True)
                if name not in kept
            }
        )
        for row in cursor.fetchall()
    ]


def _named(
    connection: sqlite3.Connection, table: str, column: str, value: object
) -> object:
    is_number = table == "measures" and column != "source"
    if column not in _NAMED or not isinstance(value, int) or is_number:
        return value
    row = connection.execute(_NAMED[column], (value,)).fetchone()
    return row[0] if row else f"row {value}, which is nowhere"
