"""What the index holds, asked of SQLite itself."""

import sqlite3
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from store.catalogue.words.index import index_words
from store.catalogue.words.shelves import SHELVES, Shelf


@contextmanager
def catalogue(path: Path) -> Generator[sqlite3.Connection]:
    """The catalogue, as another program sees it."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        yield connection


def check(path: Path) -> None:
    """The index is whole: it holds the words of its texts, no others, all listed."""
    with catalogue(path) as connection:
        for shelf in SHELVES:
            connection.execute(
                f"INSERT INTO {shelf.words} ({shelf.words}, rank) "
                "VALUES ('integrity-check', 1)"
            )
            assert terms(connection, shelf) <= listed(connection, shelf)


def terms(connection: sqlite3.Connection, shelf: Shelf) -> set[str]:
    """The terms that stand on a shelf, by the index."""
    rows = connection.execute(f"SELECT term FROM {shelf.vocabulary}")
    return {term for (term,) in rows}


def listed(connection: sqlite3.Connection, shelf: Shelf) -> set[str]:
    """The terms that are listed of a shelf."""
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
        connection.set_authorizer(_no_lists)
        try:
            index_words(connection)
        except sqlite3.DatabaseError:
            return


def _no_lists(action: int, table: str | None, *_: str | None) -> int:
    is_list = action == sqlite3.SQLITE_INSERT and table == "terms"
    return sqlite3.SQLITE_DENY if is_list else sqlite3.SQLITE_OK
