"""Records that cannot be right by themselves, beside the nearest that can."""

import json
from pathlib import Path

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from store.records.intents import Rebuild
from tests.store.catalogue.stores import (
    NOON,
    Shelf,
    cognitive,
    edge,
    linked,
    memory,
    note,
    notes,
    own_id,
    relation,
    write,
)
from tests.store.formats.changed_stores import Changed

DAY = 86_400
START = 1_772_366_400


def kei(root: Path, *tasks: object, claims: tuple[object, ...] = ()) -> Path:
    """A store of KeiSeiKit with a journal of tasks and one of claims."""
    for name, lines in (("tasks", tasks), ("numeric-claims", claims)):
        text = "".join(f"{json.dumps(line)}\n" for line in lines)
        write(root, f"time-metrics/{name}.jsonl", text)
    return root


def task(**fields: object) -> object:
    return {"kind": "task", "name": "audit-a", "duration_s": 60} | fields


def fixed_and_undone(root: Path, own: Path, code: str) -> tuple[str, dict[str, bytes]]:
    """The ref of the one problem of a code, and the files once it was fixed.

    Afterwards it is undone, which brings every byte back.
    """
    (found,) = beneath([root], FORMATS).stores
    with Changed(found.path, found.format, own) as store:
        before = store.tree()
        (problem,) = store.problems(code)
        store.fix(code)
        fixed = store.tree()
        assert not store.problems(code)
        store.undo()
        assert store.tree() == before
    return problem.path, fixed


@pytest.mark.parametrize(
    ("fields", "codes"),
    [
        ({"created": "2026-03-01T12:00:00Z", "updated": "2026-02-01"}, 1),
        ({"created": "1970-01-01T00:00:00Z"}, 1),
        ({"created": "2026-03-01T12:00:00Z", "updated": "2026-03-01"}, 0),
        ({"created": "1999-03-01T12:00:00Z"}, 0),
    ],
)
def test_a_memory_has_a_possible_date(
    shelf: Shelf, fields: dict[str, str], codes: int
) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "graph/fixes/two.md", memory(2, **fields))
    shelf.sync()

    assert shelf.codes() == ["impossible-time"] * codes
    for problem in shelf.problems():
        assert problem.ref == shelf.memory("Memory 2").ref


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"start_epoch": START, "end_epoch": START - 60}, "It ends before it starts"),
        ({"duration_s": -5}, "Negative duration: -5 s."),
        ({"duration_s": 40 * DAY}, "It took 40 days."),
        (
            {"start_epoch": START, "end_epoch": START + 60, "duration_s": 600},
            "The duration is 600 s, but it ran from",
        ),
        ({"start_epoch": START, "end_epoch": START + 60}, None),
        ({"start_epoch": START, "end_epoch": START + 90, "duration_s": 100}, None),
        ({"duration_s": 29 * DAY}, None),
    ],
)
def test_a_task_takes_a_possible_time(
    shelf: Shelf, fields: dict[str, object], message: str | None
) -> None:
    kei(shelf.places[0] / "memory", task(**fields))
    shelf.sync()

    found = [
        (one.code, one.message.startswith(message or "")) for one in shelf.problems()
    ]

    assert found == ([("impossible-duration", True)] if message else [])


def test_a_start_needs_a_stop_while_others_go_on(shelf: Shelf) -> None:
    began = {"kind": "start", "name": "build", "start_epoch": START, "ts": NOON}
    later = task(start_epoch=START + 2 * DAY, end_epoch=START + 2 * DAY + 60)
    soon = task(start_epoch=START + 600, end_epoch=START + 660)
    kei(shelf.places[0] / "one/memory", began, later)
    kei(shelf.places[0] / "two/memory", began, soon)
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("start-without-stop", "note")
    assert "/one/" in problem.store


def test_evidence_is_a_record(shelf: Shelf) -> None:
    claims = tuple(
        {"kind": "claim", "value": "60 s", "pointer": pointer}
        for pointer in ("tasks.jsonl#audit-a", "tasks.jsonl#gone", "measured by hand")
    )
    kei(shelf.places[0] / "memory", task(), claims=claims)
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.line) == ("evidence-missing", 2)
    assert "tasks.jsonl#gone" in problem.message


def test_a_relation_and_its_edge_file_say_the_same_strength(tmp_path: Path) -> None:
    store = linked(tmp_path / "a")
    strong = relation(2, "outgoing", edge=own_id(9)) + "    strength: 0.4\n"
    write(store, "graph/fixes/one.md", memory(1, strong))
    path = "graph/edges/one--SOLVES--two-000009.md"
    write(store, path, edge(9, 1, 2, strength="0.9"))

    where, fixed = fixed_and_undone(store, tmp_path / "own", "edge-drift")

    assert where == "graph/fixes/one.md"
    assert b"    strength: 0.9\n" in fixed[where]


def test_two_files_of_one_edge_are_one_too_many(tmp_path: Path) -> None:
    store = linked(tmp_path / "a")
    second = "graph/edges/one--SOLVES--two-00000b.md"
    write(store, "graph/edges/two--SOLVES--one-00000a.md", edge(10, 2, 1))
    write(store, second, edge(11, 1, 2))

    where, fixed = fixed_and_undone(store, tmp_path / "own", "duplicate-edge")

    assert where == second
    assert second not in fixed


def test_a_line_of_the_index_that_was_a_copy_is_kept_up_to_date(tmp_path: Path) -> None:
    store = notes(tmp_path / ".memory", "by-hand", "same", "tabs")
    told = "Use tabs in every Python file, always"
    write(store, "tabs.md", note("tabs").replace("About it", told))
    lines = (store / "MEMORY.md").read_text().replace("About it", "In own words", 1)
    lines = lines.replace(
        "tabs.md) — About it", f"tabs.md) — {told.replace('every', 'no')}"
    )
    write(store, "MEMORY.md", lines)

    where, fixed = fixed_and_undone(store, tmp_path / "own", "stale-description")

    assert where == "tabs.md"
    assert fixed["MEMORY.md"].decode() == lines.replace("in no", "in every")


@pytest.mark.parametrize(
    ("name", "wrong", "message"),
    [
        ("strength", 0.4, "The index has an outdated strength for the SOLVES edge."),
        (
            "path",
            "graph/edges/x.md",
            "The index has an outdated path for the SOLVES edge.",
        ),
    ],
)
def test_an_index_repeats_each_edge(
    tmp_path: Path, name: str, wrong: object, message: str
) -> None:
    store = linked(tmp_path / "a")
    path = "graph/edges/one--SOLVES--two-000009.md"
    write(store, path, edge(9, 1, 2, strength="0.9"))
    (found,) = beneath([store], FORMATS).stores
    with Changed(found.path, found.format, tmp_path / "own") as changed:
        changed.do(Rebuild(name="index"))
        assert not changed.problems("index-drift")
        index = json.loads(changed.text("_index.json"))
        index["edges"][own_id(9)][name] = wrong
        write(store, "_index.json", json.dumps(index))
        changed.library.sync()
        before = changed.tree()

        assert [one.message for one in changed.problems("index-drift")] == [message]
        changed.fix("index-drift")
        assert not changed.problems("index-drift")
        changed.undo()
        assert changed.tree() == before


def test_an_index_of_the_version_without_edges_beside_edge_files_is_outdated(
    tmp_path: Path,
) -> None:
    store = cognitive(tmp_path / "a", 2)
    (found,) = beneath([store], FORMATS).stores
    with Changed(found.path, found.format, tmp_path / "own") as changed:
        changed.do(Rebuild(name="index"))
        index = json.loads(changed.text("_index.json")) | {"version": 1}
        del index["edges"]
        write(store, "_index.json", json.dumps(index))
        changed.library.sync()
        assert not changed.problems("index-drift"), "a store of the first generation"
        path = "graph/edges/one--SOLVES--two-000009.md"
        write(store, path, edge(9, 1, 2))
        changed.library.sync()
        before = changed.tree()

        (problem,) = changed.problems("index-drift")
        assert problem.message.startswith("The index is of version 1, without edges")
        index["edges"] = {}
        write(store, "_index.json", json.dumps(index))
        changed.library.sync()
        assert {one.message for one in changed.problems("index-drift")} == {
            "It has edges, but says version 1.",
            "The index does not list the SOLVES edge.",
        }
        write(store, "_index.json", before["_index.json"].decode())
        changed.library.sync()
        changed.fix("index-drift")
        assert not changed.problems("index-drift")
        changed.undo()
        assert changed.tree() == before


def test_an_index_repeats_what_is_there(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    entry = {
        "title": "Memory 1",
        "type": "fix",
        "importance": 0.5,
        "created": NOON,
        "updated": NOON,
        "path": "graph/fixes/memory-1.md",
        "content_preview": "Body",
    }
    index = {"version": 2, "count": 1, "entries": {own_id(1): entry}}
    write(store, "_index.json", json.dumps(index))
    shelf.sync()
    assert shelf.codes() == []

    entry["content_preview"] = "What it said once"
    write(store, "_index.json", json.dumps(index))
    shelf.sync()

    (problem,) = shelf.problems()
    assert problem.message == "The index has an outdated preview for “Memory 1”."
