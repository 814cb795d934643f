"""Did you mean …: the nearest of several words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.nearest import near, nearest

KINDS = ("memories", "edges", "episodes", "fix", "solution", "problem")


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("fxi", "fix"),
        ("mem", "memories"),
        ("memroies", "memories"),
        ("edge", "edges"),
        ("Episode", "episodes"),
        ("soluton", "solution"),
        ("probelms", "problem"),
        ("SOLUTION", "solution"),
    ],
)
def test_what_was_meant_is_suggested(typed: str, meant: str) -> None:
    assert nearest(typed, KINDS) == near(typed, KINDS) == meant


@pytest.mark.parametrize("typed", ["", "x", "ab", "banana", "xylophone", "日本"])
def test_what_is_far_from_all_suggests_none(typed: str) -> None:
    assert near(typed, KINDS) is None
    assert nearest(typed, KINDS) in KINDS


def test_a_beginning_means_the_shortest_word_that_goes_on() -> None:
    assert near("ed", ["editor", "edges", "edit"]) == "edit"


def test_of_two_as_near_the_first_is_suggested() -> None:
    assert near("bat", ["cat", "hat"]) == "cat"
    assert near("bat", ["hat", "cat"]) == "hat"


def test_among_no_words_none_is_near() -> None:
    assert near("fix", []) is None


@given(st.text(st.characters()), st.lists(st.text(st.characters()), min_size=1))
def test_the_nearest_is_one_of_the_words(typed: str, words: list[str]) -> None:
    assert nearest(typed, words) in words
    assert near(typed, words) in [*words, None]
    assert not typed or near(typed, [*words, typed]) is not None
