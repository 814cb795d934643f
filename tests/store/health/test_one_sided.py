"""An edge that is written on one side only."""

import json

import pytest

from tests.store.catalogue.stores import (
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

ONE, TWO = "graph/fixes/memory-1.md", "graph/fixes/memory-2.md"


@pytest.mark.parametrize(
    ("path", "text", "where"),
    [
        (
            ONE,
            memory(1, relation(2, "outgoing")),
            "written in the memory at its start, but not in the memory at its end",
        ),
        (
            TWO,
            memory(2, relation(1, "incoming")),
            "written in the memory at its end, but not in the memory at its start",
        ),
        (
            "graph/edges/e.md",
            edge(9, 1, 2),
            (
                "written in an edge file, but not in the memory at its start "
                "or the memory at its end"
            ),
        ),
    ],
)
def test_the_missing_sides_are_named(
    shelf: Shelf, path: str, text: str, where: str
) -> None:
    store = cognitive(shelf.places[0] / "a")
    write(store, path, text)
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("one-sided-link", "warning")
    assert problem.message == f"One-way SOLVES link: {where}."
    assert (problem.path, problem.ref) == (path, shelf.edges()[0].ref)


def test_an_edge_of_the_index_alone_is_an_outdated_index(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    ends = {"from_id": own_id(1), "to_id": own_id(2), "type": "SOLVES"}
    write(store, "_index.json", json.dumps({"version": 2, "edges": {own_id(9): ends}}))
    shelf.sync()

    (problem,) = shelf.problems()
    assert (problem.code, problem.path) == ("index-drift", "_index.json")
    assert problem.message == "The index lists a SOLVES edge that isn't in any file."


def test_both_sides_without_an_edge_file_are_enough(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    (store / "graph/edges/one--SOLVES--two-000009.md").unlink()
    shelf.sync()

    assert "one-sided-link" not in shelf.codes()


def test_links_in_texts_have_one_side_by_nature(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 2)
    write(store, ONE, memory(1, body="See [[memory 2]]."))
    write(
        notes(shelf.places[0] / ".memory", "tabs", "spaces"),
        "tabs.md",
        note("tabs", "Not [[spaces]]."),
    )
    shelf.sync()

    assert len(shelf.edges()) == 2
    assert shelf.codes() == []


def test_a_broken_edge_is_not_one_sided_as_well(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, ONE, memory(1, relation(7, "outgoing")))
    shelf.sync()

    assert shelf.codes() == ["dangling-link"]
