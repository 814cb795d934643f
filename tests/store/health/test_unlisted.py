"""A memory that is missing in the store's index document."""

from tests.store.catalogue.stores import Shelf, note, notes, write


def test_a_memory_missing_in_the_index_is_reported(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "spaces.md", note("spaces"))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("unlisted-memory", "note")
    assert (problem.path, problem.ref) == ("spaces.md", shelf.memory("spaces").ref)
    assert problem.message == "MEMORY.md doesn't list this memory."


def test_an_index_may_list_a_memory_by_its_name(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs")
    write(store, "MEMORY.md", "- [[Tabs]]: never spaces\n")
    shelf.sync()

    assert shelf.codes() == []


def test_an_empty_index_lacks_every_memory(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs", "spaces")
    write(store, "MEMORY.md", "# Memory\n")
    shelf.sync()

    assert shelf.codes() == ["unlisted-memory", "unlisted-memory"]


def test_without_an_index_one_problem_counts_the_memories(shelf: Shelf) -> None:
    store = notes(shelf.places[0] / ".memory", "tabs", "spaces")
    (store / "MEMORY.md").unlink()
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("no-index", "warning")
    assert problem.message == (
        "There is no MEMORY.md, so agents don't see the 2 memories here."
    )
    assert problem.fix == f"recollect health --fix no-index -s {store}"
