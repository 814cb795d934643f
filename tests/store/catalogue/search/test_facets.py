"""Facets count records as queries for their values would."""

from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, write


def test_a_record_counts_once_for_a_tag_in_any_spelling(shelf: Shelf) -> None:
    store = cognitive(shelf.places[0] / "a", 0)
    write(store, "graph/fixes/1.md", memory(1, tags="[Redis, redis, redis]"))
    write(store, "graph/fixes/2.md", memory(2, tags="[redis]"))
    shelf.sync()
    with shelf.opened() as library:
        shares = library.search.facets("memories")["tags"]
        found = library.lists.count("memories", tree_of("tag:redis"))

    assert [share.number for share in shares] == [2] == [found]
