"""Read sources and turn them into rows; knows no database, so it can run apart."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from store.catalogue.rows import SourceRows, rows_of
from store.errors import UnreadableError
from store.findings import UNREADABLE, Findings, Flaw, Severity
from store.formats.port import Format, OpenStore, Source


@dataclass(frozen=True, slots=True)
class Batch:
    """Sources of one store, to be read in one go."""

    store: int
    path: Path
    format: Format
    sources: tuple[tuple[Source, int], ...]
    """Each source, and the offset that reading goes on from."""


ReadBatch = list[tuple[Source, SourceRows]]


def read_batch(batch: Batch) -> ReadBatch:
    """Read the sources of a batch."""
    place = os.fsencode(batch.path)
    try:
        with batch.format.open(batch.path) as store:
            return [
                (
                    source,
                    rows_of(place, source, _read(store, source, since), since),
                )
                for source, since in batch.sources
            ]
    except UnreadableError as error:
        return unread(batch, error)


def unread(batch: Batch, error: UnreadableError) -> ReadBatch:
    """What a batch comes to when none of it could be read."""
    place = os.fsencode(batch.path)
    return [
        (source, rows_of(place, source, _unread(error), 0))
        for source, _ in batch.sources
    ]


def read_here(batches: Iterable[Batch]) -> Iterator[tuple[Batch, ReadBatch]]:
    """Read batches in order, in this process."""
    return ((batch, read_batch(batch)) for batch in batches)


def _read(store: OpenStore, source: Source, since: int) -> Findings:
    """Read one source; one that vanished or may not be read is a problem, no end."""
    try:
        return store.read(source, since)
    except UnreadableError as error:
        return _unread(error)


def _unread(error: UnreadableError) -> Findings:
    """What is found where nothing could be read."""
    return Findings(
        flaws=(Flaw(code=UNREADABLE, message=str(error), severity=Severity.ERROR),)
    )
