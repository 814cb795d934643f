"""An entry of the state file without a memory."""

import json

from tests.store.catalogue.stores import NOON, Shelf, cognitive, own_id, write

USED = {"access_count": 1, "last_accessed": NOON}


def state(*names: str) -> str:
    return json.dumps({"version": 1, "entries": dict.fromkeys(names, USED)})


def test_each_entry_without_a_memory_is_reported(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "_state.json", state(own_id(1), own_id(7)))
    shelf.sync()

    (problem,) = shelf.problems()

    assert (problem.code, problem.severity) == ("state-without-memory", "note")
    assert (problem.path, problem.ref) == ("_state.json", None)
    assert problem.message == f"The recall state of “{own_id(7)}” belongs to no memory."


def test_an_entry_may_spell_the_id_in_any_case(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    write(store, "_state.json", state(own_id(1).upper()))
    shelf.sync()

    assert shelf.codes() == []
    assert shelf.memory("Memory 1").access_count == 1


def test_the_state_of_another_store_does_not_count(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 2)
    other = cognitive(shelf.places[0] / "b", 1)
    write(other, "_state.json", state(own_id(2)))
    shelf.sync()

    assert shelf.codes() == ["state-without-memory"]
    assert {one.access_count for one in shelf.memories()} == {0}
