"""A relation may name an edge file; that file ought to be there."""

from tests.store.catalogue.stores import Shelf, linked, own_id


def test_a_name_that_no_edge_file_has_is_a_problem_of_the_memory(shelf: Shelf) -> None:
    store = linked(shelf.places[0] / "a")
    (store / "graph/edges/one--SOLVES--two-000009.md").unlink()
    shelf.sync()

    problems = [one for one in shelf.problems() if one.code == "missing-edge-file"]

    assert {one.ref for one in problems} == {one.ref for one in shelf.memories()}
    assert all(own_id(9) in one.message and one.line for one in problems)


def test_a_name_that_an_edge_file_has_is_none(shelf: Shelf) -> None:
    linked(shelf.places[0] / "a")
    shelf.sync()

    assert shelf.codes() == []
