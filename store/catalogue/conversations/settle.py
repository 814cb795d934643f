"""Put the conversations of a store together, where its transcripts moved.

Spec 004's ingestion ends here: a transcript is `ingesting` from the moment that its
messages are written until its conversations are, and only then `idle`. One that was
read in one go brings its conversations along; here are those that came in pieces.
"""

import os
import sqlite3
from collections.abc import Iterable

from store.catalogue.conversations.addition import PROMPT
from store.catalogue.conversations.copies import mark_copies
from store.catalogue.conversations.gather import Times
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
from store.catalogue.rows.cells import Row, fit_to_store
from store.catalogue.rows.transcripts import COLUMNS as SOURCE_COLUMNS
from store.catalogue.rows.transcripts import QUEUED

_MOVED = "SELECT id, path FROM sources WHERE store = ? AND status = 'ingesting'"
_WITH_MESSAGES = """
    SELECT id, path FROM sources WHERE store = ?
    AND EXISTS (SELECT 1 FROM messages WHERE messages.source = sources.id)
"""
_WHERE = "WHERE source = ? ORDER BY line, id"
_NEEDLESS = frozenset({"ref", "offset", "extent", "kin"})
_CUT = {
    **{name: f"NULL AS {name}" for name in _NEEDLESS},
    "uuid": "CASE WHEN key IS NULL THEN uuid END",
    "text": f"CASE kind WHEN 'prompt' THEN substr(text, 1, {PROMPT}) END",
}
"""Of long columns as much as counts here, so that many rows take little room."""

_MESSAGE = SOURCE_COLUMNS["messages"].split()
_SAID = f"SELECT {', '.join(_CUT.get(n, n) for n in _MESSAGE)} FROM messages {_WHERE}"
_TIMES = f"SELECT at_micros, until_micros, entries, role FROM messages {_WHERE}"
_WAITED = f"SELECT 1 FROM messages WHERE source = ? AND flags & {QUEUED} LIMIT 1"
_PROMPTS = (
    f"SELECT {', '.join(_MESSAGE)} FROM messages WHERE source = ? AND kind = 'prompt'"
)
_LISTED = f"SELECT {', '.join(SOURCE_COLUMNS['listed'].split())} FROM listed {_WHERE}"
_WRITES = f"SELECT line, path, name FROM writes {_WHERE}"
_SESSIONS = (
    f"SELECT {', '.join(SOURCE_COLUMNS['sessions'].split())} FROM sessions "
    "WHERE source = ? ORDER BY id"
)
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
        (cells,) = fit_to_store([(store, source, *made.row)])
        row = connection.execute(_INSERT, cells).lastrowid
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
    _drop_repeated(connection, source)
    sessions = _merged_sessions(connection, store, source)
    messages = _cursor(connection, _SAID, source)
    listed = _cursor(connection, _LISTED, source)
    names = [column[0] for column in listed.description]
    told = [dict(zip(names, row, strict=True)) for row in listed]
    if told:
        made = listed_conversations(told, messages)
    else:
        times = Times.of(_cursor(connection, _TIMES, source))
        writes = _cursor(connection, _WRITES, source).fetchall()
        made = conversations_of(*where, Whole(times, messages, sessions, writes), gap)
    put_conversations(connection, store, source, made)


def _merged_sessions(
    connection: sqlite3.Connection, store: int, source: int
) -> list[Row]:
    """What the transcript says of itself; what its pieces say becomes one row."""
    rows = _cursor(connection, _SESSIONS, source).fetchall()
    if len(rows) > 1:
        rows = [together(rows).row()]
        connection.execute("DELETE FROM sessions WHERE source = ?", (source,))
        connection.execute(
            "INSERT INTO sessions (store, source, session, agent, parent, titles, "
            "lines) VALUES (?, ?, ?, ?, ?, ?, ?)",
            (store, source, *rows[0]),
        )
    return rows


def _drop_repeated(connection: sqlite3.Connection, source: int) -> None:
    """Of prompts that waited, only those stay that stand nowhere else."""
    if _cursor(connection, _WAITED, source).fetchone():
        prompts = _cursor(connection, _PROMPTS, source).fetchall()
        kept = {row[0] for row in without_repeated(prompts)}
        connection.executemany(
            "DELETE FROM messages WHERE ref = ?",
            [(row[0],) for row in prompts if row[0] not in kept],
        )


def _cursor(
    connection: sqlite3.Connection, question: str, source: int
) -> sqlite3.Cursor:
    """Put a question about one source."""
    return connection.execute(question, (source,))
