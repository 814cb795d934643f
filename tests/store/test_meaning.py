"""Search by words and by meaning together, with a local provider."""

import json
from collections.abc import Iterator, Sequence

import pytest

from store.catalogue.reader import Page
from store.kinds.memories import Memory
from store.records.answers import Hit
from store.search.meaning import Near
from store.settings import PROVIDERS, Provider
from tests.store.catalogue.search.question import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, own_id, write
from tests.store.search.similar.provider import Local, embedded

TITLES = {1: "Redis times out", 2: "Cache goes away", 3: "Backup", 4: "Redis backup"}
VECTORS = {1: [0.9, 0.5], 2: [1, 0], 3: [0.3, 1], 4: [0.4, 1]}


@pytest.fixture
def local() -> Iterator[Local]:
    """A provider for which every query means the same as the second memory."""
    with Local(embedded(1, 0)) as serving:
        yield serving


@pytest.fixture
def kiln(shelf: Shelf) -> Shelf:
    """Memories with vectors; the last is a solution, the others are fixes."""
    store = cognitive(shelf.places[0] / "a", 0)
    for number, title in TITLES.items():
        kind = "solution" if number == len(TITLES) else "fix"
        text = memory(number, title=title, type=kind)
        write(store, f"graph/fixes/{number}.md", text)
    entries = {own_id(number): vector for number, vector in VECTORS.items()}
    told = {"model": "nomic-embed-text", "entries": entries}
    write(store, "_embeddings.json", json.dumps(told))
    shelf.sync()
    return shelf


def searched(
    shelf: Shelf, local: Local, text: str, page: Page | None = None
) -> list[Hit]:
    """The results; every request is answered."""
    with shelf.opened() as library:
        meant = library.search.meant(tree_of(text), local.ollama(), {})
        assert meant.notes == ()
        return library.search.best(tree_of(text), page or Page(), (), meant.near).hits


def titles(hits: Sequence[Hit]) -> list[str]:
    return [hit.record.title for hit in hits if isinstance(hit.record, Memory)]


def test_hits_by_words_and_by_meaning_become_one_list(
    kiln: Shelf, local: Local
) -> None:
    hits = searched(kiln, local, "redis times")

    assert titles(hits)[0] == "Redis times out"
    assert set(titles(hits)) == set(TITLES.values())
    assert hits[0].reasons[-1] == "meaning 0.87"
    assert not hits[0].similar
    assert hits[0].snippet is not None
    assert titles(hits)[1] == "Cache goes away"
    assert (hits[1].score, hits[1].reasons) == (1.0, ("meaning 1.00",))
    assert hits[1].similar
    assert hits[1].snippet is None
    assert [one.body for one in local.asked] == [
        {"model": "nomic-embed-text", "input": "redis times"}
    ]


def test_hits_by_meaning_meet_the_other_conditions(kiln: Shelf, local: Local) -> None:
    hits = searched(kiln, local, "redis type:solution -times")

    assert titles(hits) == ["Redis backup"]


def test_pages_are_cut_from_one_order(kiln: Shelf, local: Local) -> None:
    whole = searched(kiln, local, "redis")
    pages = [
        searched(kiln, local, "redis", Page(limit=1, offset=number))
        for number in range(len(TITLES) + 1)
    ]

    assert [hit for page in pages for hit in page] == whole
    assert len(whole) == len(TITLES)


def test_all_hits_are_counted_once(kiln: Shelf, local: Local) -> None:
    with kiln.opened() as library:
        near = library.search.meant(tree_of("redis"), local.ollama(), {}).near
        best = library.search.best(tree_of("redis"), Page(limit=1), (), near)
        edges = library.search.best(tree_of("redis"), Page(), ["edges"], near)

    assert (best.total, best.is_similar) == (len(TITLES), False)
    assert edges.hits == []


def test_without_hits_of_words_only_meaning_counts(kiln: Shelf, local: Local) -> None:
    with kiln.opened() as library:
        near = library.search.meant(tree_of("vanishes"), local.ollama(), {}).near
        best = library.search.best(tree_of("vanishes"), Page(), (), near)

    assert best.is_similar
    assert best.total == len(TITLES)
    assert titles(best.hits)[0] == "Cache goes away"


@pytest.mark.parametrize("text", ["type:fix", "redis|valkey", "/re.is/"])
def test_a_query_without_words_calls_no_provider(
    kiln: Shelf, local: Local, text: str
) -> None:
    assert titles(searched(kiln, local, text))
    assert local.asked == []


def test_vectors_of_deleted_memories_are_skipped(kiln: Shelf) -> None:
    near = [
        Near(str(kiln.places[0] / "a"), "id:\ud800", 0.9),
        Near(str(kiln.places[0] / "a"), "id:gone", 0.9),
        Near("/nowhere", f"id:{own_id(3)}", 0.9),
    ]
    with kiln.opened() as library:
        best = library.search.best(tree_of("redis"), Page(), (), near)

    assert len(best.hits) == 2


def test_damaged_vectors_are_reported_beside_the_hits(
    kiln: Shelf, local: Local
) -> None:
    store = kiln.places[0] / "a"
    write(store, "_embeddings.json", "{")
    with kiln.opened() as library:
        meant = library.search.meant(tree_of("redis"), local.ollama(), {})

    damaged, nothing = meant.notes
    assert damaged.startswith(f"Can't use the vectors in {store}:")
    assert nothing.startswith("No store has vectors; only words were searched.")
    assert local.asked == []


def test_no_provider_is_called_if_switched_off(kiln: Shelf, local: Local) -> None:
    with kiln.opened() as library:
        meant = library.search.meant(tree_of("redis"), PROVIDERS[Provider.OFF], {})

    assert meant.near == ()
    assert local.asked == []
