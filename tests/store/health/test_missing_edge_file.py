"""A relation that names an edge file that does not exist."""

from tests.store.catalogue.stores import Shelf, linked, own_id


def test_a_name_without_an_edge_file_is_a_problem_of_the_memory(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    (store / "graph/edges/one--SOLVES--two-000009.md").unlink()
    shelf.sync()

    problems = [one for one in shelf.problems() if one.code == "missing-edge-file"]

    assert {one.ref for one in problems} == {one.ref for one in shelf.memories()}
    assert all(own_id(9) in one.message and one.line for one in problems)


def test_a_name_with_an_edge_file_is_not_a_problem(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()

    assert shelf.codes() == []
