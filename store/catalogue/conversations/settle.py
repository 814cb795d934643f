"""Put the conversations of a store together, where its transcripts moved.

Spec 004's ingestion ends here: a transcript is `ingesting` from the moment that its
messages are written until its conversations are, and only then `idle`. One that was
read in one go brings its conversations along; here are those that came in pieces.
"""

import os
import sqlite3
from collections.abc import Iterable

from store.catalogue.conversations.copies import mark_copies
from store.catalogue.conversations.made import (
    COLUMNS,
    Made,
    Whole,
    conversations_of,
    listed_conversations,
    without_repeated,
)
from store.catalogue.conversations.parents import find_parents
from store.catalogue.conversations.told import together
from store.catalogue.rows.cells import Row
from store.catalogue.rows.transcripts import COLUMNS as SOURCE_COLUMNS

_MOVED = "SELECT id, path FROM sources WHERE store = ? AND status = 'ingesting'"
_WITH_MESSAGES = """
    SELECT id, path FROM sources WHERE store = ?
    AND EXISTS (SELECT 1 FROM messages WHERE messages.source = sources.id)
"""
_INSERT = (
    f"INSERT INTO conversations (store, source, {', '.join(COLUMNS)}) "
    f"VALUES ({', '.join('?' * (len(COLUMNS) + 2))})"
)


def settle_conversations(
    connection: sqlite3.Connection, store: int, place: bytes, gap: int
) -> None:
    """Make the conversations of all transcripts that moved, or that the gap divides."""
    (before,) = connection.execute(
        "SELECT gap FROM stores WHERE id = ?", (store,)
    ).fetchone()
    question = _MOVED if before in (gap, None) else _WITH_MESSAGES
    for source, path in connection.execute(question, (store,)).fetchall():
        _settle_one(connection, (store, source), (place, os.fsdecode(path)), gap)
    mark_copies(connection, store)
    find_parents(connection, store)
    connection.execute(
        "UPDATE sources SET status = 'idle' "
        "WHERE store = ? AND status = 'ingesting' AND NOT more",
        (store,),
    )
    connection.execute("UPDATE stores SET gap = ? WHERE id = ?", (gap, store))


def put_conversations(
    connection: sqlite3.Connection, store: int, source: int, several: Iterable[Made]
) -> None:
    """Write the conversations of a source and the lines that each covers."""
    for made in several:
        row = connection.execute(_INSERT, (store, source, *made.row)).lastrowid
        connection.executemany(
            "INSERT INTO runs VALUES (?, ?, ?, ?)",
            [(source, first, last, row) for first, last in made.runs],
        )


def _settle_one(
    connection: sqlite3.Connection,
    numbers: tuple[int, int],
    where: tuple[bytes, str],
    gap: int,
) -> None:
    """Replace the conversations of one source."""
    store, source = numbers
    for table in ("conversations", "runs"):
        connection.execute(f"DELETE FROM {table} WHERE source = ?", (source,))
    sessions = _merged_sessions(connection, store, source)
    messages = _kept(connection, source)
    listed = _cursor(connection, "listed", source)
    names = [column[0] for column in listed.description]
    told = [dict(zip(names, row, strict=True)) for row in listed]
    if told:
        put_conversations(
            connection, store, source, listed_conversations(told, messages)
        )
        return
    whole = Whole(messages, sessions, _cursor(connection, "writes", source).fetchall())
    made = conversations_of(*where, whole, gap)
    put_conversations(connection, store, source, made)


def _merged_sessions(
    connection: sqlite3.Connection, store: int, source: int
) -> list[Row]:
    """What the transcript says of itself; what its pieces say becomes one row."""
    rows = _cursor(connection, "sessions", source).fetchall()
    if len(rows) > 1:
        rows = [together(rows).row()]
        connection.execute("DELETE FROM sessions WHERE source = ?", (source,))
        connection.execute(
            "INSERT INTO sessions (store, source, session, agent, parent, titles, "
            "lines) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (store, source, *rows[0]),
        )
    return rows


def _kept(connection: sqlite3.Connection, source: int) -> list[Row]:
    """The messages of a source, without those that stand in it twice."""
    messages = _cursor(connection, "messages", source).fetchall()
    kept = without_repeated(messages)
    if len(kept) < len(messages):
        refs = {row[0] for row in messages} - {row[0] for row in kept}
        connection.executemany(
            "DELETE FROM messages WHERE ref = ?", [(name,) for name in refs]
        )
    return kept


def _cursor(connection: sqlite3.Connection, table: str, source: int) -> sqlite3.Cursor:
    """The rows of a source in a table, in the columns that sources fill."""
    columns = ", ".join(SOURCE_COLUMNS[table].split())
    if table == "messages":
        columns = columns.removesuffix("text") + (
            "CASE kind WHEN 'prompt' THEN text END"
        )
    order = "id" if table == "sessions" else "line, id"
    return connection.execute(
        f"SELECT {columns} FROM {table} WHERE source = ? ORDER BY {order}", (source,)
    )
