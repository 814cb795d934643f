from itertools import pairwise
from time import perf_counter

import pytest
import wcwidth
from hypothesis import given
from hypothesis import strategies as st

from store.records.answers import Snippet
from store.search.spans import excerpt, may_cut, snippet
from store.text import compared, holds

FILLING = "nothing to see here " * 40

_SECONDS = 5


def marked(shown: Snippet) -> list[str]:
    return [shown.text[start:end] for start, end in shown.spans]


def test_a_short_text_is_shown_unchanged() -> None:
    shown = snippet("Redis needs a keepalive.", ["redis", "keepalive"])

    assert shown == Snippet(text="Redis needs a keepalive.", spans=((0, 5), (14, 23)))


def test_runs_of_blanks_become_one_and_matches_move_along() -> None:
    shown = snippet("\n\n  A\t\tconnection\n\n   timeout \n", ["connection timeout"])

    assert shown.text == "A connection timeout"
    assert marked(shown) == ["connection timeout"]


def test_a_long_text_is_cut_between_words_around_the_match() -> None:
    shown = snippet(f"{FILLING}the redis pool {FILLING}", ["redis"], 60)

    assert shown.text == "…to see here the redis pool nothing to see here nothing to…"
    assert marked(shown) == ["redis"]


def test_the_window_with_all_words_wins_over_the_first_word() -> None:
    text = f"redis {FILLING} redis has a timeout {FILLING} timeout"

    shown = snippet(text, ["redis", "timeout"], 60)

    assert "redis has a timeout" in shown.text
    assert marked(shown) == ["redis", "timeout"]


def test_a_rare_word_is_preferred_to_a_common_one() -> None:
    text = f"redis redis {FILLING} redis {FILLING} a valkey {FILLING} redis"

    assert marked(snippet(text, ["redis", "valkey"], 60)) == ["valkey"]


def test_a_whole_word_is_preferred_to_a_part() -> None:
    text = f"concatenate {FILLING} the cat sat {FILLING}"

    assert "the cat sat" in snippet(text, ["cat"], 60).text


def test_without_a_match_the_beginning_is_shown() -> None:
    shown = snippet(f"It begins. {FILLING}", ["zebra"], 40)

    assert shown == Snippet(text="It begins. nothing to see here nothing…", spans=())


def test_a_match_wider_than_the_window_is_cut() -> None:
    shown = excerpt("x" * 500, [(100, 400)], 40)

    assert shown.text == f"…{'x' * 38}…"
    assert marked(shown) == ["x" * 38]


def test_an_empty_text_has_an_empty_snippet() -> None:
    assert snippet("", ["redis"]) == Snippet(text="", spans=())


@pytest.mark.parametrize("letter", ["e\u0301", "👩‍👩‍👧", "각", "नि", "👍🏽"])
def test_a_cut_falls_between_letters(letter: str) -> None:
    for width in range(10, 20):
        cut = snippet(f"{letter * 60}redis{letter * 60}", ["redis"], width).text

        assert cut.strip("…").replace("redis", "").replace(letter, "") == ""


@given(st.text(max_size=30), st.integers(0, 30))
def test_the_standard_agrees_on_what_a_letter_is(text: str, at: int) -> None:
    ends = {0}
    for letter in wcwidth.iter_graphemes(text):
        ends.add(max(ends) + len(letter))

    if at < len(text) and may_cut(text, at):
        assert at in ends


WORDS = st.lists(
    st.one_of(
        st.sampled_from(["redis", "Straße", "e\u0301te\u0301", "\n", "한글", "x" * 50]),
        st.text(max_size=12),
    ),
    max_size=60,
).map(" ".join)


@given(WORDS, st.lists(st.sampled_from(["redis", "strasse", "ete", "x"])))
def test_a_snippet_is_one_short_line_that_shows_its_matches(
    text: str, needles: list[str]
) -> None:
    shown = snippet(text, needles, 40)

    assert shown.text == " ".join(shown.text.split())
    assert bool(shown.spans) == any(holds(text, needle) for needle in needles)
    for part in marked(shown):
        assert any(holds(part, n) or holds(n * 50, compared(part, n)) for n in needles)


def test_many_repeated_needles_stay_fast() -> None:
    letters = "abcdefghijklmnopqrstuvwxyz"
    text = f"{letters} " * 400
    needles = [*map("".join, pairwise(letters)), *letters]

    begun = perf_counter()
    shown = snippet(text, needles * 40, 60)

    assert perf_counter() - begun < _SECONDS
    assert shown == snippet(text, needles, 60)
