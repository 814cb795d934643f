"""Search terms are matched as people mean them, and highlighted."""

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.reader.texts import laid, toned
from widgets.page import Facts, Markdown, Plain, Raw
from widgets.text import Run, found, marked, plain

letters = st.text(st.sampled_from("aAblłŁæßéİ ﬁ\u0301\n"), max_size=12)


def parts(text: str, *needles: str) -> list[str]:
    return [text[start:end] for start, end in found(text, needles)]


def test_case_and_accents_matter_only_if_they_are_typed() -> None:
    assert parts("Redis redis RÉDIS", "redis") == ["Redis", "redis", "RÉDIS"]
    assert parts("Redis redis RÉDIS", "Redis") == ["Redis"]
    assert parts("café CAFE", "cafe") == ["café", "CAFE"]
    assert parts("Łukasz, lukasz", "lukasz") == ["Łukasz", "lukasz"]


def test_a_phrase_is_found_across_a_line_break() -> None:
    assert parts("connection\n  timeouts", "connection timeouts") == [
        "connection\n  timeouts"
    ]


def test_letters_that_fold_into_several_are_found_whole() -> None:
    assert parts("Straße", "strasse") == ["Straße"]
    assert parts("eﬁx", "fi") == ["ﬁ"]
    assert parts("cafe\u0301, Maße zählen", "zahlen", "masse") == ["Maße", "zählen"]
    assert parts("(a+)+$ [x]", "(a+)+$", "[x]") == ["(a+)+$", "[x]"]


@given(st.lists(letters, max_size=4), st.lists(letters, max_size=3))
def test_highlighting_removes_nothing(texts: list[str], needles: list[str]) -> None:
    runs = [Run(text, "code") for text in texts]

    assert plain(marked(runs, needles)) == plain(runs)


def test_hits_are_highlighted_in_every_body() -> None:
    for body in (
        Markdown("The **re**dis is `redis`"),
        Plain("The redis is redis"),
        Facts([("host", "redis of redis")]),
        Raw(b"redis\n\xffredis"),
    ):
        assert "".join(toned(laid(body, needles=["redis"]), "hit")) == "redisredis"
