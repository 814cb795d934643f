"""How often what was meant is found, and how far up, held against what others do."""

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import frizbee
import pytest
from rapidfuzz import fuzz, process

from store.search.fold import fold
from store.search.fuzzy.cutting import typos
from store.search.fuzzy.names import Names
from store.search.fuzzy.narrowing import Narrow
from tests.store.search.fuzzy.known_items import (
    ABBREVIATIONS,
    ORDER,
    TYPOS,
    Known,
    Rule,
    known,
    titles,
)

PAGE = 10

Search = Callable[[list[str]], Sequence[int]]


@pytest.fixture(scope="module")
def names(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return titles(tmp_path_factory.mktemp("known"))


@pytest.fixture(scope="module")
def search(names: list[str], narrow: Callable[[], Narrow]) -> Search:
    held = Names(names, narrow)
    return lambda words: [near.position for near in held.similar(words, PAGE)]


@pytest.fixture(scope="module")
def by_ratio(names: list[str]) -> Search:
    """What rapidfuzz finds by itself."""
    folded = [fold(name) for name in names]

    def search(words: list[str]) -> Sequence[int]:
        found = process.extract(" ".join(words), folded, scorer=fuzz.WRatio, limit=PAGE)
        return [position for _, _, position in found]

    return search


@pytest.fixture(scope="module")
def by_frizbee(names: list[str]) -> Search:
    """What frizbee finds by itself, given the same words and typos."""
    held = frizbee.Haystacks([fold(name) for name in names])

    def search(words: list[str]) -> Sequence[int]:
        patterns = [frizbee.Pattern(word, max_typos=typos(word)) for word in words]
        matcher = frizbee.Matcher.from_patterns(patterns, max_items=PAGE)
        return [match.index for match in matcher.match_list(held)]

    return search


def recall(search: Search, items: Iterable[Known]) -> float:
    """How often what was meant is on the page."""
    found = [item.position in search(item.typed) for item in items]
    assert len(found) > 40
    return sum(found) / len(found)


def rank(search: Search, items: Iterable[Known]) -> float:
    """The mean of 1, 1/2, 1/3 … for what is first, second, third …"""
    ranks = [_rank(search(item.typed), item.position) for item in items]
    return sum(ranks) / len(ranks)


def _rank(page: Sequence[int], position: int) -> float:
    return 1 / (page.index(position) + 1) if position in page else 0


@pytest.mark.parametrize(
    "rule", [*TYPOS.values(), *ORDER.values()], ids=[*TYPOS, *ORDER]
)
def test_misspelt_and_moved_words_are_found(
    rule: Rule, names: list[str], search: Search
) -> None:
    assert recall(search, known(rule, names)) >= 0.95


@pytest.mark.parametrize("rule", ABBREVIATIONS.values(), ids=ABBREVIATIONS)
def test_abbreviations_are_found(rule: Rule, names: list[str], search: Search) -> None:
    assert recall(search, known(rule, names)) >= 0.9


RULES = TYPOS | ORDER | ABBREVIATIONS


@pytest.mark.parametrize("rule", RULES.values(), ids=RULES)
def test_what_is_meant_stands_higher_than_with_either_library_alone(
    rule: Rule, names: list[str], search: Search, by_ratio: Search, by_frizbee: Search
) -> None:
    items = list(known(rule, names))
    ours = rank(search, items)

    assert ours > rank(by_ratio, items)
    assert ours >= rank(by_frizbee, items)
