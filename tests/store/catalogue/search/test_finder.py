"""One finder serves several catalogues and nested queries."""

import pytest

from store.catalogue.database import Catalogue
from store.catalogue.reader import Circumstances, Page, Reader, known_stores
from store.catalogue.search import Finder
from store.kinds import KINDS, Record
from store.kinds.memories import Memory
from tests.store.catalogue.search.question import rows, tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, write


def test_one_catalogue_is_never_mistaken_for_another(shelf: Shelf) -> None:
    other = Shelf(shelf.catalogue.with_name("other.db"), shelf.places[0] / "b")
    for one, title in ((shelf, "Kiln"), (other, "Wheel")):
        store = cognitive(one.places[0] / "a", 0)
        write(store, "graph/fixes/one.md", memory(1, title=title))
        one.sync()
    catalogues = {one: Catalogue(one.catalogue) for one in (shelf, other)}
    finder = Finder()
    finder.circumstances = Circumstances(now=0)

    def count(one: Shelf, text: str) -> int:
        connection = catalogues[one].connection
        reader = Reader(connection, [s.row for s in known_stores(connection)])
        found = finder.condition(reader, "memories", tree_of(text))
        return reader.count(KINDS["memories"], found)

    assert [count(shelf, "kiln"), count(shelf, "wheel")] == [1, 0]
    assert [count(other, "kiln"), count(other, "wheel")] == [0, 1]
    assert [count(shelf, "kiln"), count(shelf, "~wheel")] == [1, 0]
    assert [count(other, "~kiln"), count(other, "~wheel")] == [0, 1]
    for catalogue in catalogues.values():
        catalogue.close()


def test_queries_may_be_nested(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 3)
    shelf.sync()
    with shelf.opened() as library:
        page = library.lists.page("memories", Page(), query=tree_of("body"))
        first = next(page)
        near = library.lists.nearly("memories", tree_of("memry"))
        nearest = next(near)

        assert library.lists.count("memories", tree_of("-body")) == 0
        assert library.search.facets("memories", tree_of("body"))["type"] == [
            ("fix", 3)
        ]
        assert library.search.best(tree_of("body"), Page()).total == 3
        assert [first, *page] == rows(library, "memories", tree_of("body"))
        assert len([nearest, *near]) == 3


@pytest.mark.parametrize(
    ("query", "found"),
    [
        ("the restic repository stayed locked overnight", ["Locked"]),
        ("restic type:fix overnight", ["Restic"]),
        ("restic type:solution overnight", []),
        ("overnight failures", []),
        ("overnight", []),
    ],
)
def test_where_no_record_has_all_words_those_with_most_of_them_are_found(
    shelf: Shelf, query: str, found: list[str]
) -> None:
    store = cognitive(shelf.places[0] / "a", 20)
    locked = memory(30, title="Locked", body="The restic repository was locked.")
    write(store, "graph/fixes/locked.md", locked)
    write(store, "graph/fixes/one.md", memory(31, title="Restic", body="The nas."))
    shelf.sync()
    with shelf.opened() as library:
        tree = tree_of(query)
        best = library.search.best(tree, Page())

        assert [title_of(hit.record) for hit in best.hits] == found
        assert best.is_similar == bool(found)
        listed = library.lists.nearly("memories", tree)
        assert [title_of(one) for one in listed] == found


def title_of(record: Record) -> str:
    assert isinstance(record, Memory)
    return record.title
