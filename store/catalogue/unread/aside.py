"""A catalogue in memory, for the few files that are read ahead of the sync."""

import sqlite3

from store.catalogue import schema
from store.catalogue.database import transaction
from store.catalogue.moved import Moved
from store.catalogue.reader import Reader
from store.catalogue.reading import Batch, read_batch
from store.catalogue.rows.source import UNREAD
from store.catalogue.settle import settle
from store.catalogue.unread.deadline import Deadline
from store.catalogue.writer import StoreEntry, Writer
from store.closing import Closing
from store.formats.port import Source

_NO_SCORE = "UPDATE memories SET vigour = NULL WHERE store = ? AND NOT pinned"
"""No strength is told: when a memory was last used is in files beside it."""


class Aside(Closing):
    """Reads sources as a sync does, into tables like its own; nothing is kept.

    Words need no index here: what is not indexed is looked through row by row.
    """

    def __init__(self, gap: int) -> None:
        """`gap` divides conversations."""
        self.connection = sqlite3.connect(":memory:", isolation_level=None)
        self._writer = Writer(self.connection)
        self._gap = gap
        self._rows: dict[bytes, int] = {}
        with transaction(self.connection):
            for statement in (*schema.TABLES.split(";"), *schema.INDEX):
                self.connection.execute(statement)

    @property
    def reader(self) -> Reader:
        """Answers from what was read."""
        return Reader(self.connection, list(self._rows.values()))

    def read(self, moved: Moved, source: Source, deadline: Deadline) -> bool:
        """Read what is new in a source; whether that was all there is to read."""
        found, store = moved.found, self._row(moved)
        since, known, is_whole = moved.since(source), None, True
        while True:
            batch = Batch(
                store, found.path, found.format, ((source, since),), self._gap
            )
            ((_, rows),) = read_batch(batch)
            if rows.mark.offset == UNREAD:
                return False
            is_whole = is_whole and (known is not None or not rows.goes_on)
            with transaction(self.connection):
                known, _ = self._writer.put(store, source, rows, known)
            since = rows.mark
            if not rows.more or deadline.is_over:
                break
        if rows.more or not is_whole:
            self._leave_apart(known.row)
        return not rows.more

    def settle(self) -> None:
        """Put together what was read."""
        for place, row in self._rows.items():
            with transaction(self.connection):
                settle(self.connection, row, place, self._gap)
                self.connection.execute(_NO_SCORE, (row,))

    def close(self) -> None:
        """Forget it all."""
        self.connection.close()

    def _row(self, moved: Moved) -> int:
        """The row of a store, entered when the first of its sources is read."""
        if moved.place not in self._rows:
            entry = StoreEntry(moved.found.format.name, moved.title, writable=False)
            with transaction(self.connection):
                self._rows[moved.place] = self._writer.enter(moved.place, entry)
        return self._rows[moved.place]

    def _leave_apart(self, source: int) -> None:
        """Make no conversations of a transcript of which only a part was read."""
        self.connection.execute(
            "UPDATE sources SET status = 'idle' WHERE id = ?", (source,)
        )
