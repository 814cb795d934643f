"""A memory that the store's index document does not name."""

from tests.store.catalogue.stores import Shelf, linked, note, notes, write


def test_a_memory_that_the_index_leaves_out_is_noted(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "spaces.md", note("spaces"))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("unlisted-memory", "note")
    assert (problem.path, problem.ref) == ("spaces.md", shelf.memory("spaces").ref)
    assert problem.message == "MEMORY.md does not name this memory."


def test_an_index_may_call_a_memory_by_its_name(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "MEMORY.md", "- [[Tabs]]: never spaces\n")
    shelf.sync()

    assert shelf.codes() == []


def test_an_empty_index_leaves_all_out(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs", "spaces")
    write(store, "MEMORY.md", "# Memory\n")
    shelf.sync()

    assert shelf.codes() == ["unlisted-memory", "unlisted-memory"]


def test_where_there_is_no_index_nothing_is_left_out(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs", "spaces")
    (store / "MEMORY.md").unlink()
    linked(shelf.places[0] / "a")
    shelf.sync()

    assert shelf.codes() == []
