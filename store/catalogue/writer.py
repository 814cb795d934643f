"""Write what was read: one source at a time, old rows out, new rows in."""

import os
import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from store.catalogue import schema
from store.catalogue.conversations.settle import put_conversations
from store.catalogue.fragments import put_together
from store.catalogue.rows.cells import Row, fit_to_store
from store.catalogue.rows.flaws import TAIL
from store.catalogue.rows.source import COLUMNS, UNREAD, SourceRows
from store.files.beneath import Stamp
from store.findings import Mark
from store.formats.port import Source

_RECORDS = (
    "memories",
    "episodes",
    "documents",
    "messages",
    "listed",
    "events",
    "measures",
    "agents",
)
"""The tables whose rows are records, or all but: some are put together afterwards."""

_LINE = COLUMNS["messages"].split().index("line")

SETTLED = b""
"""In place of a store's signature: all that is known of it is put together, but a few
files of it were read by themselves, so nobody has looked at it as a whole since."""

_TRIED_AGAIN = 8
"""How many unreadable sources are tried when nothing else moved."""


class Known(NamedTuple):
    """A source as the catalogue knows it."""

    row: int
    """Its row."""
    role: str
    """What it was to its store."""
    stamp: Stamp
    """What it was when it was read."""
    mark: Mark
    """Where reading may go on, in a source that grows; `UNREAD` where it failed."""
    more: bool
    """Whether a piece of it is still to be read."""

    def is_partly_read(self, source: Source) -> bool:
        """Whether this very source was being read when something came between."""
        return self.more and self.stamp == source.stamp and self.role == source.role


def _insert(table: str) -> str:
    """The statement that adds a row of a source to a table."""
    columns = COLUMNS[table].split()
    marks = ", ".join("?" * (len(columns) + 2))
    return f"INSERT INTO {table} (store, source, {', '.join(columns)}) VALUES ({marks})"


_INSERTS = {table: _insert(table) for table in COLUMNS}


class StoreEntry(NamedTuple):
    """What is noted of a store itself."""

    format: str
    title: str
    writable: bool


class Writer:
    """Puts stores and sources into the catalogue; the caller holds the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def enter(self, path: bytes, entry: StoreEntry) -> int:
        """Note a store; nothing is written where all of it is known already."""
        row = self._connection.execute(
            "SELECT id, format, title, writable FROM stores WHERE path = ?", (path,)
        ).fetchone()
        if row and tuple(row[1:]) == entry:
            return int(row[0])
        if row and row[1] != entry.format:
            self.forget_store(row[0])
        (number,) = self._connection.execute(
            "INSERT INTO stores (path, format, title, writable) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (path) DO UPDATE SET title = excluded.title, "
            "writable = excluded.writable RETURNING id",
            (path, *entry),
        ).fetchone()
        return int(number)

    def forget_store(self, store: int) -> None:
        """Remove a store that is gone, with all its rows."""
        self._connection.execute(
            "DELETE FROM runs WHERE source IN (SELECT id FROM sources WHERE store = ?)",
            (store,),
        )
        for table in (*schema.OF_STORE, "noticed", "sources"):
            self._connection.execute(f"DELETE FROM {table} WHERE store = ?", (store,))
        self._connection.execute("DELETE FROM stores WHERE id = ?", (store,))

    def signature(self, path: bytes, form: str) -> bytes | None:
        """What a store's listing came to when all of it was read and put together."""
        row = self._connection.execute(
            "SELECT signature FROM stores WHERE path = ? AND format = ?", (path, form)
        ).fetchone()
        return row[0] if row else None

    def files(self, path: bytes) -> int:
        """How many sources of a store are known."""
        (number,) = self._connection.execute(
            "SELECT count(*) FROM sources JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ?",
            (path,),
        ).fetchone()
        return int(number)

    def unread(self, path: bytes) -> list[Source]:
        """Some of a store's sources that could not be read."""
        rows = self._connection.execute(
            "SELECT sources.path, role, size, mtime_ns, inode FROM sources "
            "JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND offset = ? LIMIT ?",
            (path, UNREAD, _TRIED_AGAIN),
        )
        return [
            Source(os.fsdecode(place), role, Stamp(*stamp))
            for place, role, *stamp in rows
        ]

    def gap(self, store: int) -> int | None:
        """The gap that a store's conversations were divided by."""
        question = "SELECT gap FROM stores WHERE id = ?"
        (gap,) = self._connection.execute(question, (store,)).fetchone()
        return None if gap is None else int(gap)

    def sign(self, store: int, signature: bytes | None) -> None:
        """Note that all of a store was read and put together; None: that it was not."""
        self._connection.execute(
            "UPDATE stores SET signature = ? WHERE id = ?", (signature, store)
        )

    def known(self, path: bytes, form: str) -> dict[str, Known]:
        """What the catalogue knows of a store's sources, by path.

        Nothing, where they were read by another format: that goes with its store.
        """
        rows = self._connection.execute(
            "SELECT sources.path, sources.id, role, size, mtime_ns, inode, offset, "
            "noted, more "
            "FROM sources JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND stores.format = ?",
            (path, form),
        )
        return {
            os.fsdecode(path): Known(
                row, role, Stamp(*stamp), Mark(offset, memory), bool(more)
            )
            for path, row, role, *stamp, offset, memory, more in rows
        }

    def known_one(self, store: int, path: str) -> Known | None:
        """What the catalogue knows of one source; None where it knows none."""
        row = self._connection.execute(
            "SELECT id, role, size, mtime_ns, inode, offset, noted, more "
            "FROM sources WHERE store = ? AND path = ?",
            (store, os.fsencode(path)),
        ).fetchone()
        if row is None:
            return None
        number, role, *stamp, offset, memory, more = row
        return Known(number, role, Stamp(*stamp), Mark(offset, memory), bool(more))

    def refused(self, path: bytes) -> list[Row]:
        """What is noted to lie in a store and not to be read."""
        return self._connection.execute(
            "SELECT problems.path, code, severity, line, message FROM problems "
            "JOIN stores ON stores.id = problems.store "
            "WHERE stores.path = ? AND origin = 'refused' ORDER BY problems.id",
            (path,),
        ).fetchall()

    def put(
        self, store: int, source: Source, rows: SourceRows, known: Known | None
    ) -> tuple[Known, int]:
        """Write a source's rows; returns what is known of it then, and its records."""
        stamp = source.stamp
        place = os.fsencode(source.path)
        talks = "messages" in rows.tables or "listed" in rows.tables or rows.goes_on
        waits = rows.more or (talks and rows.conversations is None)
        status = "ingesting" if waits else "idle"
        is_new = bool(talks) and not rows.goes_on
        values = (source.role, *stamp, *rows.mark, rows.more, status, is_new)
        run = self._connection.execute
        if known is None:
            cursor = run(
                "INSERT INTO sources "
                "(role, size, mtime_ns, inode, offset, noted, more, status, is_new, "
                "store, path) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (*values, store, place),
            )
            row = cursor.lastrowid or 0
        else:
            row = known.row
            run(
                "UPDATE sources SET role = ?, size = ?, mtime_ns = ?, inode = ?, "
                "offset = ?, noted = ?, more = ?, status = ?, is_new = is_new OR ? "
                "WHERE id = ?",
                (*values, row),
            )
            if rows.goes_on:
                self._forget_tail(row)
            else:
                self._clear([row])
        self._add(store, row, rows.tables)
        messages = rows.tables.get("messages")
        if rows.goes_on and messages:
            put_together(self._connection, row, int(messages[0][_LINE] or 0))
        put_conversations(self._connection, store, row, rows.conversations or ())
        now = Known(row, source.role, stamp, rows.mark, rows.more)
        return now, sum(len(rows.tables.get(table, ())) for table in _RECORDS)

    def remove(self, sources: Iterable[Known]) -> None:
        """Forget sources that are gone."""
        rows = [known.row for known in sources]
        self._clear(rows)
        marks = [(row,) for row in rows]
        self._connection.executemany(
            "UPDATE sources SET copy_of = NULL, is_new = 1 WHERE copy_of = ?", marks
        )
        self._connection.executemany("DELETE FROM sources WHERE id = ?", marks)

    def refuse(self, store: int, rows: list[Row]) -> None:
        """Replace the problems of what is not read at all, where they differ."""
        run = self._connection.execute
        before = run(
            "SELECT path, code, severity, line, message FROM problems "
            "WHERE store = ? AND origin = 'refused' ORDER BY id",
            (store,),
        )
        if [tuple(row) for row in before] == rows:
            return
        run("DELETE FROM problems WHERE store = ? AND origin = 'refused'", (store,))
        self._connection.executemany(
            "INSERT INTO problems (store, origin, path, code, severity, line, message) "
            "VALUES (?, 'refused', ?, ?, ?, ?, ?)",
            [(store, *row) for row in rows],
        )

    def _forget_tail(self, source: int) -> None:
        """What was wrong with the end of a source says nothing once more follows."""
        self._connection.execute(
            "DELETE FROM problems WHERE source = ? AND origin = ?", (source, TAIL)
        )

    def _clear(self, sources: list[int]) -> None:
        """Remove the rows of sources; edges of others that met there now dangle."""
        marks = [(row,) for row in sources]
        for end in ("start", '"end"'):
            self._connection.executemany(
                f"UPDATE edges SET {end} = NULL WHERE {end} IN "
                "(SELECT id FROM memories WHERE source = ?)",
                marks,
            )
        for table in schema.OF_SOURCE:
            self._connection.executemany(f"DELETE FROM {table} WHERE source = ?", marks)

    def _add(self, store: int, source: int, tables: Mapping[str, list[Row]]) -> None:
        """Insert rows; text that SQLite cannot hold is made holdable first."""
        for table, rows in tables.items():
            placed = [(store, source, *row) for row in rows]
            before = self._connection.total_changes
            try:
                self._connection.executemany(_INSERTS[table], placed)
            except UnicodeEncodeError:
                done = self._connection.total_changes - before
                rest = fit_to_store(placed[done:])
                self._connection.executemany(_INSERTS[table], rest)
