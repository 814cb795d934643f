"""A derived index that differs from the memories."""

import json
from pathlib import Path

import pytest

from tests.store.catalogue.stores import (
    NOON,
    Shelf,
    cognitive,
    memory,
    own_id,
    relation,
    write,
)

OLD_RELATIONS = "The index has an outdated list of relations for “Memory 1”."


def entry(number: int) -> dict[str, object]:
    """The index entry of an untouched memory."""
    return {
        "title": f"Memory {number}",
        "type": "fix",
        "tags": [],
        "importance": 0.5,
        "confidence": 0.8,
        "created": NOON,
        "updated": NOON,
        "path": f"graph/fixes/memory-{number}.md",
        "content_preview": f"Body {number}.",
    }


def index(store: Path, *entries: tuple[int, dict[str, object]]) -> None:
    named = {own_id(number): told for number, told in entries}
    write(store, "_index.json", json.dumps({"version": 2, "entries": named}))


@pytest.fixture
def indexed(shelf: Shelf) -> Path:
    """A store of two memories with a correct index."""
    store = cognitive(shelf.places[0] / "a", 2)
    index(store, (1, entry(1)), (2, entry(2)))
    return store


@pytest.mark.usefixtures("indexed")
def test_a_correct_index_is_not_reported(shelf: Shelf) -> None:
    shelf.sync()

    assert shelf.codes() == []


@pytest.mark.parametrize(
    ("fields", "what"),
    [
        ({"title": "New"}, "title for “New”"),
        ({"importance": "0.9"}, "importance for “Memory 1”"),
        ({"tags": "[redis, new]"}, "list of tags for “Memory 1”"),
        ({"updated": "2026-03-02", "type": "error"}, "type and date for “Memory 1”"),
    ],
)
def test_each_outdated_entry_is_reported_with_its_differences(
    shelf: Shelf, indexed: Path, fields: dict[str, str], what: str
) -> None:
    write(indexed, "graph/fixes/memory-1.md", memory(1, **fields))
    shelf.sync()

    (problem,) = (one for one in shelf.problems() if one.code == "index-drift")

    assert problem.message == f"The index has an outdated {what}."
    assert (problem.path, problem.severity) == ("_index.json", "warning")
    assert problem.ref in {one.ref for one in shelf.memories() if one.id == own_id(1)}


@pytest.mark.parametrize(
    ("side", "told"),
    [("outgoing", []), ("incoming", [OLD_RELATIONS]), (None, [OLD_RELATIONS])],
)
def test_outdated_relations_are_reported(
    shelf: Shelf, indexed: Path, side: str | None, told: list[str]
) -> None:
    listed = {"target": own_id(2).upper(), "type": "SOLVES", "direction": side}
    relations = [listed, {"type": "SOLVES"}] if side else []
    index(indexed, (1, entry(1) | {"relations": relations}), (2, entry(2)))
    write(indexed, "graph/fixes/memory-1.md", memory(1, relation(2, "outgoing")))
    shelf.sync()

    drifts = [one.message for one in shelf.problems() if one.code == "index-drift"]

    assert drifts == told


def test_a_moved_memory_has_an_outdated_path(shelf: Shelf, indexed: Path) -> None:
    (indexed / "vault").mkdir()
    (indexed / "graph/fixes/memory-1.md").rename(indexed / "vault/memory-1.md")
    shelf.sync()

    (problem,) = shelf.problems()

    assert problem.message == "The index has an outdated path for “Memory 1”."


def test_an_entry_without_a_memory_is_reported(shelf: Shelf, indexed: Path) -> None:
    (indexed / "graph/fixes/memory-2.md").unlink()
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.ref) == ("index-drift", None)
    assert problem.message == (
        "The index lists “graph/fixes/memory-2.md”, which doesn't exist."
    )


def test_a_memory_without_an_entry_is_reported(shelf: Shelf, indexed: Path) -> None:
    index(indexed, (1, entry(1)))
    shelf.sync()

    (problem,) = shelf.problems()

    assert problem.ref == shelf.memory("Memory 2").ref
    assert problem.message == "The index does not list “Memory 2”."


def test_without_an_index_nothing_is_reported(shelf: Shelf, indexed: Path) -> None:
    (indexed / "_index.json").unlink()
    shelf.sync()

    assert shelf.codes() == []
