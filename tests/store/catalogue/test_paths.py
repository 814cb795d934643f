"""The shortest path between two memories, along edges in either direction."""

from tests.store.catalogue.stores import Shelf, memory, relation, write


def titles(shelf: Shelf, begin: str, end: str) -> list[str]:
    with shelf.opened() as library:
        library.sync()
        ends = (shelf.memory(begin).ref, shelf.memory(end).ref)
        return [one.title for one in library.records.way(*ends)]


def put(shelf: Shelf, number: int, *targets: int) -> None:
    links = [relation(target, "outgoing") for target in targets]
    text = memory(number, *links, title=f"m{number}")
    write(shelf.places[0], f"graph/fixes/m{number}.md", text)


def test_a_path_follows_edges_in_either_direction(shelf: Shelf) -> None:
    put(shelf, 1, 2)
    put(shelf, 2)
    put(shelf, 3, 2)
    put(shelf, 4, 3)

    assert titles(shelf, "m1", "m4") == ["m1", "m2", "m3", "m4"]
    assert titles(shelf, "m4", "m1") == ["m4", "m3", "m2", "m1"]


def test_the_shortest_of_several_paths_is_taken(shelf: Shelf) -> None:
    put(shelf, 1, 2, 4)
    put(shelf, 2, 3)
    put(shelf, 3, 4)
    put(shelf, 4)

    assert titles(shelf, "m1", "m4") == ["m1", "m4"]


def test_unlinked_memories_have_no_path(shelf: Shelf) -> None:
    put(shelf, 1, 2)
    put(shelf, 2, 1)
    put(shelf, 3)

    assert titles(shelf, "m1", "m3") == []
    assert titles(shelf, "m3", "m3") == ["m3"]
