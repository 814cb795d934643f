"""Did you mean: the nearest of several words."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.text import guess, near

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
def test_the_intended_word_is_suggested(typed: str, meant: str) -> None:
    assert near(typed, KINDS) == meant
    assert guess(typed, KINDS, ".") == f"; did you mean {meant!r}?"


@pytest.mark.parametrize("typed", ["", "x", "ab", "banana", "xylophone", "日本"])
def test_a_distant_word_suggests_nothing(typed: str) -> None:
    assert near(typed, KINDS) is None
    assert guess(typed, KINDS, ".") == "."


def test_a_prefix_suggests_the_shortest_completion() -> None:
    assert near("ed", ["editor", "edges", "edit"]) == "edit"


def test_of_two_equally_near_words_the_first_is_suggested() -> None:
    assert near("bat", ["cat", "hat"]) == "cat"
    assert near("bat", ["hat", "cat"]) == "hat"


def test_without_words_nothing_is_suggested() -> None:
    assert near("fix", []) is None


@given(st.text(st.characters()), st.lists(st.text(st.characters()), min_size=1))
def test_the_suggestion_is_one_of_the_words(typed: str, words: list[str]) -> None:
    assert near(typed, words) in [*words, None]
    assert not typed or near(typed, [*words, typed]) is not None
