import re
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from store.search.spans import spans, spans_of_pattern
from store.text import compared

LETTERS = st.text(
    st.sampled_from("aeiboltłŁøæÞß\u017fﬁİǅé\u0301\u0323\u20d0\u20d2 \n½K한がẞ🇩🇪")
)
TEXTS = st.one_of(st.text(max_size=60), LETTERS)


def shown(text: str, *needles: str) -> list[str]:
    return [text[start:end] for start, end in spans(text, needles)]


@pytest.mark.parametrize(
    ("text", "needle", "found"),
    [
        ("Redis, redis and REDIS", "redis", ["Redis", "redis", "REDIS"]),
        ("Redis, redis and REDIS", "Redis", ["Redis"]),
        ("Un café, un CAFÉ, un cafe", "cafe", ["café", "CAFÉ", "cafe"]),
        ("un cafe\u0301!", "cafe", ["cafe\u0301"]),
        ("un cafe\u0301!", "café", ["cafe\u0301"]),
        ("die Straße, die STRASSE", "strasse", ["Straße", "STRASSE"]),
        ("the of\ufb01ce \ufb01le", "file", ["\ufb01le"]),
        ("the of\ufb01ce", "office", ["of\ufb01ce"]),
        ("Łukasz i LUKASZ", "lukasz", ["Łukasz", "LUKASZ"]),
        ("Lukasz i Łukasz", "Łukasz", ["Lukasz", "Łukasz"]),
        ("Søren på Færøerne", "faeroerne", ["Færøerne"]),
        ("İstanbul und ß, dann Istanbul", "istanbul", ["İstanbul", "Istanbul"]),
        ("接続のタイムアウト", "タイム", ["タイム"]),
        ("a (draft) [x]", "(draft)", ["(draft)"]),
    ],
)
def test_needles_are_found_as_a_query_finds_them(
    text: str, needle: str, found: list[str]
) -> None:
    assert shown(text, needle) == found


def test_a_letter_that_contains_a_match_is_marked_whole() -> None:
    assert shown("the of\ufb01ce", "ice") == ["\ufb01ce"]


def test_a_phrase_continues_on_the_next_line() -> None:
    text = "a connection\n    timeout, a connection timeout"

    assert shown(text, "connection timeout") == [
        "connection\n    timeout",
        "connection timeout",
    ]


def test_overlapping_spans_join_and_touching_ones_do_not() -> None:
    assert spans("redistribute", ["redist", "distri"]) == [(0, 8)]
    assert spans("redistribute", ["redis", "tri"]) == [(0, 5), (5, 8)]


def test_blank_needles_match_nowhere() -> None:
    assert spans("a b", ["", " ", "\n"]) == []


def plain(text: str, needle: str) -> str:
    """The text as it is compared, with any blanks."""
    return " ".join(compared(text, needle).split()) or text


@given(TEXTS, st.integers(0, 60), st.integers(0, 60))
@example("½\u20d0\u20d2", 0, 2)
def test_every_slice_of_a_text_is_found_in_it(text: str, start: int, end: int) -> None:
    needle = text[start:end]

    found = spans(text, [needle])

    assert bool(found) == bool(needle.strip())


@given(TEXTS, TEXTS)
def test_a_marked_span_contains_the_needle(text: str, needle: str) -> None:
    for start, end in spans(text, [needle]):
        marked = text[start:end]
        assert plain(needle, needle) in plain(marked, needle)
        assert plain(needle, needle) not in plain(marked[1:-1], needle)


@given(TEXTS, st.lists(TEXTS, max_size=4))
def test_spans_are_ordered_and_disjoint(text: str, needles: list[str]) -> None:
    found = spans(text, needles)

    assert all(0 <= start < end <= len(text) for start, end in found)
    assert all(one[1] <= other[0] for one, other in pairwise(found))


def test_a_pattern_gives_its_matches() -> None:
    text = "é: redis, retry"

    assert spans_of_pattern(text, re.compile(r"re(dis|try)")) == [(3, 8), (10, 15)]
    assert spans_of_pattern(text, re.compile("z*")) == []


def test_a_pattern_that_matches_everywhere_ends() -> None:
    assert len(spans_of_pattern("ab" * 10_000, re.compile("a"))) == 200
