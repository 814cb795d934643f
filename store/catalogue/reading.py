"""Read sources and turn them into rows; knows no database, so it can run apart."""

import os
from collections import deque
from collections.abc import Iterable, Iterator
from pathlib import Path

from msgspec import Struct

from store.catalogue.rows.source import SourceRows, rows_of
from store.derive.segments import USUAL
from store.errors import UnreadableError
from store.findings import START, Findings, Mark, not_read
from store.formats.port import Format, OpenStore, Source


class Batch(Struct, frozen=True):
    """Sources of one store, to be read in one go."""

    store: int
    path: Path
    format: Format
    sources: tuple[tuple[Source, Mark], ...]
    """Each source, and the mark that reading goes on from."""
    gap: int = USUAL.gap
    """What divides conversations."""

    @property
    def size(self) -> int:
        """How many bytes that is at most."""
        return sum(source.stamp.size - mark.offset for source, mark in self.sources)


ReadBatch = list[tuple[Source, SourceRows]]


def read_batch(batch: Batch) -> ReadBatch:
    """Read the sources of a batch."""
    place = os.fsencode(batch.path)
    try:
        with batch.format.open(batch.path) as store:
            return [
                (source, rows_of(place, source, found, since, batch.gap))
                for source, since in batch.sources
                for found in [_read(store, source, since)]
            ]
    except UnreadableError as error:
        return unread(batch, error)


def unread(batch: Batch, error: UnreadableError) -> ReadBatch:
    """What a batch comes to when none of it could be read."""
    place, found = os.fsencode(batch.path), Findings(flaws=(not_read(error),))
    return [
        (source, rows_of(place, source, found, START, batch.gap))
        for source, _ in batch.sources
    ]


class Queue:
    """Batches that wait to be read; what a piece leaves over is read next."""

    def __init__(self, batches: Iterable[Batch]) -> None:
        self._batches = deque(batches)

    def take(self) -> Batch | None:
        """The next batch, if any waits."""
        return self._batches.popleft() if self._batches else None

    def put_first(self, batch: Batch) -> None:
        """Have a batch read before all others."""
        self._batches.appendleft(batch)

    def rest(self) -> Iterator[Batch]:
        """Every batch that waits, as long as any does."""
        while batch := self.take():
            yield batch


def read_here(queue: Queue) -> Iterator[tuple[Batch, ReadBatch]]:
    """Read batches in order, in this process."""
    return ((batch, read_batch(batch)) for batch in queue.rest())


def _read(store: OpenStore, source: Source, since: Mark) -> Findings:
    """Read one source; one that vanished or may not be read is a problem, no end."""
    try:
        return store.read(source, since)
    except UnreadableError as error:
        return Findings(flaws=(not_read(error),))
