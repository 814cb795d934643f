"""Pages of hits never overlap."""

import pytest

from store.catalogue import search
from store.catalogue.reader import Page
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, write


@pytest.mark.parametrize("ranked", [3, 8, 1000])
def test_pages_show_every_hit_once(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch, ranked: int
) -> None:
    monkeypatch.setattr(search, "_JUDGED", ranked)
    store = cognitive(shelf.places[0] / "a", 0)
    for number in range(20):
        title = "kiln" if number % 3 else "a tale of the old kiln"
        text = memory(number, title=title)
        write(store, f"graph/fixes/{number}.md", text)
    shelf.sync()
    with shelf.opened() as library:
        query = tree_of("kiln")
        whole = [hit.record for hit in library.search.best(query, Page(limit=20)).hits]
        paged = [
            hit.record
            for offset in range(0, 20, 4)
            for hit in library.search.best(query, Page(limit=4, offset=offset)).hits
        ]

    assert len(whole) == 20
    assert paged == whole
