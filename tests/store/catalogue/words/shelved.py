"""The content of the index, read from SQLite directly."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from store.catalogue.database import seal
from store.catalogue.schema import SHELVES
from store.catalogue.words import index_much
from store.kinds.kind import Shelf


@contextmanager
def catalogue(path: Path) -> Generator[sqlite3.Connection]:
    """The catalogue, treated as intact whatever its content."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection
    seal(path)


def check(path: Path) -> None:
    """The index is complete: it has exactly the words of its texts, all listed."""
    with catalogue(path) as connection:
        for shelf in SHELVES:
            connection.execute(
                f"INSERT INTO {shelf.words} ({shelf.words}, rank) "
                "VALUES ('integrity-check', 1)"
            )
            assert terms(connection, shelf) <= listed(connection, shelf)


def terms(connection: sqlite3.Connection, shelf: Shelf) -> set[str]:
    """The terms of a shelf, by the index."""
    rows = connection.execute(f"SELECT term FROM {shelf.vocabulary}")
    return {term for (term,) in rows}


def listed(connection: sqlite3.Connection, shelf: Shelf) -> set[str]:
    """The listed terms of a shelf."""
    rows = lists(connection, shelf)
    return {term for text in rows for term in text.split("\n")}


def lists(connection: sqlite3.Connection, shelf: Shelf) -> list[str]:
    """The lists of a shelf's terms."""
    rows = connection.execute("SELECT terms FROM terms WHERE shelf = ?", (shelf.table,))
    return [text for (text,) in rows]


def identifiers(connection: sqlite3.Connection) -> dict[str, set[int]]:
    """The identifiers of the rows of every shelf."""
    return {
        shelf.table: {
            row for (row,) in connection.execute(f"SELECT id FROM {shelf.table}")
        }
        for shelf in SHELVES
    }


def cut_off_between(path: Path) -> None:
    """Bring the index up to date, but go down before the terms are listed."""
    with catalogue(path) as connection:
        index_much(connection, enough=1)
