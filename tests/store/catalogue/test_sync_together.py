"""Several readers of the same stores at once, in one process or in several."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from filelock import FileLock

from store.catalogue.update import WORTH_A_PROCESS
from store.discover import Found
from store.errors import CatalogueBusyError
from store.formats.cognitive.format import FORMAT as COGNITIVE
from tests.bench.stores import make_store
from tests.project import ROOT
from tests.store.catalogue.stores import Shelf, cognitive, linked, memory, write

PROGRESS = r"recollect: read \d+ of \d+ files\n"
"""What a slow machine gets to see."""


def syncing(home: Path, store: Path) -> subprocess.Popen[str]:
    """The program, started on a store and not awaited."""
    environment = dict(os.environ) | {
        "HOME": str(home),
        "XDG_CACHE_HOME": str(home),
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, "-P", ROOT / "tui/start.py", "sync", "--json"]
    return subprocess.Popen(
        [*command, "--store", store],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )


@pytest.mark.usefixtures("in_one_process")
@pytest.mark.parametrize("memories", [30, 800])
def test_programs_that_read_the_same_stores_at_once_all_succeed(
    tmp_path: Path, memories: int
) -> None:
    files = make_store(tmp_path / "store", memories)
    running = [syncing(tmp_path, tmp_path / "store") for _ in range(3)]

    ended = [(*process.communicate(timeout=60), process) for process in running]

    for _, told, process in ended:
        assert process.returncode == 0
        assert re.sub(PROGRESS, "", told) == ""
    shelf = Shelf(tmp_path / "recollect/catalogue.db", tmp_path / "store")
    fresh = Shelf(tmp_path / "fresh/catalogue.db", tmp_path / "store")
    fresh.sync()
    assert shelf.sync().changed == 0
    assert shelf.rows()["sources"] == files
    assert (files >= WORTH_A_PROCESS) == (memories == 800)
    assert shelf.rows() == fresh.rows()
    assert shelf.everything() == fresh.everything()


def test_a_reader_does_not_wait_for_a_sync(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 3)
    shelf.sync()
    write(store, "graph/fixes/memory-4.md", memory(4))
    seen: list[int] = []

    shelf.sync(lambda _progress: seen.append(len(shelf.memories())))

    assert seen == [4]


def test_two_libraries_take_turns(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    with shelf.opened() as one, shelf.opened() as other:
        assert (one.sync().changed, other.sync().changed) == (3, 0)
        write(shelf.places[0] / "a", "graph/fixes/two.md", memory(2))
        assert (other.sync().changed, one.sync().changed) == (1, 0)


def test_a_lock_that_is_never_released_is_named_in_a_sentence(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    shelf.catalogue.parent.mkdir()
    monkeypatch.setattr("store.catalogue.database._PATIENCE", 0)

    with FileLock(shelf.catalogue.with_name("catalogue.db.lock")):
        with pytest.raises(CatalogueBusyError, match="--no-sync"):
            shelf.sync()
        assert shelf.memories() == []


def test_stores_that_are_read_separately_are_independent(
    shelf: Shelf,
) -> None:
    first = linked(shelf.places[0] / "a")
    second = linked(shelf.places[0] / "b")
    shelf.sync()

    one, other = (Shelf(shelf.catalogue, place) for place in (first, second))
    assert [len(one.memories()), len(other.memories()), len(shelf.memories())] == [
        2,
        2,
        4,
    ]
    refs = {found.ref for found in shelf.memories()}
    assert len(refs) == 4
    assert {found.ref for found in shelf.edges()} == {
        one.edges()[0].ref,
        other.edges()[0].ref,
    }


def test_a_store_that_cannot_be_opened_is_a_problem_and_not_an_end(
    shelf: Shelf,
) -> None:
    gone = cognitive(shelf.places[0] / "a")
    linked(shelf.places[0] / "b")
    found = [*shelf.found(), Found(gone / "CORE.md", COGNITIVE)]
    write(gone, "CORE.md", "No folder.\n")

    with shelf.opened() as library:
        library.stores.choose(found)
        report = library.sync()

    assert (report.changed, report.problems) == (7, 1)
