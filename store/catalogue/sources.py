"""What the index knows about stores and their files, to see what moved."""

import os
import sqlite3
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from msgspec import Struct

from store.catalogue.schema import OF_STORE
from store.derive.conversations import USUAL
from store.files.beneath import Stamp
from store.findings import Mark
from store.formats.port import Source
from store.kinds.problems import CLOCK
from store.kinds.table import Row

UNREAD = -1
"""An offset that marks an unreadable source, which is tried again as soon as anything
in its store changes, even a permission."""

SETTLED = b""
"""A store signature which means that everything known is up to date, but some files
were read on their own, so the whole store has not been scanned since."""

_TRIED_AGAIN = 8
"""How many unreadable sources are tried again if nothing else changed."""


class Known(Struct, frozen=True):
    """A source in the catalogue."""

    row: int
    """Its row id."""
    role: str
    """Its role in the store."""
    stamp: Stamp
    """Its stamp when it was read."""
    mark: Mark
    """Where to continue reading if it grows; `UNREAD` if it could not be read."""
    more: bool
    """Whether a part of it is still to be read."""

    def is_partly_read(self, source: Source) -> bool:
        """Whether reading this same source was interrupted."""
        return self.more and self.stamp == source.stamp and self.role == source.role


class StoreEntry(NamedTuple):
    """The catalogue's data about a store itself."""

    format: str
    title: str
    writable: bool
    given: bool
    """Whether the user said its format."""
    minimum: int = USUAL.minimum
    """The fewest entries of a conversation that is worth a memory."""
    poll: int = USUAL.poll
    """How often a program looks for those that ended, in microseconds."""


class Sources:
    """The stores and sources in the index; the caller manages the transaction."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def enter(self, path: bytes, entry: StoreEntry) -> int:
        """Write a store, unless nothing changed; returns its row id."""
        row = self._connection.execute(
            "SELECT id, format, title, writable, given, minimum, poll FROM stores "
            "WHERE path = ?",
            (path,),
        ).fetchone()
        if row and tuple(row[1:]) == entry:
            return int(row[0])
        if row and row[1] != entry.format:
            self.forget_store(row[0])
        (number,) = self._connection.execute(
            "INSERT INTO stores (path, format, title, writable, given, minimum, poll) "
            "VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (path) DO UPDATE SET "
            "title = excluded.title, writable = excluded.writable, "
            "given = excluded.given, minimum = excluded.minimum, poll = excluded.poll "
            "RETURNING id",
            (path, *entry),
        ).fetchone()
        return int(number)

    def forget_store(self, store: int) -> None:
        """Delete a store with all its rows."""
        self._connection.execute(
            "DELETE FROM runs WHERE source IN (SELECT id FROM sources WHERE store = ?)",
            (store,),
        )
        for table in (*OF_STORE, "noticed", "lost", "sources"):
            self._connection.execute(f"DELETE FROM {table} WHERE store = ?", (store,))
        self._connection.execute("DELETE FROM stores WHERE id = ?", (store,))

    def signature(self, path: bytes, form: str) -> bytes | None:
        """The signature of a store when it was last read and settled."""
        row = self._connection.execute(
            "SELECT signature FROM stores WHERE path = ? AND format = ?", (path, form)
        ).fetchone()
        return row[0] if row else None

    def files(self, path: bytes) -> int:
        """The number of known sources of a store."""
        (number,) = self._connection.execute(
            "SELECT count(*) FROM sources JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ?",
            (path,),
        ).fetchone()
        return int(number)

    def unread(self, path: bytes) -> list[Source]:
        """Some of a store's unreadable sources."""
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
        """The gap that separated a store's conversations."""
        question = "SELECT gap FROM stores WHERE id = ?"
        (gap,) = self._connection.execute(question, (store,)).fetchone()
        return None if gap is None else int(gap)

    def sign(self, store: int, signature: bytes | None) -> None:
        """Record that a store was read and settled; None records that it was not."""
        self._connection.execute(
            "UPDATE stores SET signature = ? WHERE id = ?", (signature, store)
        )

    def forget_stamps(self, path: bytes, sources: Iterable[int]) -> None:
        """Mark some sources of a store as changed, so that they are read again."""
        self._connection.executemany(
            "UPDATE sources SET mtime_ns = -1, inode = -1, more = 0 WHERE id = ?",
            [(row,) for row in sources],
        )
        self._connection.execute(
            "UPDATE stores SET signature = NULL WHERE path = ?", (path,)
        )

    def known(self, path: bytes, form: str) -> Iterator[tuple[str, Known]]:
        """The known sources of a store, each with its path.

        None if another format read them; those rows are deleted with the old store
        entry.
        """
        rows = self._connection.execute(
            "SELECT sources.path, sources.id, role, size, mtime_ns, inode, offset, "
            "noted, more "
            "FROM sources JOIN stores ON stores.id = sources.store "
            "WHERE stores.path = ? AND stores.format = ?",
            (path, form),
        )
        for path_, row, role, *stamp, offset, memory, more in rows:
            mark = Mark(offset, memory)
            yield os.fsdecode(path_), Known(row, role, Stamp(*stamp), mark, bool(more))

    def known_one(self, store: int, path: str) -> Known | None:
        """One known source; None if it is unknown."""
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
        """The problems of files in a store that are not read."""
        return self._connection.execute(
            "SELECT problems.path, code, severity, line, message FROM problems "
            "JOIN stores ON stores.id = problems.store "
            "WHERE stores.path = ? AND origin = 'refused' ORDER BY problems.id",
            (path,),
        ).fetchall()

    def refuse(self, store: int, rows: list[Row]) -> None:
        """Replace the problems of files that are not read, if they differ."""
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

    def has_future_times(self, store: int) -> bool:
        """Whether a store had times in the future when it was last checked."""
        question = (
            f"SELECT 1 FROM problems WHERE store = ? AND origin = '{CLOCK}' LIMIT 1"
        )
        return self._connection.execute(question, (store,)).fetchone() is not None
