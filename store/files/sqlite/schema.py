"""The real tables of a database: neither views nor what a module makes up."""

import re
import sqlite3
from itertools import islice

MOST = 1_000
"""How many tables are looked at."""

_TABLE = re.compile(r"\s*create\s+table\b", re.IGNORECASE)
_VIRTUAL = 2
"""What SQLite calls a column that is computed whenever it is read."""
_FIND = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
_ORDER = " ORDER BY name"


def quote(identifier: str) -> str:
    """An identifier as SQL spells it, whatever it consists of."""
    return '"' + identifier.replace('"', '""') + '"'


def real_tables(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Every table and its columns, in order of their names; raises sqlite3.Error."""
    found = connection.execute(_FIND + _ORDER)
    names = [name for name, sql in islice(found, MOST) if _is_table(name, sql)]
    return {
        name: tuple(column for column, _ in _columns(connection, name))
        for name in names
    }


def _is_table(name: object, sql: object) -> bool:
    """Whether the statement that made it made a table, whatever the row calls it."""
    return (
        isinstance(name, str)
        and isinstance(sql, str)
        and "\0" not in name
        and bool(_TABLE.match(sql))
    )


def computed(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns that hold nothing: their values would be worked out by reading."""
    return frozenset(
        name for name, kind in _columns(connection, table) if kind == _VIRTUAL
    )


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The names of a table's columns, and what kind of column each is."""
    rows = connection.execute(f"PRAGMA table_xinfo({quote(table)})")
    return [(row[1], row[-1]) for row in rows]
