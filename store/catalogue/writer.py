"""Write what was read from one source: delete old rows, insert new ones."""

import os
import sqlite3
from collections.abc import Iterable, Sequence
from functools import reduce

from store.catalogue.conversation_links import put_conversations
from store.catalogue.read import SourceRows
from store.catalogue.schema import OF_SOURCE, TABLES
from store.catalogue.sources import Known
from store.formats.port import Source
from store.kinds.messages import MESSAGES, envelopes, found_again
from store.kinds.problems import TAIL
from store.kinds.table import Origin, Row, fit_to_store
from store.transcript.messages import join

# Combine messages whose lines were read in several pieces.
#
# A message of a model spans several lines, and a file may be read in pieces or while it
# grows. In any case, one message becomes one row.

_NAMES = MESSAGES.table.filled
_ENVELOPES = TABLES["envelopes"]

_FAR = 20_000
"""The most lines between two parts of a message."""

_SPLIT = (
    "SELECT ref FROM messages WHERE source = ? AND line >= ? AND role = 'assistant' "
    "GROUP BY ref HAVING count(*) > 1"
)
_PARTS = (
    f"SELECT messages.id, {', '.join(f'messages.{name}' for name in _NAMES)}, "
    f"{', '.join(f'envelopes.{name}' for name in _ENVELOPES.filled)} FROM messages "
    "JOIN envelopes ON envelopes.source = messages.source "
    "AND envelopes.number = messages.envelope "
    "WHERE messages.source = ? AND messages.ref = ? AND messages.line >= ? "
    "AND role = 'assistant' ORDER BY messages.line, messages.id"
)
_KEPT = (
    f"UPDATE messages SET {', '.join(f'{name} = ?' for name in _NAMES)} WHERE id = ?"
)
_WRITTEN = """
    UPDATE writes SET line = ?1 WHERE source = ?2 AND line = ?3 AND (
        call IN (SELECT value FROM json_each(?4))
        OR call = '' AND NOT EXISTS (
            SELECT 1 FROM messages WHERE source = ?2 AND line = ?3
        )
    )
"""
"""Moves the writes of a part to the first line; its line may have other messages."""
_UNUSED = (
    "DELETE FROM envelopes WHERE source = ?1 AND number = ?2 AND NOT EXISTS "
    "(SELECT 1 FROM messages WHERE source = ?1 AND envelope = ?2)"
)


def put_together(
    connection: sqlite3.Connection, store: int, source: int, line: int
) -> int:
    """Combine all messages with a part at or after a line into one row each.

    Returns the first line that changed, which is that line or one before.
    """
    near = (source, line - _FAR)
    names = [name for (name,) in connection.execute(_SPLIT, near).fetchall()]
    lines = [_join(connection, store, (source, name, near[1])) for name in names]
    return min([line, *lines])


def _join(
    connection: sqlite3.Connection, store: int, parts_of: tuple[int, str, int]
) -> int:
    """Merge the other rows of a message into the first; returns its line."""
    source = parts_of[0]
    cursor = connection.execute(_PARTS, parts_of)
    names = [column[0] for column in cursor.description]
    rows = [dict(zip(names, row, strict=True)) for row in cursor]
    whole = reduce(join, map(found_again, rows))
    kept = MESSAGES.table.row(whole, Origin(b"", ""))
    connection.execute(_KEPT, (rows[0]["ref"], *kept[1:], rows[0]["id"]))
    connection.executemany(
        "DELETE FROM messages WHERE id = ?", [(row["id"],) for row in rows[1:]]
    )
    connection.executemany(
        _WRITTEN, [(whole.line, source, row["line"], row["calls"]) for row in rows[1:]]
    )
    kept_envelopes = envelopes([whole])
    connection.executemany(
        _ENVELOPES.insert, [(store, source, *row) for row in kept_envelopes]
    )
    numbers = {row["envelope"] for row in rows} - {row[0] for row in kept_envelopes}
    connection.executemany(_UNUSED, [(source, number) for number in numbers])
    return whole.line


# Write one source at a time: delete old rows, insert new ones.

_LINE = MESSAGES.table.filled.index("line")

_FRESH = """
    UPDATE sources SET fresh_from = min(coalesce(fresh_from, ?1), ?1) WHERE id = ?2
"""
"""Records the first line with a message of which its conversation does not know."""


FORGET_PAIRS = (
    "DELETE FROM problems WHERE other IN (SELECT ref FROM memories WHERE source = ?)"
)
"""Deletes the problems of other sources about two memories, of which one is here."""


class Writer:
    """Writes the rows of sources; the caller manages the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def put(
        self, store: int, source: Source, rows: SourceRows, known: Known | None
    ) -> Known:
        """Write the rows of a source; returns its new entry."""
        if known is None:
            return self.put_new(store, [(source, rows)])[0]
        values = _values(source, rows)
        self._connection.execute(
            "UPDATE sources SET role = ?, size = ?, mtime_ns = ?, inode = ?, "
            "offset = ?, noted = ?, more = ?, status = ?, "
            "fresh_from = CASE WHEN ? THEN fresh_from ELSE ? END, "
            "is_new = is_new OR ? OR copy_of IS NOT NULL WHERE id = ?",
            (*values[:-2], rows.goes_on, *values[-2:], known.row),
        )
        if rows.goes_on:
            self._forget_tail(known.row)
        else:
            self._clear([known.row])
        self._add(store, [(known.row, rows)])
        messages = rows.tables.get("messages")
        if rows.goes_on and messages:
            first = int(messages[0][_LINE] or 0)
            first = put_together(self._connection, store, known.row, first)
            self._connection.execute(_FRESH, (first, known.row))
        return Known(known.row, source.role, source.stamp, rows.mark, rows.more)

    def put_new(
        self, store: int, several: Sequence[tuple[Source, SourceRows]]
    ) -> list[Known]:
        """Write sources that are new, one table after the other; returns their entries.

        A statement for all sources takes half the time of one for each.
        """
        (last,) = self._connection.execute("SELECT max(id) FROM sources").fetchone()
        placed = list(enumerate(several, (last or 0) + 1))
        self._connection.executemany(
            "INSERT INTO sources "
            "(role, size, mtime_ns, inode, offset, noted, more, status, "
            "fresh_from, is_new, store, path, id) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (*_values(source, rows), store, os.fsencode(source.path), row)
                for row, (source, rows) in placed
            ],
        )
        self._add(store, [(row, rows) for row, (_, rows) in placed])
        return [
            Known(row, source.role, source.stamp, rows.mark, rows.more)
            for row, (source, rows) in placed
        ]

    def remove(self, sources: Iterable[Known]) -> None:
        """Delete sources that no longer exist."""
        rows = [known.row for known in sources]
        self._clear(rows)
        marks = [(row,) for row in rows]
        self._connection.executemany(
            "UPDATE sources SET copy_of = NULL, is_new = 1 WHERE copy_of = ?", marks
        )
        self._connection.executemany("DELETE FROM sources WHERE id = ?", marks)

    def _forget_tail(self, source: int) -> None:
        """Delete the problems at the end of a source, which may be fixed by now."""
        self._connection.execute(
            "DELETE FROM problems WHERE source = ? AND origin = ?", (source, TAIL)
        )

    def _clear(self, sources: list[int]) -> None:
        """Delete the rows of sources; edges from others to their memories break."""
        marks = [(row,) for row in sources]
        for end in ("start", '"end"'):
            self._connection.executemany(
                f"UPDATE edges SET {end} = NULL WHERE {end} IN "
                "(SELECT id FROM memories WHERE source = ?)",
                marks,
            )
        self._connection.executemany(FORGET_PAIRS, marks)
        for table in OF_SOURCE:
            self._connection.executemany(f"DELETE FROM {table} WHERE source = ?", marks)

    def _add(self, store: int, several: Sequence[tuple[int, SourceRows]]) -> None:
        """Insert the rows of sources, and the conversations built from them."""
        tables: dict[str, list[Row]] = {}
        for source, rows in several:
            for table, cells in rows.tables.items():
                placed = [(store, source, *row) for row in cells]
                tables.setdefault(table, []).extend(placed)
        for table, placed in tables.items():
            self._insert(TABLES[table].insert, placed)
        for source, rows in several:
            if rows.conversations:
                put_conversations(self._connection, store, source, rows.conversations)

    def _insert(self, statement: str, rows: list[Row]) -> None:
        """Insert rows; text that SQLite cannot store is fixed first."""
        before = self._connection.total_changes
        try:
            self._connection.executemany(statement, rows)
        except UnicodeEncodeError:
            done = self._connection.total_changes - before
            self._connection.executemany(statement, fit_to_store(rows[done:]))


def _values(source: Source, rows: SourceRows) -> tuple[object, ...]:
    """What the index says of a source after it was read."""
    talks = "messages" in rows.tables or "listed" in rows.tables or rows.goes_on
    waits = rows.more or (talks and rows.conversations is None)
    status = "ingesting" if waits else "idle"
    is_new = bool(talks) and not rows.goes_on
    fresh = 0 if waits else None
    return (source.role, *source.stamp, *rows.mark, rows.more, status, fresh, is_new)
