"""Memories that are gone or empty, although no change of ours removed them."""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from store.answers.stores import Writing
from store.kinds.memories import Memory
from store.kinds.problems import LOST, Problem
from store.library import Library, Page
from store.machine import Places
from store.records.intents import Delete, Retag
from tests.store.catalogue.stores import Shelf, micros, note, notes, write

NAMES = ("glaze", "kiln", "slip", "wheel")


LATER = micros("2026-04-01T12:00:00Z")


@pytest.fixture
def library(shelf: Shelf, tmp_path: Path) -> Iterator[Library]:
    """A store of four notes that was looked at once."""
    notes(shelf.places[0] / ".memory", *NAMES)
    places = Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")
    writing = Writing(places, clock=lambda: LATER)
    with Library(shelf.catalogue, LATER, writing=writing) as library:
        library.stores.choose(shelf.found())
        library.sync()
        yield library


@pytest.fixture
def store(shelf: Shelf) -> Path:
    return shelf.places[0] / ".memory"


def lost(library: Library) -> Sequence[Problem]:
    """The problems of lost files after another look."""
    library.sync()
    found = library.lists.page("problems", Page())
    return [one for one in found if isinstance(one, Problem) and one.code in LOST]


def ref_of(library: Library, path: str) -> str:
    found = library.lists.page("memories", Page())
    return next(
        one.ref for one in found if isinstance(one, Memory) and one.path == path
    )


def test_a_memory_that_is_gone_is_reported(library: Library, store: Path) -> None:
    (store / "kiln.md").unlink()

    (problem,) = lost(library)

    assert (problem.code, problem.severity) == ("memory-gone", "note")
    assert (problem.path, problem.fix) == ("kiln.md", None)
    assert problem.message == "“kiln” is gone, and recollect did not remove it."


def test_the_more_is_gone_the_worse_it_is(library: Library, store: Path) -> None:
    for name in NAMES[:3]:
        (store / f"{name}.md").unlink()
    assert {one.severity for one in lost(library)} == {"warning"}

    write(store, f"{NAMES[3]}.md", "")

    found = {one.path: (one.code, one.severity) for one in lost(library)}
    assert found["wheel.md"] == ("memory-emptied", "error")
    assert found["kiln.md"] == ("memory-gone", "error")


def test_what_is_deleted_here_is_not_lost(library: Library, store: Path) -> None:
    planned = library.plans.plan(Delete(), [ref_of(library, "kiln.md")])
    library.changes.apply(planned, is_permitted=True)

    assert not (store / "kiln.md").exists()
    assert lost(library) == []


def test_what_is_deleted_here_is_not_lost_even_if_its_time_is_in_the_future(
    library: Library, store: Path
) -> None:
    os.utime(store / "kiln.md", ns=(0, 4 * 10**18))
    library.sync()
    planned = library.plans.plan(Delete(), [ref_of(library, "kiln.md")])
    library.changes.apply(planned, is_permitted=True)

    assert lost(library) == []


def test_what_another_program_wrote_and_deleted_after_us_is_lost(
    library: Library, store: Path
) -> None:
    raw = (store / "kiln.md").read_bytes()
    planned = library.plans.plan(Delete(), [ref_of(library, "kiln.md")])
    library.changes.apply(planned, is_permitted=True)
    (store / "kiln.md").write_bytes(raw)
    os.utime(store / "kiln.md", ns=(0, 4 * 10**18))
    library.sync()
    (store / "kiln.md").unlink()

    assert [one.path for one in lost(library)] == ["kiln.md"]


def test_an_earlier_version_is_restored_and_the_fix_undone(
    library: Library, store: Path
) -> None:
    planned = library.plans.plan(Retag(add=("hot",)), [ref_of(library, "kiln.md")])
    library.changes.apply(planned, is_permitted=True)
    raw = (store / "kiln.md").read_bytes()
    (store / "kiln.md").unlink()
    (store / "slip.md").unlink()
    found = {one.path: one for one in lost(library)}
    assert found["kiln.md"].fix == f"recollect health --fix memory-gone -s {store}"

    assert library.plans.safe_codes(found.values()) == []
    (planned,) = library.plans.plan_fixes(list(found.values()))
    change = library.changes.apply(planned, is_permitted=True)

    assert [one.problem.path for one in planned.left] == ["slip.md"]
    assert (store / "kiln.md").read_bytes() == raw
    assert [one.path for one in lost(library)] == ["slip.md"]
    library.changes.undo(change.change, is_permitted=True)
    assert not (store / "kiln.md").exists()


def test_what_is_moved_or_is_in_another_file_is_not_lost(
    library: Library, store: Path
) -> None:
    (store / "kiln.md").rename(store / "oven.md")
    (store / "slip.md").unlink()
    write(store, "slips.md", note("slip"))

    assert lost(library) == []


def test_another_store_with_a_memory_of_that_name_does_not_hide_a_loss(
    shelf: Shelf, library: Library, store: Path
) -> None:
    notes(shelf.places[0] / "other/.memory", *NAMES)
    library.stores.choose(shelf.found())
    library.sync()
    (store / "kiln.md").unlink()

    assert [(one.store, one.path) for one in lost(library)] == [(str(store), "kiln.md")]


def test_a_problem_is_gone_once_the_file_is_back(library: Library, store: Path) -> None:
    raw = (store / "kiln.md").read_bytes()
    (store / "kiln.md").unlink()
    assert len(lost(library)) == 1

    write(store, "kiln.md", raw)

    assert lost(library) == []


def test_an_index_that_is_gone_or_empty_is_reported_beside_memories(
    library: Library, store: Path
) -> None:
    text = (store / "MEMORY.md").read_text()
    (store / "MEMORY.md").unlink()
    (problem,) = lost(library)
    assert (problem.code, problem.severity) == ("index-gone", "warning")
    assert problem.message == (
        "MEMORY.md is gone, so agents don't see the 4 memories here."
    )

    write(store, "MEMORY.md", text)
    assert lost(library) == []

    write(store, "MEMORY.md", "\n")
    (problem,) = lost(library)
    assert problem.message.startswith("MEMORY.md is empty,")
