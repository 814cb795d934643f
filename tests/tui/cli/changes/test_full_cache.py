"""A change is reported as made even if the index has no room for it."""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.store.edits.campaign.limits import limited
from tests.store.edits.campaign.test_space import fill_up
from tests.tui.cli.changes.stores import GRAPH, Desk, desk
from tests.tui.cli.machine import Answer, Machine

Run = Callable[..., Answer]
"""Calls the program where its index has no room."""

_LARGEST = 40_000
"""Bytes of a file that still can be written: enough for a memory, not for the index."""


@pytest.fixture
def disk(machine: Machine) -> Iterator[Path]:
    """A small disk for the index alone."""
    machine.cache.mkdir(parents=True)
    options = ["-t", "tmpfs", "-o", "size=8m,mode=0700", "none", str(machine.cache)]
    mounted = subprocess.run(["mount", *options], check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("disks may not be mounted here")
    yield machine.cache
    subprocess.run(["umount", "--lazy", str(machine.cache)], check=True)


@pytest.fixture(params=["on a full disk", "where no file may grow"])
def lean(request: pytest.FixtureRequest, machine: Machine, samples: Path) -> Desk:
    """A store that was read, with an index that cannot grow."""
    if request.param == "on a full disk":
        request.getfixturevalue("disk")
    store = desk(machine, samples, GRAPH)
    (store.store / "_index.json").unlink()
    store.memories()
    return store


@pytest.fixture
def run(lean: Desk, request: pytest.FixtureRequest) -> Run:
    """Run a command there."""
    if "where no file may grow" not in request.node.name:
        fill_up(lean.machine.cache, 40_000)
        return lean.run

    def run(*words: str | Path) -> Answer:
        answers: list[Answer] = []
        limited(_LARGEST, lambda: answers.append(lean.run(*words)))
        return answers[0]

    return run


def one(answer: Answer) -> dict[str, Any]:
    assert answer.code == 0, answer.err
    (row,) = answer.rows
    return row


def test_a_change_is_reported_with_its_undo_although_the_index_lags(
    lean: Desk, run: Run
) -> None:
    before = lean.contents()
    ref = lean.memory("type:fix", "!is:pinned")["ref"]

    answer = run("tag", ref, "+mended", "--json")

    change = one(answer)
    assert change["refs"] == [ref]
    assert lean.contents() != before
    (note,) = [note for note in change["notes"] if "index" in note.casefold()]
    assert note in answer.err
    assert one(run(*change["undo"].split()[1:], "--json"))["paths"] == change["paths"]
    assert lean.contents() == before


def test_a_created_record_is_named(run: Run) -> None:
    made = one(run("new", "--title", "No room", "--type", "fix", "--json"))

    (ref,) = made["refs"]
    shown = one(run("show", ref, "--json"))
    assert (shown["title"], [shown["path"]]) == ("No room", made["paths"])


def test_the_next_list_uses_a_temporary_index(lean: Desk, run: Run) -> None:
    ref = lean.memory("type:fix", "!is:pinned")["ref"]
    one(run("tag", ref, "+mended", "--json"))

    answer = run("list", "memories", "tag:mended", "--json")

    assert one(answer)["ref"] == ref
    assert "temporary index" in answer.err


def test_once_there_is_room_the_index_catches_up(lean: Desk, run: Run) -> None:
    ref = lean.memory("type:fix", "!is:pinned")["ref"]
    one(run("tag", ref, "+mended", "--json"))

    (lean.machine.cache / ".ballast").unlink(missing_ok=True)
    answer = lean.run("list", "memories", "tag:mended", "--json")

    assert (one(answer)["ref"], answer.err) == (ref, "")


@pytest.mark.parametrize("room", range(0, 200_000, 40_000))
def test_success_is_reported_exactly_when_the_store_has_changed(
    disk: Path, machine: Machine, samples: Path, room: int
) -> None:
    store = desk(machine, samples, GRAPH)
    ref = store.memory("type:fix", "!is:pinned")["ref"]
    fill_up(disk, room)
    for words in (("tag", ref, "+mended"), ("pin", ref), ("undo",), ("redo",)):
        before = store.contents()
        answer = store.run(*words, "--json")
        assert (answer.code == 0) == (store.contents() != before), answer.err
        assert one(answer)["undo"]
