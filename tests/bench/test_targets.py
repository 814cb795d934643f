"""The target: known items are found, and rank higher than elsewhere."""

from collections.abc import Iterator

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.bench.conftest import NOW
from tests.bench.search import OURS, Score, compare, ours
from tests.project import ROOT

CORPUS = ROOT.parent / "shared" / "corpus"
"""Stores that people really have, where somebody laid them beside the project."""

RECALL = {
    "words of the title": 0.99,
    "two words swapped": 0.95,
    "a typo": 0.95,
    "last word cut": 0.99,
    "abbreviated": 0.9,
    "words of the body": 0.99,
}

ByFinder = dict[str, Score]


@pytest.fixture(scope="module")
def alone(samples: Library) -> dict[str, ByFinder]:
    """The sample stores."""
    return by_way(samples)


@pytest.fixture(scope="module")
def beside(
    samples: Library, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[dict[str, ByFinder]]:
    """The sample stores, and the stores beside the project."""
    if not CORPUS.is_dir():
        pytest.skip(f"There are no other stores in {CORPUS}.")
    catalogue = tmp_path_factory.mktemp("beside") / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as library:
        library.stores.choose(beneath([*samples.stores.chosen, CORPUS], FORMATS).stores)
        library.sync()
        yield by_way(library)


def by_way(library: Library) -> dict[str, ByFinder]:
    """The scores of every class of query, by finder."""
    found: dict[str, ByFinder] = {}
    for score in compare(library, ours(library)):
        found.setdefault(score.way, {})[score.finder] = score
    return found


@pytest.mark.parametrize("way", RECALL)
def test_known_items_are_found_and_rank_higher_than_elsewhere(
    alone: dict[str, ByFinder], way: str
) -> None:
    check(alone[way], RECALL[way])


@pytest.mark.parametrize("way", RECALL)
def test_the_same_holds_in_real_stores(beside: dict[str, ByFinder], way: str) -> None:
    check(beside[way], RECALL[way])


def check(scores: ByFinder, recall: float) -> None:
    """The target of one class of query."""
    own = scores[OURS]
    assert own.recall >= recall
    assert len(scores) > 2
    for other in [score for score in scores.values() if score is not own]:
        assert own.reciprocal_rank >= other.reciprocal_rank
        assert own.reciprocal_rank > other.reciprocal_rank or own.recall == 1


def test_there_are_enough_queries(alone: dict[str, ByFinder]) -> None:
    assert alone.keys() == RECALL.keys()
    assert sum(scores[OURS].queries for scores in alone.values()) >= 300
