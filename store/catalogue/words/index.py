"""Bring the index of words up to date with the rows that were added."""

import sqlite3
from collections.abc import Iterable

from store.catalogue.database import transaction
from store.catalogue.words.shelves import KEPT, SHELVES, TERM, Shelf

_AT_ONCE = 50_000
"""Rows that one transaction indexes."""

_FEW = 5_000
"""So many new rows have their terms gathered by themselves; more, and all are listed
again, which takes as long as there are terms."""

_SCATTERED = 16
"""So many lists of terms of one shelf are put together into one."""

_FRESH = (
    (
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh "
        f"USING fts5(text, content = '', {KEPT})"
    ),
    (
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.fresh_terms "
        "USING fts5vocab(temp, fresh, 'row')"
    ),
)
"""An index of a few rows, to learn which terms they hold."""


def index_words(connection: sqlite3.Connection) -> None:
    """Index what was added since the last time, shelf by shelf."""
    for shelf in SHELVES:
        while _index_some(connection, shelf):
            pass
        _note_terms(connection, shelf)


def index_much(connection: sqlite3.Connection) -> None:
    """Index what has come together of the shelves that fill fast.

    Done while readers are busy, it takes no time of its own at the end.
    """
    for shelf in SHELVES:
        while _last(connection, shelf) - upto(connection, shelf) >= _AT_ONCE:
            _index_some(connection, shelf)


def upto(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last row of a shelf that the index knows."""
    question = "SELECT upto FROM shelved WHERE shelf = ?"
    (row,) = connection.execute(question, (shelf.table,)).fetchone()
    return int(row)


def listed(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last row of a shelf whose terms are listed."""
    question = "SELECT noted FROM shelved WHERE shelf = ?"
    (row,) = connection.execute(question, (shelf.table,)).fetchone()
    return int(row)


def _last(connection: sqlite3.Connection, shelf: Shelf) -> int:
    """The last row that there is."""
    question = f"SELECT coalesce(max(id), 0) FROM {shelf.table}"
    return int(connection.execute(question).fetchone()[0])


def _index_some(connection: sqlite3.Connection, shelf: Shelf) -> bool:
    """Index some rows, if any are left."""
    if _last(connection, shelf) <= upto(connection, shelf):
        return False
    with transaction(connection):
        begin = upto(connection, shelf)
        end = min(begin + _AT_ONCE, _last(connection, shelf))
        connection.execute(
            f"INSERT INTO {shelf.words} (rowid, text) SELECT id, text "
            f"FROM {shelf.texts} WHERE id > ? AND id <= ? ORDER BY id",
            (begin, end),
        )
        connection.execute(
            "UPDATE shelved SET upto = ? WHERE shelf = ?", (end, shelf.table)
        )
    return True


def _note_terms(connection: sqlite3.Connection, shelf: Shelf) -> None:
    """List the terms that the new and the changed rows hold."""
    before = listed(connection, shelf)
    new, changed = _rows_since(connection, shelf, before)
    if not new + changed:
        return
    with transaction(connection):
        if new + changed > _FEW:
            terms = _all_terms(connection, shelf)
            _replace(connection, shelf, terms)
        else:
            _add(connection, shelf, _terms_since(connection, shelf, before))
        connection.execute("DELETE FROM changed_texts WHERE shelf = ?", (shelf.table,))
        connection.execute(
            "UPDATE shelved SET noted = upto WHERE shelf = ?", (shelf.table,)
        )


def _rows_since(
    connection: sqlite3.Connection, shelf: Shelf, before: int
) -> tuple[int, int]:
    """How many rows are new, and how many older ones changed."""
    return tuple(
        connection.execute(
            f"SELECT (SELECT count(*) FROM (SELECT 1 FROM {shelf.table} "
            "WHERE id > ?1 LIMIT ?3)), "
            "(SELECT count(*) FROM changed_texts WHERE shelf = ?2)",
            (before, shelf.table, _FEW + 1),
        ).fetchone()
    )


def _terms_since(
    connection: sqlite3.Connection, shelf: Shelf, before: int
) -> list[str]:
    """The terms of the rows after one, and of those that changed."""
    for statement in _FRESH:
        connection.execute(statement)
    connection.execute(
        f"INSERT INTO fresh (rowid, text) SELECT id, text FROM {shelf.texts} "
        "WHERE id > ?1 OR id IN (SELECT row FROM changed_texts WHERE shelf = ?2)",
        (before, shelf.table),
    )
    rows = connection.execute(f"SELECT {TERM} FROM fresh_terms")
    terms = [term for (term,) in rows]
    connection.execute("INSERT INTO fresh (fresh) VALUES ('delete-all')")
    return terms


def _all_terms(connection: sqlite3.Connection, shelf: Shelf) -> list[str]:
    """The terms of all rows."""
    rows = connection.execute(f"SELECT {TERM} FROM {shelf.vocabulary}")
    return [term for (term,) in rows]


def _add(connection: sqlite3.Connection, shelf: Shelf, terms: list[str]) -> None:
    """Keep a list of terms beside the others; many lists become one."""
    question = "SELECT terms FROM terms WHERE shelf = ?"
    lists = [text for (text,) in connection.execute(question, (shelf.table,))]
    if len(lists) < _SCATTERED:
        _insert(connection, shelf, terms)
        return
    known = set(terms).union(*(text.split("\n") for text in lists))
    known.discard("")
    _replace(connection, shelf, sorted(known))


def _replace(
    connection: sqlite3.Connection, shelf: Shelf, terms: Iterable[str]
) -> None:
    """Keep one list of terms in place of all."""
    connection.execute("DELETE FROM terms WHERE shelf = ?", (shelf.table,))
    _insert(connection, shelf, terms)


def _insert(connection: sqlite3.Connection, shelf: Shelf, terms: Iterable[str]) -> None:
    text = "\n".join(["", *terms, ""])
    connection.execute(
        "INSERT INTO terms (shelf, terms) VALUES (?, ?)", (shelf.table, text)
    )
