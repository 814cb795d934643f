"""Memories with the same id are distinguished, always in the same way."""

from itertools import permutations
from pathlib import Path

import pytest

from tests.store.catalogue.stores import Shelf, cognitive, edge, memory, own_id, write

COPIES = {
    "graph/errors/b.md": "Second",
    "graph/fixes/a.md": "Third",
    "graph/configurations/z.md": "First",
}
"""By path, the first is the one that was there first."""


def broken(title: str) -> str:
    return memory(1, title=title, importance="very much")


def refs(shelf: Shelf) -> dict[str, str]:
    return {one.title: one.ref for one in shelf.memories()}


@pytest.mark.parametrize("order", list(permutations(COPIES)))
def test_refs_do_not_depend_on_the_order_of_reading(
    shelf: Shelf, tmp_path: Path, order: tuple[str, ...]
) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for path in order:
        write(store, path, memory(1, title=COPIES[path]))
        shelf.sync()

    fresh = Shelf(tmp_path / "fresh/catalogue.db", *shelf.places)
    fresh.sync()

    assert shelf.everything() == fresh.everything()
    assert len(set(refs(shelf).values())) == 3


def test_the_first_by_path_keeps_its_ref(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/m.md", memory(1, title="M"))
    shelf.sync()
    alone = refs(shelf)["M"]
    write(store, "graph/fixes/z.md", memory(1, title="Z"))
    shelf.sync()
    with_a_later = refs(shelf)
    write(store, "graph/fixes/a.md", memory(1, title="A"))
    shelf.sync()
    with_an_earlier = refs(shelf)

    assert with_a_later["M"] == alone
    assert with_an_earlier["A"] == alone
    assert with_an_earlier["Z"] == with_a_later["Z"]


def test_a_copy_without_its_original_is_not_a_copy(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/a.md", memory(1, title="A"))
    write(store, "graph/fixes/b.md", broken("B"))
    shelf.sync()
    before = refs(shelf)
    copy = shelf.memory("B").problems
    (store / "graph/fixes/a.md").unlink()
    shelf.sync()

    assert refs(shelf) == {"B": before["A"]}
    assert copy == ("bad-importance", "duplicate-id", "type-folder")[:2]
    assert shelf.memory("B").problems == ("bad-importance",)


def test_a_copy_that_gets_an_id_of_its_own_frees_the_other(
    shelf: Shelf,
) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/a.md", memory(1, title="A"))
    write(store, "graph/fixes/b.md", memory(1, title="B"))
    shelf.sync()
    before = refs(shelf)
    write(store, "graph/fixes/a.md", memory(2, title="A"))
    shelf.sync()

    assert refs(shelf)["B"] == before["A"]
    assert shelf.codes() == []


def test_problems_stay_with_the_memory_that_has_them(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/a.md", memory(1, title="A"))
    write(store, "graph/fixes/b.md", broken("B"))
    write(store, "graph/fixes/c.md", memory(1, title="C"))
    shelf.sync()

    problems = {one.title: one.problems for one in shelf.memories()}

    assert problems == {
        "A": (),
        "B": ("bad-importance", "duplicate-id"),
        "C": ("duplicate-id",),
    }
    assert {p.ref for p in shelf.problems() if p.path.endswith("b.md")} == {
        shelf.memory("B").ref
    }


def test_each_copy_is_shown_from_its_own_file(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for path, title in COPIES.items():
        write(store, path, memory(1, title=title, body=f"Body of {title}."))
    shelf.sync()

    for title, name in refs(shelf).items():
        assert shelf.show_memory(name).body.strip() == f"Body of {title}."


def test_links_go_to_the_first(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    for path, title in COPIES.items():
        write(store, path, memory(1, title=title))
    write(store, "graph/fixes/other.md", memory(2))
    write(store, "graph/edges/e.md", edge(9, 2, 1))
    shelf.sync()

    (found,) = shelf.edges()

    assert found.to_title == "First"
    assert {one.title: one.links_in for one in shelf.memories()} == {
        "First": 1,
        "Second": 0,
        "Third": 0,
        "Memory 2": 0,
    }
    assert {one.id for one in shelf.memories()} == {own_id(1), own_id(2)}
