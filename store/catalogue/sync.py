"""Bring the catalogue up to date with the files: what moved is read, what is gone goes.

Newest first, in short transactions: whoever looks meanwhile sees rows arrive, and a
run that is cut off loses nothing that it had written.
"""

import gc
import os
import sqlite3
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from stat import S_ISDIR

from msgspec.structs import replace

from store.catalogue.checking import check
from store.catalogue.database import transaction
from store.catalogue.fixing import offer_fixes
from store.catalogue.moved import Moved, what_moved
from store.catalogue.moves import EVERY_KIND, Touched, note_move
from store.catalogue.noticing import notice
from store.catalogue.reader import known_stores
from store.catalogue.reading import Batch, Queue, ReadBatch, read_here
from store.catalogue.settle import settle
from store.catalogue.words.index import index_much, index_words
from store.catalogue.writer import StoreEntry, Writer
from store.derive.segments import USUAL
from store.discover import Found
from store.findings import Mark
from store.formats.port import Source
from store.records.reports import Progress, SyncReport

_BATCH = 128
"""Files read in one go: enough to keep a process busy, few enough to show early."""


WORTH_A_PROCESS = 1500
"""From this many files on, starting processes pays for itself."""


WORTH_PROCESSES = 24 * 1024 * 1024
"""And so it does from this many bytes on, however few the files are."""


_BATCH_BYTES = 8 * 1024 * 1024
"""Bytes read in one go, where files are large."""


_SHOWN_EVERY = 1.0
"""Seconds that a transaction lasts: what is written shows when it ends, and each begins
by writing again the pages that the one before had just written. The first rows are
waited for; they come four times as soon."""


def sync(
    connection: sqlite3.Connection,
    stores: Sequence[Found],
    report: Callable[[Progress], None],
    gap: int = USUAL.gap,
) -> SyncReport:
    """Read what moved in these stores, and say what that took.

    `gap` divides conversations: microseconds of silence between two of them.

    The collector of cycles rests meanwhile: a million tuples are made and no cycle
    among them, and looking for one takes a fifth of the time.
    """
    collects = gc.isenabled()
    gc.disable()
    try:
        return _sync(_Run(connection, report, gap), stores)
    finally:
        if collects:
            gc.enable()


def _sync(run: "_Run", stores: Sequence[Found]) -> SyncReport:
    began = time.perf_counter()
    run.forget_vanished()
    moves = [what_moved(found, run.writer) for found in stores]
    rows = {id(moved): run.note(moved) for moved in moves}
    size = sum(_size(moved, source) for moved in moves for source in moved.changed)
    records = run.read(moves, rows)
    for moved in moves:
        run.settle(moved, rows[id(moved)])
    index_words(run.connection)
    return SyncReport(
        seconds=round(time.perf_counter() - began, 6),
        files=sum(moved.files for moved in moves),
        changed=sum(len(moved.changed) for moved in moves),
        removed=sum(len(moved.gone) for moved in moves),
        bytes=size,
        records=records,
        problems=run.problems(list(rows.values())),
    )


class _Run:
    """One sync at work: the connection, and whom to tell."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        report: Callable[[Progress], None],
        gap: int,
    ) -> None:
        self.writer = Writer(connection)
        self.connection = connection
        self._report = report
        self._gap = gap
        self._touched = Touched(connection)

    def forget_vanished(self) -> None:
        """A store whose folder is gone has no place among what is there."""
        known = known_stores(self.connection)
        gone = [store for store in known if _is_gone(store.path)]
        if gone:
            with transaction(self.connection):
                for store in gone:
                    self.writer.forget_store(store.row)
                    note_move(self.connection, os.fsencode(store.path), EVERY_KIND)

    def note(self, moved: Moved) -> int:
        """Enter a store and what is not read of it; what is gone goes."""
        form = moved.found.format
        writable = form.editable and os.access(moved.found.path, os.W_OK)
        entry = StoreEntry(form.name, moved.title, writable)
        with transaction(self.connection):
            row = self.writer.enter(moved.place, entry)
            if moved.is_settled:
                self.writer.sign(row, moved.signature)
            elif not moved.still:
                self.writer.sign(row, None)
                self.writer.refuse(row, moved.refused)
                self._touched.held(row, [*moved.known.values(), *moved.gone])
                self.writer.remove(moved.gone)
        return row

    def read(self, moves: Sequence[Moved], rows: dict[int, int]) -> int:
        """Read all that changed and write it; returns how many records that made."""
        batches = list(_batches(moves, rows, self._gap))
        by_row = {rows[id(moved)]: moved for moved in moves}
        total = sum(len(batch.sources) for batch in batches)
        queue = Queue(batches)
        results = _reading(queue, total, sum(batch.size for batch in batches))
        done = records = 0
        lasts = _SHOWN_EVERY / 4
        while done < total:
            with transaction(self.connection):
                began = time.monotonic()
                for batch, read in results:
                    records += self._write(by_row[batch.store], batch, read)
                    left = _left_over(batch, read)
                    done += len(read)
                    if left:
                        done -= len(left.sources)
                        queue.put_first(left)
                    if time.monotonic() - began > lasts:
                        break
            lasts = min(2 * lasts, _SHOWN_EVERY)
            self._report(Progress(done, total))
            index_much(self.connection)
        return records

    def settle(self, moved: Moved, row: int) -> None:
        """Put together what spans files, where any of them moved."""
        is_whole = moved.still or moved.is_settled
        if is_whole and self.writer.gap(row) == self._gap:
            return
        with transaction(self.connection):
            settle(self.connection, row, moved.place, self._gap)
            check(self.connection, row, moved.found.format.two_sided)
            offer_fixes(self.connection, row, moved.found)
            notice(self.connection, row, time.time_ns() // 1000)
            self.writer.sign(row, moved.signature)
            if moved.still:
                self._touched.written(row, ["conversations"])
            note_move(self.connection, moved.place, self._touched.kinds(row))

    def problems(self, stores: Sequence[int]) -> int:
        """How many problems the stores have now."""
        marks = ", ".join("?" * len(stores))
        (number,) = self.connection.execute(
            f"SELECT count(*) FROM problems WHERE store IN ({marks})", stores
        ).fetchone()
        return int(number)

    def _write(self, moved: Moved, batch: Batch, results: ReadBatch) -> int:
        """Write what was read of one batch."""
        records = 0
        for source, rows in results:
            known = moved.known.get(source.path)
            self._touched.written(batch.store, rows.tables)
            moved.known[source.path], count = self.writer.put(
                batch.store, source, rows, known
            )
            records += count
        return records


def _is_gone(path: Path) -> bool:
    """Whether a folder is plainly not there; one that cannot be asked for may be."""
    try:
        return not S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _size(moved: Moved, source: Source) -> int:
    """How many bytes of a source are to be read."""
    return max(0, source.stamp.size - moved.since(source).offset)


def _left_over(batch: Batch, results: ReadBatch) -> Batch | None:
    """What is left to be read of the sources of which a piece was read."""
    left = tuple((source, rows.mark) for source, rows in results if rows.more)
    return replace(batch, sources=left) if left else None


def _reading(queue: Queue, files: int, size: int) -> Iterator[tuple[Batch, ReadBatch]]:
    """Read here, or in processes beside this one where there is much to read."""
    processors = os.cpu_count() or 1
    is_much = files >= WORTH_A_PROCESS or size >= WORTH_PROCESSES
    if not is_much or processors == 1:
        return read_here(queue)
    from store.catalogue.processes import read_apart  # noqa: PLC0415  # slow to load

    return read_apart(queue, processors)


def _batches(moves: Sequence[Moved], rows: dict[int, int], gap: int) -> Iterator[Batch]:
    """All changed sources, newest first, in batches that keep to one store."""
    queue = [(source, moved) for moved in moves for source in moved.changed]
    queue.sort(key=lambda pair: -pair[0].stamp.mtime_ns)
    for share_of_all in _shares(queue):
        shares: dict[int, list[tuple[Source, Mark]]] = {}
        owners: dict[int, Moved] = {}
        for source, moved in share_of_all:
            row = rows[id(moved)]
            owners[row] = moved
            shares.setdefault(row, []).append((source, moved.since(source)))
        for row, share in shares.items():
            found = owners[row].found
            yield Batch(row, found.path, found.format, tuple(share), gap)


def _shares(
    queue: list[tuple[Source, Moved]],
) -> Iterator[list[tuple[Source, Moved]]]:
    """The sources in order, so many together as are read in one go."""
    share: list[tuple[Source, Moved]] = []
    size = 0
    for source, moved in queue:
        share.append((source, moved))
        size += _size(moved, source)
        if len(share) == _BATCH or size >= _BATCH_BYTES:
            yield share
            share, size = [], 0
    if share:
        yield share
