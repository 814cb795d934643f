"""Read the files that changed into the index, and settle what spans several.

The newest files come first, in short transactions, so that readers see rows arrive
early, and an interrupted sync keeps its rows.
"""

import os
import sqlite3
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping

from msgspec.structs import replace

from store.catalogue.annotations import EMPTY, note_lost, notice
from store.catalogue.checks import check, check_times, offer_fixes, share_rows
from store.catalogue.database import transaction
from store.catalogue.read import Batch, Queue, ReadBatch, SourceRows, read_here
from store.catalogue.schema import OF_SOURCE, TABLES
from store.catalogue.settle import settle
from store.catalogue.sources import Known, Sources
from store.catalogue.sync import Moved, kinds_shown, note_move
from store.catalogue.words import index_much
from store.catalogue.writer import Writer
from store.findings import Mark
from store.formats.port import Source
from store.kinds import KINDS
from store.records.reports import Progress
from store.times import clock

# The tables that a sync changes, from which it is known which kinds to show again.

_FEW = 64
"""The most sources to check for rows; for more, any table may have had some."""


class Touched:
    """The tables that a sync changes, by store."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection
        self._tables: defaultdict[int, set[str]] = defaultdict(set)

    def written(self, store: int, tables: Iterable[str]) -> None:
        """Add the tables into which rows of a source were written."""
        self._tables[store].update(tables)

    def held(self, store: int, sources: "Iterable[Known]") -> None:
        """Add the tables with rows of these sources, which are deleted or replaced."""
        rows = [known.row for known in sources]
        if len(rows) > _FEW:
            self._tables[store].update(OF_SOURCE)
            return
        for table in OF_SOURCE:
            question = f"SELECT 1 FROM {table} WHERE source = ? LIMIT 1"
            asked = (self._connection.execute(question, (row,)) for row in rows)
            if any(answer.fetchone() for answer in asked):
                self._tables[store].add(table)

    def kinds(self, store: int) -> frozenset[str]:
        """The kinds of record that changed; problems may always have."""
        return kinds_shown(self._tables[store])


# The update itself.

_PLACE = "SELECT path FROM stores WHERE id = ?"

_BATCH = 128
"""Files per batch: enough to keep a process busy, few enough to show results early."""

WORTH_A_PROCESS = 1500
"""The number of files from which several processes are faster than one."""

WORTH_PROCESSES = 24 * 1024 * 1024
"""The number of bytes from which they are, even if there are few files."""

_BATCH_BYTES = 8 * 1024 * 1024
"""Bytes per batch, if files are large."""

_RECORDS = {name for name, table in TABLES.items() if table.found in KINDS}
"""The tables whose rows are records, except those that are built afterwards."""

_SHOWN_EVERY = 1.0
"""Seconds that a transaction lasts. Its rows become visible at its end, but each one
writes again the pages that the one before has just written. The first is four times
shorter, as the user is waiting for rows."""


class Update:
    """Reads what changed in stores, row by row of the index."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        report: Callable[[Progress], None],
        gap: int,
    ) -> None:
        self._connection = connection
        self._sources = Sources(connection)
        self._writer = Writer(connection)
        self._report = report
        self._gap = gap
        self._touched = Touched(connection)

    def run(self, moves: Mapping[int, Moved], size: int) -> int:
        """Read `size` bytes of what changed; returns the number of records."""
        for row, moved in moves.items():
            if not (moved.still or moved.is_settled):
                self._begin(row, moved)
        records = self._read(moves, size)
        for row, moved in moves.items():
            moved.changed.clear()
            self._settle(moved, row)
        return records

    def _begin(self, row: int, moved: Moved) -> None:
        """Write refused files, and remove deleted ones."""
        with transaction(self._connection):
            self._sources.sign(row, None)
            self._sources.refuse(row, moved.refused)
            self._touched.held(row, [*moved.known.values(), *moved.gone])
            note_lost(self._connection, [*moved.gone, *_emptied(moved)], clock())
            self._writer.remove(moved.gone)

    def _read(self, moves: Mapping[int, Moved], size: int) -> int:
        """Read and write everything that changed; returns the number of records."""
        total = sum(len(moved.changed) for moved in moves.values())
        queue = Queue(_batches(moves, self._gap))
        results = _reading(queue, total, size)
        done = records = 0
        lasts = _SHOWN_EVERY / 4
        while done < total:
            with transaction(self._connection):
                began = time.monotonic()
                for batch, read in results:
                    records += self._write(moves[batch.store], batch, read)
                    index_much(self._connection)
                    left = _left_over(batch, read)
                    done += len(read)
                    if left:
                        done -= len(left.sources)
                        queue.put_first(left)
                    if time.monotonic() - began > lasts:
                        break
            lasts = min(2 * lasts, _SHOWN_EVERY)
            self._report(Progress(done, total))
        return records

    def _settle(self, moved: Moved, row: int) -> None:
        """Update what spans several files, if any of them changed."""
        is_whole = moved.still or moved.is_settled
        gap = moved.found.gap(self._gap)
        if is_whole and self._sources.gap(row) == gap:
            with transaction(self._connection):
                check_times(self._connection, row)
                share_rows(self._connection, row)
            return
        with transaction(self._connection):
            others = settle(self._connection, row, moved.place, gap, moved.paths)
            check(self._connection, row, moved.found.format.two_sided)
            share_rows(self._connection, row)
            offer_fixes(self._connection, row, moved.found)
            notice(self._connection, row, clock())
            self._sources.sign(row, moved.signature)
            if moved.still:
                self._touched.written(row, ["conversations"])
            note_move(self._connection, moved.place, self._touched.kinds(row))
            for other in others:
                share_rows(self._connection, other)
                place = self._connection.execute(_PLACE, (other,)).fetchone()[0]
                note_move(self._connection, place, kinds_shown(["conversations"]))

    def _write(self, moved: Moved, batch: Batch, results: ReadBatch) -> int:
        """Write the results of one batch."""
        new: ReadBatch = []
        for source, rows in results:
            self._touched.written(batch.store, rows.tables)
            known = moved.known.get(source.path)
            if known is None:
                new.append((source, rows))
                continue
            now = self._writer.put(batch.store, source, rows, known)
            if rows.more:
                moved.known[source.path] = now
            else:
                moved.known.pop(source.path)
        written = self._writer.put_new(batch.store, new)
        for now, (source, rows) in zip(written, new, strict=True):
            if rows.more:
                moved.known[source.path] = now
        return sum(_records(rows) for _, rows in results)


def _records(rows: SourceRows) -> int:
    """The number of records among rows."""
    tables = rows.tables.items()
    return sum(len(several) for name, several in tables if name in _RECORDS)


def _emptied(moved: Moved) -> Iterator[Known]:
    """The sources that had content at the last look, and have none now."""
    for source in moved.changed:
        known = moved.known.get(source.path)
        if known and source.stamp.size <= EMPTY < known.stamp.size:
            yield known


def _left_over(batch: Batch, results: ReadBatch) -> Batch | None:
    """A batch with the rest of the sources that were read in part."""
    left = tuple((source, rows.mark) for source, rows in results if rows.more)
    return replace(batch, sources=left) if left else None


def _reading(queue: Queue, files: int, size: int) -> Iterator[tuple[Batch, ReadBatch]]:
    """Read in this process, or in several if there is a lot to read."""
    processors = os.cpu_count() or 1
    is_much = files >= WORTH_A_PROCESS or size >= WORTH_PROCESSES
    if not is_much or processors == 1:
        return read_here(queue)
    from store.catalogue.processes import read_apart  # noqa: PLC0415  # slow to import

    return read_apart(queue, processors, files)


def _batches(moves: Mapping[int, Moved], gap: int) -> Iterator[Batch]:
    """All changed sources, newest first, in batches of one store each."""
    queue = [
        (source, moved.since(source), row)
        for row, moved in moves.items()
        for source in moved.changed
    ]
    queue.sort(key=lambda one: -one[0].stamp.mtime_ns)
    for share_of_all in _shares(queue):
        shares: dict[int, list[tuple[Source, Mark]]] = {}
        for source, mark, row in share_of_all:
            shares.setdefault(row, []).append((source, mark))
        for row, share in shares.items():
            found = moves[row].found
            yield Batch(row, found.path, found.format, tuple(share), found.gap(gap))


_Queued = tuple[Source, Mark, int]
"""A source, the mark from which to read it, and its store."""


def _shares(queue: list[_Queued]) -> Iterator[list[_Queued]]:
    """The sources in order, split by the size of a batch."""
    share: list[_Queued] = []
    size = 0
    for one in queue:
        share.append(one)
        size += max(0, one[0].stamp.size - one[1].offset)
        if len(share) == _BATCH or size >= _BATCH_BYTES:
            yield share
            share, size = [], 0
    if share:
        yield share
