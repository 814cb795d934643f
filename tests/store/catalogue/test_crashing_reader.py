"""A file that crashes the reader is one problem; all others are read."""

import os
from pathlib import Path

import pytest

from store.catalogue.processes import read_apart
from store.catalogue.read import Batch, Queue
from store.files.beneath import Stamp
from store.findings import START, Findings, Mark
from store.formats.port import Source
from tests.store.formats.sample import SampleFormat, SampleStore


class FatalStore(SampleStore):
    """A sample store in which some pages kill the process that reads them."""

    def read(self, source: Source, since: Mark = START) -> Findings:
        if source.path.startswith("fatal"):
            os._exit(139)
        return super().read(source, since)


class FatalFormat(SampleFormat):
    """Opens its stores as fatal ones, which readers keep open."""

    stays_open = True

    def open(self, path: Path) -> SampleStore:
        return FatalStore(path.name, self.stores[path])


def a_batch(path: Path, number: int, names: list[str]) -> Batch:
    pages = {name: f"{name} | note | ".encode() for name in names}
    sources = tuple((Source(name, "page", Stamp(1, 1, 1)), START) for name in names)
    return Batch(number, path, FatalFormat({path: pages}), sources)


def test_files_that_crash_a_reader_are_found_and_named(tmp_path: Path) -> None:
    batches = [
        a_batch(tmp_path, number, [f"{number}-{page}" for page in range(20)])
        for number in range(6)
    ]
    batches[1] = a_batch(tmp_path, 1, ["before", "fatal-a", "between", "fatal-b"])

    read = {
        source.path: rows.tables
        for _, results in read_apart(Queue(batches), 2)
        for source, rows in results
    }

    dead = {path for path, tables in read.items() if tables.get("problems")}
    assert dead == {"fatal-a", "fatal-b"}
    assert all(
        "memories" in tables for path, tables in read.items() if path not in dead
    )
    assert len(read) == 5 * 20 + 4


@pytest.mark.parametrize("files", [60, 60_000])
def test_a_reader_that_dies_while_batches_are_handed_out_loses_none(
    tmp_path: Path, files: int
) -> None:
    batches = [a_batch(tmp_path, number, [f"{number}"]) for number in range(60)]
    batches[0] = a_batch(tmp_path, 0, ["fatal"])

    read = [
        source.path
        for _, results in read_apart(Queue(batches), 2, files)
        for source, _ in results
    ]

    assert sorted(read) == sorted(["fatal", *(str(number) for number in range(1, 60))])
