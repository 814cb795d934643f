"""Merged rankings."""

from hypothesis import given
from hypothesis import strategies as st

from store.search.similar import merged

RANKING = st.lists(st.integers(0, 9), unique=True)


def test_high_ranks_in_both_lists_come_first() -> None:
    assert merged("abcd", "cxa") == ["a", "c", "b", "x", "d"]


def test_ties_keep_the_order_of_the_first_list() -> None:
    assert merged("ab", "ba") == ["a", "b"]
    assert merged("a", "b") == ["a", "b"]


def test_duplicates_count_at_their_first_position() -> None:
    assert merged(["a", "b", "b", "b"], ["a"]) == ["a", "b"]


@given(RANKING)
def test_a_single_ranking_stays_unchanged(ranking: list[int]) -> None:
    assert merged(ranking) == merged(ranking, []) == merged(ranking, ranking) == ranking


@given(RANKING, RANKING)
def test_every_item_is_there_once(one: list[int], other: list[int]) -> None:
    together = merged(one, other)

    assert sorted(together) == sorted({*one, *other})
