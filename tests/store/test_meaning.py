"""Search by words and by meaning together, with a provider on this very machine."""

import json
from collections.abc import Iterator, Sequence

import pytest

from store.catalogue.reader import Page
from store.records.hit import Hit
from store.records.memory import Memory
from store.search.similar import Near
from store.settings import PROVIDERS, Provider
from tests.store.catalogue.finding.asking import tree_of
from tests.store.catalogue.stores import Shelf, cognitive, memory, own_id, write
from tests.store.search.similar.provider import Local, embedded

TITLES = {1: "Redis times out", 2: "Cache goes away", 3: "Backup", 4: "Redis backup"}
VECTORS = {1: [0.9, 0.5], 2: [1, 0], 3: [0, 1], 4: [0.1, 1]}


@pytest.fixture
def local() -> Iterator[Local]:
    """A provider for which every question means what the second memory means."""
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
    """What is found; whatever is asked is answered."""
    with shelf.opened() as library:
        meant = library.meant(tree_of(text), local.ollama(), {})
        assert meant.notes == ()
        return library.search(tree_of(text), page or Page(), (), meant.near).hits


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


def test_what_means_the_same_meets_all_else_that_is_asked(
    kiln: Shelf, local: Local
) -> None:
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


def test_all_are_counted_once(kiln: Shelf, local: Local) -> None:
    with kiln.opened() as library:
        near = library.meant(tree_of("redis"), local.ollama(), {}).near
        best = library.search(tree_of("redis"), Page(limit=1), (), near)
        edges = library.search(tree_of("redis"), Page(), ["edges"], near)

    assert (best.total, best.is_similar) == (len(TITLES), False)
    assert edges.hits == []


def test_where_no_word_is_found_the_meaning_is_all_there_is(
    kiln: Shelf, local: Local
) -> None:
    with kiln.opened() as library:
        near = library.meant(tree_of("vanishes"), local.ollama(), {}).near
        best = library.search(tree_of("vanishes"), Page(), (), near)

    assert best.is_similar
    assert best.total == len(TITLES)
    assert titles(best.hits)[0] == "Cache goes away"


@pytest.mark.parametrize("text", ["type:fix", "redis|valkey", "/re.is/"])
def test_nobody_is_asked_about_a_query_without_words(
    kiln: Shelf, local: Local, text: str
) -> None:
    assert titles(searched(kiln, local, text))
    assert local.asked == []


def test_vectors_of_what_is_no_memory_any_more_are_passed_over(kiln: Shelf) -> None:
    near = [
        Near(str(kiln.places[0] / "a"), "id:\ud800", 0.9),
        Near(str(kiln.places[0] / "a"), "id:gone", 0.9),
        Near("/nowhere", f"id:{own_id(3)}", 0.9),
    ]
    with kiln.opened() as library:
        best = library.search(tree_of("redis"), Page(), (), near)

    assert len(best.hits) == 2


def test_damaged_vectors_are_told_beside_all_else(kiln: Shelf, local: Local) -> None:
    store = kiln.places[0] / "a"
    write(store, "_embeddings.json", "{")
    with kiln.opened() as library:
        meant = library.meant(tree_of("redis"), local.ollama(), {})

    damaged, nothing = meant.notes
    assert damaged.startswith(f"The vectors of {store} cannot be used:")
    assert nothing == "No store keeps vectors, so words alone were searched."
    assert local.asked == []


def test_nobody_is_asked_where_it_is_switched_off(kiln: Shelf, local: Local) -> None:
    with kiln.opened() as library:
        meant = library.meant(tree_of("redis"), PROVIDERS[Provider.OFF], {})

    assert meant.near == ()
    assert local.asked == []
