"""Which names an abbreviation matches, and which match is better."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from store.search.fuzzy import HOPELESS, abbreviation

REDIS = ["redis", "connection", "timeout"]


def cost(typed: str, words: list[str]) -> float:
    found = abbreviation(typed, words)
    assert found is not None
    return found.cost


@pytest.mark.parametrize(
    ("typed", "place"),
    [("rct", 0), ("ct", 1), ("redcontim", 0), ("rdcntmt", 0), ("cnnctn", 1), ("rt", 0)],
)
def test_an_abbreviation_begins_with_the_beginning_of_a_word(
    typed: str, place: int
) -> None:
    found = abbreviation(typed, REDIS)

    assert found is not None
    assert found.place == place


@pytest.mark.parametrize("typed", ["edis", "tcr", "rcx", "rctt" * 9, "crt"])
def test_letters_that_begin_no_word_abbreviate_nothing(typed: str) -> None:
    assert abbreviation(typed, REDIS) is None


def test_fewer_omitted_letters_rank_higher() -> None:
    assert cost("rct", REDIS) < cost("rct", ["redis", "has", "connection", "timeout"])
    assert cost("rct", REDIS) < cost("rct", ["a", *REDIS])
    assert cost("rct", REDIS) < cost("rct", [*REDIS, "a"])
    assert cost("cnfg", ["config"]) < cost("cnfg", ["cnbfhg"])
    assert cost("conf", ["config"]) < cost("cnfg", ["config"])


def test_omitted_words_count_less_between_longer_pieces() -> None:
    title = ["check", "links", "weekly", "save", "new", "ones", "to", "the", "wayback"]

    assert cost("weeway", title) < cost("ww", title)
    assert cost("weeway", title) < HOPELESS


def test_short_words_may_be_omitted() -> None:
    assert cost("rt", ["redis", "is", "timeout"]) < cost("rt", REDIS)


def test_every_letter_of_the_words_counts() -> None:
    found = abbreviation("rt", REDIS)

    assert found is not None
    assert found.covered == len("redistimeout")


@given(st.text("abc", min_size=1, max_size=6), st.lists(st.text("abc", min_size=1)))
def test_an_abbreviation_is_contained_letter_by_letter(
    typed: str, words: list[str]
) -> None:
    found = abbreviation(typed, words)

    if found is not None:
        letters = iter("".join(words[found.place :]))
        assert all(letter in letters for letter in typed)
        assert words[found.place].startswith(typed[0])
        assert found.cost > 0
