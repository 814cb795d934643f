"""Memories of one store with the same id."""

from tests.store.catalogue.stores import Shelf, cognitive, memory, own_id, write


def test_every_memory_but_the_first_by_path_is_reported(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for name, title in (("b", "Second"), ("c", "Third"), ("a", "First")):
        write(store, f"graph/fixes/{name}.md", memory(1, title=title))
    shelf.sync()

    problems = sorted(shelf.problems(), key=lambda problem: problem.path)

    assert [p.path for p in problems] == ["graph/fixes/b.md", "graph/fixes/c.md"]
    assert {(p.code, p.severity) for p in problems} == {("duplicate-id", "warning")}
    (message,) = {p.message for p in problems}
    assert message == (
        f"Duplicate id {own_id(1)} (also used by “First” in “graph/fixes/a.md”; "
        "links go there)."
    )
    assert [p.ref for p in problems] == [
        shelf.memory("Second").ref,
        shelf.memory("Third").ref,
    ]


def test_ids_are_the_same_in_any_case(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/a.md", memory(0xABC))
    write(store, "graph/fixes/b.md", memory(0xABC, id=own_id(0xABC).upper()))
    shelf.sync()

    assert shelf.codes() == ["duplicate-id"]


def test_memories_without_an_id_are_not_duplicates(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 1)
    for name in "ab":
        write(store, f"graph/fixes/{name}.md", "Only a text.\n")
    shelf.sync()

    assert "duplicate-id" not in shelf.codes()
    assert len({one.ref for one in shelf.memories()}) == 3


def test_the_same_id_in_two_stores_is_not_a_problem(shelf: Shelf) -> None:
    for name in "ab":
        cognitive(shelf.places[0] / name, 1)
    shelf.sync()

    assert shelf.codes() == []
    assert len({one.ref for one in shelf.memories()}) == 2
