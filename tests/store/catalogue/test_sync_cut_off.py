"""An interrupted sync loses nothing that it had written."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from store.records.reports import Progress
from tests.bench.stores import make_store
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, cognitive, memory, relation, write

pytestmark = pytest.mark.usefixtures("in_one_process", "shown_at_once")

MEMORIES = 300


def many(root: Path) -> Path:
    """A store of several batches, each memory linked to the next."""
    store = cognitive(root, 0)
    for number in range(MEMORIES):
        follows = relation((number + 1) % MEMORIES, "outgoing", "FOLLOWS")
        write(store, f"graph/fixes/memory-{number}.md", memory(number, follows))
    return store


def sync_and_interrupt(shelf: Shelf, batches: int) -> list[Progress]:
    seen: list[Progress] = []

    def report(progress: Progress) -> None:
        seen.append(progress)
        if len(seen) == batches:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        shelf.sync(report)
    return seen


@pytest.mark.parametrize("batches", [1, 2])
def test_an_interrupted_sync_keeps_its_work_and_resumes(
    shelf: Shelf, tmp_path: Path, batches: int
) -> None:
    many(shelf.places[0] / "a")
    (*_, last) = sync_and_interrupt(shelf, batches)
    kept = shelf.rows()["memories"]

    report = shelf.sync()

    fresh = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    fresh.sync()
    assert kept == last.done == 128 * batches
    assert report.changed == MEMORIES - kept
    assert shelf.everything() == fresh.everything()
    assert shelf.rows() == fresh.rows()


def test_a_sync_interrupted_again_and_again_completes(shelf: Shelf) -> None:
    many(shelf.places[0] / "a")
    sync_and_interrupt(shelf, 1)
    sync_and_interrupt(shelf, 1)

    report = shelf.sync()

    assert report.changed == MEMORIES - 2 * 128
    assert len(shelf.edges()) == MEMORIES


def test_an_interrupted_update_shows_the_old_until_the_new_is_read(
    shelf: Shelf,
) -> None:
    store = many(shelf.places[0] / "a")
    shelf.sync()
    for number in range(MEMORIES):
        text = memory(number, title=f"New {number}")
        write(store, f"graph/fixes/memory-{number}.md", text)

    sync_and_interrupt(shelf, 1)

    titles = [one.title for one in shelf.memories()]
    assert sum(title.startswith("New") for title in titles) == 128
    assert len(titles) == MEMORIES
    shelf.sync()
    assert all(one.title.startswith("New") for one in shelf.memories())


def test_the_newest_files_are_read_first(shelf: Shelf) -> None:
    many(shelf.places[0] / "a")
    many(shelf.places[0] / "b")

    sync_and_interrupt(shelf, 1)

    with shelf.opened() as library:
        titles = {one.path.name for one in library.stores.remembered()}
    assert titles == {"a", "b"}
    assert {Path(one.store).name for one in shelf.memories()} == {"b"}
    numbers = sorted(int(one.title.split()[1]) for one in shelf.memories())
    assert numbers == list(range(MEMORIES - 128, MEMORIES))


def test_progress_counts_up_to_everything_that_is_to_be_read(shelf: Shelf) -> None:
    many(shelf.places[0] / "a")
    seen: list[Progress] = []

    shelf.sync(seen.append)

    assert [progress.done for progress in seen] == [128, 256, MEMORIES]
    assert {progress.total for progress in seen} == {MEMORIES}


@pytest.mark.parametrize("memories", [200, 1000])
def test_a_killed_sync_resumes(tmp_path: Path, memories: int) -> None:
    files = make_store(tmp_path / "store", memories)
    environment = dict(os.environ) | {
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
        "PYTHONPATH": str(ROOT),
    }
    shelf = Shelf(tmp_path / "recollect/catalogue.db", tmp_path / "store")
    command = [sys.executable, "-P", ROOT / "tui/start.py", "sync", "--events"]
    with subprocess.Popen(
        [*command, "--store", tmp_path / "store"],
        stdout=subprocess.PIPE,
        env=environment,
    ) as process:
        assert process.stdout is not None
        first = json.loads(process.stdout.readline())
        process.send_signal(signal.SIGKILL)
        process.communicate(timeout=60)  # ends when all that it started have ended

    assert (first["event"], first["total"]) == ("progress", files)
    kept = shelf.rows()["sources"]
    report = shelf.sync()
    fresh = Shelf(tmp_path / "fresh/catalogue.db", tmp_path / "store")
    fresh.sync()
    assert 128 <= kept <= files
    assert report.changed == files - kept
    assert shelf.everything() == fresh.everything()
    assert shelf.rows() == fresh.rows()
