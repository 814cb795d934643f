"""Did you mean: the nearest of several words; many sentences in a few."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.text import few, guess, near

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


def test_sentences_that_say_the_same_are_counted() -> None:
    told = [f"{n} entry ({n}.md) keeps the path of “Title {n}”." for n in range(1200)]

    assert few(told) == ["1,200 like this: 0 entry (0.md) keeps the path of “Title 0”."]
    assert few(["Left out: a.", *told[:2], "Left out: b."]) == [
        "Left out: a.",
        f"2 like this: {told[0]}",
        "Left out: b.",
    ]


def test_only_five_kinds_of_sentence_are_shown() -> None:
    kinds = [f"{letter * 3} is left out." for letter in "abcdefg"]

    assert few([*kinds, kinds[-1]]) == [*kinds[:5], "… and 3 more."]
    assert few(kinds[:5]) == kinds[:5]
    assert few([]) == []
