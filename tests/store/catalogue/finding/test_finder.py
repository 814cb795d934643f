"""One finder answers about several catalogues, and questions within questions."""

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.database import Catalogue
from store.catalogue.finding.finder import Finder
from store.catalogue.reader import Page, Reader, known_stores
from store.catalogue.views import VIEWS
from tests.store.catalogue.finding.asking import rows, tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, write


def test_it_never_takes_one_catalogue_for_another(shelf: Shelf) -> None:
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
        return reader.count(VIEWS["memories"], found)

    assert [count(shelf, "kiln"), count(shelf, "wheel")] == [1, 0]
    assert [count(other, "kiln"), count(other, "wheel")] == [0, 1]
    assert [count(shelf, "kiln"), count(shelf, "~wheel")] == [1, 0]
    assert [count(other, "~kiln"), count(other, "~wheel")] == [0, 1]
    for catalogue in catalogues.values():
        catalogue.close()


def test_a_question_may_be_put_while_another_is_being_answered(shelf: Shelf) -> None:
    cognitive(shelf.places[0] / "a", 3)
    shelf.sync()
    with shelf.opened() as library:
        page = library.page("memories", Page(), query=tree_of("body"))
        first = next(page)
        near = library.nearly("memories", tree_of("memry"))
        nearest = next(near)

        assert library.count("memories", tree_of("-body")) == 0
        assert library.facets("memories", tree_of("body"))["type"] == [("fix", 3)]
        assert library.search(tree_of("body"), Page()).total == 3
        assert [first, *page] == rows(library, "memories", tree_of("body"))
        assert len([nearest, *near]) == 3
