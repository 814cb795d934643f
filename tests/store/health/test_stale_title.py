"""An edge file with the old title of its memory."""

from tests.store.catalogue.stores import Shelf, edge, linked, memory, write

EDGE = "graph/edges/one--SOLVES--two-000009.md"


def test_each_changed_title_is_a_problem_of_the_edge(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    titles = {"from_title": '"Old one"', "to_title": '"Old two"'}
    write(store, EDGE, edge(9, 1, 2, **titles))
    shelf.sync()

    problems = shelf.problems()

    assert [p.code for p in problems] == ["stale-title", "stale-title"]
    assert {p.message for p in problems} == {
        "Outdated title in the edge: “Old one” is now “Memory 1”.",
        "Outdated title in the edge: “Old two” is now “Memory 2”.",
    }
    assert {(p.path, p.ref, p.severity) for p in problems} == {
        (EDGE, shelf.edges()[0].ref, "warning")
    }


def test_the_memorys_own_title_is_not_a_problem(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    titles = {"from_title": '"Memory 1"', "to_title": "Memory 2"}
    write(store, EDGE, edge(9, 1, 2, **titles))
    shelf.sync()

    assert shelf.codes() == []


def test_a_memory_with_a_new_title_makes_the_copy_stale(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, EDGE, edge(9, 1, 2, from_title="Memory 1"))
    shelf.sync()
    before = shelf.codes()
    text = (store / "graph/fixes/one.md").read_text()
    write(store, "graph/fixes/one.md", text.replace('"Memory 1"', '"Renamed"'))
    shelf.sync()

    assert (before, shelf.codes()) == ([], ["stale-title"])


def test_the_text_of_a_link_is_not_a_copy_of_a_title(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    write(store, "graph/fixes/three.md", memory(3, body="See [[MEMORY-1]]."))
    shelf.sync()

    assert shelf.codes() == []
