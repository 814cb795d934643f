"""Rankings put together."""

from hypothesis import given
from hypothesis import strategies as st

from store.search.similar import merged

RANKING = st.lists(st.integers(0, 9), unique=True)


def test_what_stands_high_in_both_stands_highest() -> None:
    assert merged("abcd", "cxa") == ["a", "c", "b", "x", "d"]


def test_what_is_even_stays_in_the_order_of_the_first() -> None:
    assert merged("ab", "ba") == ["a", "b"]
    assert merged("a", "b") == ["a", "b"]


def test_what_stands_twice_counts_where_it_stands_first() -> None:
    assert merged(["a", "b", "b", "b"], ["a"]) == ["a", "b"]


@given(RANKING)
def test_one_ranking_stays_as_it_is(ranking: list[int]) -> None:
    assert merged(ranking) == merged(ranking, []) == merged(ranking, ranking) == ranking


@given(RANKING, RANKING)
def test_all_are_there_once(one: list[int], other: list[int]) -> None:
    together = merged(one, other)

    assert sorted(together) == sorted({*one, *other})
