"""What was looked for is found as people mean it, and stands out where it is."""

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.reader.texts import laid, toned
from widgets.reader.bodies import Facts, Markdown, Plain
from widgets.reader.hits import found, marked
from widgets.reader.raw import Raw
from widgets.reader.runs import Run, plain

letters = st.text(st.sampled_from("aAbßéİ ﬁ\n"), max_size=12)


def parts(text: str, *needles: str) -> list[str]:
    return [text[start:end] for start, end in found(text, needles)]


def test_case_and_accents_do_not_matter_unless_they_are_typed() -> None:
    assert parts("Redis redis RÉDIS", "redis") == ["Redis", "redis", "RÉDIS"]
    assert parts("Redis redis RÉDIS", "Redis") == ["Redis"]
    assert parts("café CAFE", "cafe") == ["café", "CAFE"]


def test_a_phrase_is_found_over_the_end_of_a_line() -> None:
    assert parts("connection\n  timeouts", "connection timeouts") == [
        "connection\n  timeouts"
    ]


def test_letters_that_fold_into_several_are_found_whole() -> None:
    assert parts("Straße", "strasse") == ["Straße"]
    assert parts("eﬁx", "fi") == ["ﬁ"]
    assert parts("(a+)+$ [x]", "(a+)+$", "[x]") == ["(a+)+$", "[x]"]


@given(st.lists(letters, max_size=4), st.lists(letters, max_size=3))
def test_marking_takes_nothing_away(texts: list[str], needles: list[str]) -> None:
    runs = [Run(text, "code") for text in texts]

    assert plain(marked(runs, needles)) == plain(runs)


def test_hits_stand_out_in_every_body() -> None:
    for body in (
        Markdown("The **re**dis is `redis`"),
        Plain("The redis is redis"),
        Facts([("host", "redis of redis")]),
        Raw(b"redis\n\xffredis"),
    ):
        assert "".join(toned(laid(body, needles=["redis"]), "hit")) == "redisredis"
