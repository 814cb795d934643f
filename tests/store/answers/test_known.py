"""What a scribe knows of the store it changes, and of no other."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from store.answers.plans import CatalogueKnown
from store.catalogue.database import Catalogue
from store.catalogue.reader import Reader, known_stores
from tests.store.catalogue.stores import Shelf, cognitive, linked, micros


@pytest.fixture
def known(tmp_path: Path) -> Iterator[CatalogueKnown]:
    """What is known about a store in which one memory solves another."""
    root, other = linked(tmp_path / "one"), cognitive(tmp_path / "two")
    shelf = Shelf(tmp_path / "catalogue.db", root, other)
    shelf.sync()
    with closing(Catalogue(shelf.catalogue)) as catalogue:
        stores = known_stores(catalogue.connection)
        rows = [store.row for store in stores if store.path == root]
        yield CatalogueKnown(Reader(catalogue.connection, rows), micros(shelf.now))


def test_all_memories_and_edges_of_one_store_are_known(
    known: CatalogueKnown,
) -> None:
    assert sorted(one.title for one in known.memories()) == ["Memory 1", "Memory 2"]
    assert [edge.type for edge in known.edges()] == ["SOLVES"]


def test_a_memory_is_known_by_its_ref_with_its_links(
    known: CatalogueKnown,
) -> None:
    (first,) = (one for one in known.memories() if one.title == "Memory 1")

    assert known.memory(first.ref) == first
    (edge,) = known.edges_of(first.ref)
    assert (edge.from_, edge.type) == (first.ref, "SOLVES")
    (link,) = known.links_of(first.ref)
    assert (link.by, link.direction, link.edge) == ("edge", "out", edge.ref)


def test_missing_records_are_unknown(known: CatalogueKnown) -> None:
    assert known.memory("memory:ffffffffffffff") is None
    assert known.edges_of("memory:ffffffffffffff") == []
    assert known.links_of("memory:ffffffffffffff") == []
