"""One finder serves several catalogues and nested queries."""

from store.catalogue.database import Catalogue
from store.catalogue.reader import Circumstances, Page, Reader, known_stores
from store.catalogue.search import Finder
from store.kinds import KINDS
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
