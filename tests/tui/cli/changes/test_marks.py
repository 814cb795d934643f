"""Pins that a format has no field for: remembered, reported, and undone."""

import shutil
from pathlib import Path

import pytest

from tests.tui.cli.changes.stores import AGENTS, NOTES, Desk, desk
from tests.tui.cli.machine import Machine


@pytest.fixture(params=[NOTES, AGENTS])
def store(machine: Machine, samples: Path, request: pytest.FixtureRequest) -> Desk:
    return desk(machine, samples, request.param)


@pytest.fixture
def ref(store: Desk) -> str:
    return store.memory("!is:archived")["ref"]


def test_a_pin_is_remembered_and_found(store: Desk, ref: str) -> None:
    assert store.memories("is:pinned") == []

    store.one("pin", ref)

    assert store.show(ref)["pinned"]
    assert [one["ref"] for one in store.memories("is:pinned")] == [ref]


def test_a_pinned_memory_is_left_unchanged(store: Desk, ref: str) -> None:
    store.one("pin", ref)
    before = store.contents()

    assert store.one("pin", ref)["change"] is None
    assert store.contents() == before


def test_the_plan_shows_marks_outside_of_the_store(store: Desk, ref: str) -> None:
    plan = store.one("pin", ref, "--dry-run")

    remembered = store.machine.state / "pinned"
    (step,) = [one for one in plan["steps"] if one["path"] == str(remembered)]
    assert f"+pinned: {store.store}/" in step["diff"]
    assert not remembered.exists()


def test_undo_removes_the_mark_and_redo_sets_it(store: Desk, ref: str) -> None:
    before = store.contents()
    store.one("pin", ref)
    pinned = store.contents()

    assert "-pinned: " in store.run("undo", "--dry-run").out
    store.one("undo")
    assert not store.show(ref)["pinned"]
    assert store.contents().items() >= before.items()

    store.one("redo")
    assert store.show(ref)["pinned"]
    assert {**store.contents(), **pinned} == store.contents()

    store.one("unpin", ref)
    assert store.memories("is:pinned") == []
    store.one("undo")
    assert store.show(ref)["pinned"]


def test_a_mark_survives_the_catalogue(store: Desk, ref: str) -> None:
    store.one("pin", ref)
    for file in store.machine.cache.iterdir():
        file.unlink()

    assert store.show(ref)["pinned"]


def test_a_memory_stays_pinned_when_its_file_is_read_again(
    store: Desk, ref: str
) -> None:
    store.one("pin", ref)
    path = store.store / store.show(ref)["path"]
    path.write_bytes(path.read_bytes() + b"\n")

    assert store.show(ref)["pinned"]


def test_a_renamed_note_stays_pinned(machine: Machine, samples: Path) -> None:
    notes = desk(machine, samples, NOTES)
    before = notes.memory("!is:archived")
    notes.one("pin", before["ref"])

    notes.one("rename", before["ref"], "A name of its own")

    (after,) = notes.memories("is:pinned")
    assert after["path"] != before["path"]
    notes.one("undo")
    assert [one["ref"] for one in notes.memories("is:pinned")] == [before["ref"]]
    notes.one("delete", before["ref"], "--yes")
    assert notes.memories("is:pinned") == []
    notes.one("undo")
    assert notes.show(before["ref"])["pinned"]


def test_pins_in_two_stores_are_one_change(machine: Machine, samples: Path) -> None:
    notes = desk(machine, samples, NOTES)
    other = machine.home / "stores" / "other"
    shutil.copytree(notes.store, other)
    first = notes.memory("!is:archived")
    both = machine.run("list", "memories", "--json", "-s", machine.home / "stores").rows
    refs = [one["ref"] for one in both if one["path"] == first["path"]]

    answer = machine.run("pin", *refs, "--json", "-s", machine.home / "stores")

    assert len(refs) == 2
    assert len(answer.rows) == 1
    found = machine.run(
        "list", "memories", "is:pinned", "--json", "-s", machine.home / "stores"
    ).rows
    assert {one["ref"] for one in found} == set(refs)


def test_a_mark_is_set_only_with_its_change(agents: Desk) -> None:
    ref = agents.memory("type:learning", "!importance:high")["ref"]
    before = agents.contents()
    marks = agents.machine.state / "pinned"
    marks.mkdir(parents=True)
    refused = agents.run("pin", ref)
    assert (refused.code, refused.out) == (1, "")
    assert agents.contents() == before
    marks.rmdir()

    agents.one("pin", ref)
    marks.unlink()
    journal = agents.machine.state / "changes" / "journal.jsonl"
    begun = journal.read_bytes().rstrip(b"\n").rpartition(b"\n")[0]
    journal.write_bytes(begun + b"\n")

    assert "it was finished" in agents.run("list", "memories").err
    assert agents.show(ref)["pinned"]
    agents.one("undo")
    assert not agents.show(ref)["pinned"]
    assert agents.contents() == before
