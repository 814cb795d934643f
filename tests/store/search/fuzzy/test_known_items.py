"""How often known items are found, and how high, compared with others."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

import frizbee
import pytest
from rapidfuzz import fuzz, process

from store.search.fuzzy import Names, WithoutFrizbee, typos
from store.search.fuzzy_frizbee import WithFrizbee
from store.text import fold
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
def searches(names: list[str]) -> list[Search]:
    """Our search, in names stored with frizbee and without it."""
    return [_search(Names(names, narrow)) for narrow in (WithFrizbee, WithoutFrizbee)]


def _search(held: Names) -> Search:
    return lambda words: [near.position for near in held.similar(words, PAGE)]


class Alone(NamedTuple):
    """The results of each library alone."""

    rapidfuzz: Search
    frizbee: Search


@pytest.fixture(scope="module")
def alone(names: list[str]) -> Alone:
    folded = [fold(name) for name in names]
    held = frizbee.Haystacks(folded)

    def by_ratio(words: list[str]) -> Sequence[int]:
        typed = " ".join(words)
        found = process.extract(typed, folded, scorer=fuzz.WRatio, limit=PAGE)
        return [position for _, _, position in found]

    def by_frizbee(words: list[str]) -> Sequence[int]:
        patterns = [frizbee.Pattern(word, max_typos=typos(word)) for word in words]
        matcher = frizbee.Matcher.from_patterns(patterns, max_items=PAGE)
        return [match.index for match in matcher.match_list(held)]

    return Alone(by_ratio, by_frizbee)


def ranks(search: Search, items: Iterable[Known]) -> list[float]:
    """For each item 1, 1/2, 1/3 … if it is first, second, third …, else 0."""
    return [_rank(search(item.typed), item.position) for item in items]


def _rank(page: Sequence[int], position: int) -> float:
    return 1 / (page.index(position) + 1) if position in page else 0


BOUNDS = [
    *((name, rule, 0.95) for name, rule in (TYPOS | ORDER).items()),
    *((name, rule, 0.9) for name, rule in ABBREVIATIONS.items()),
]


@pytest.mark.parametrize(
    ("rule", "bound"),
    [(rule, bound) for _, rule, bound in BOUNDS],
    ids=[name for name, _, _ in BOUNDS],
)
def test_known_items_rank_higher_than_with_either_library_alone(
    rule: Rule, bound: float, names: list[str], searches: list[Search], alone: Alone
) -> None:
    items = list(known(rule, names))
    by_ratio = sum(ranks(alone.rapidfuzz, items))
    by_frizbee = sum(ranks(alone.frizbee, items))

    assert len(items) > 50
    for search in searches:
        ours = ranks(search, items)
        assert sum(map(bool, ours)) >= bound * len(items)
        assert sum(ours) > by_ratio
        assert sum(ours) >= by_frizbee
