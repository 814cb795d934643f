"""Which memories are most similar to one, and why."""

from hypothesis import given
from hypothesis import strategies as st

from store.search.similar import Sketch, most_alike, tell
from tests.store.search.similar.memories import (
    ALL,
    COUNTED,
    DROPS,
    LETTERS,
    MORE,
    PROXY,
    TIMEOUTS,
    Counted,
)


def test_the_most_similar_come_first_with_their_reasons() -> None:
    first, second, *_ = most_alike(tell(TIMEOUTS, COUNTED), ALL, 20)

    assert first.ref == DROPS.ref
    assert first.reason == (
        "3 shared tags: redis, timeout, homelab; rare words: redis, drops, idle"
    )
    assert second.ref == PROXY.ref
    assert second.reason == "1 shared tag: homelab; rare words: firewall"
    assert 1 >= first.score > second.score > 0


def test_the_same_text_ranks_over_the_same_tags() -> None:
    subject = [
        Sketch(f"memory:a{number}", "Something else", TIMEOUTS.tags, f"Other {number}.")
        for number in range(5)
    ]
    twin = Sketch("memory:z", TIMEOUTS.title, TIMEOUTS.tags, TIMEOUTS.text)
    every = [*ALL, *subject, twin]

    first, *others = most_alike(tell(TIMEOUTS, Counted(every)), every, 20)

    assert first.ref == twin.ref
    assert first.score == 1
    assert all(one.score < 1 for one in others)


def test_words_are_enough_without_tags() -> None:
    (only,) = most_alike(tell(LETTERS, COUNTED), ALL, 20)

    assert only.ref == MORE.ref
    assert only.reason == "rare words: cafes, bring, 喫茶"


def test_the_number_of_results_is_limited() -> None:
    assert len(most_alike(tell(TIMEOUTS, COUNTED), ALL, 3)) == 3


def test_similar_meaning_needs_no_shared_word() -> None:
    meanings = {LETTERS.ref: 0.91, DROPS.ref: 0.8, "memory:linked": 0.99}

    found = most_alike(tell(TIMEOUTS, COUNTED), ALL, 20, meanings)

    assert [one.ref for one in found[:2]] == [DROPS.ref, LETTERS.ref]
    assert found[0].reason.endswith("drops, idle; meaning 0.80")
    assert found[1].reason == "meaning 0.91"
    assert "memory:linked" not in [one.ref for one in found]


def test_nothing_is_similar_to_an_empty_memory() -> None:
    assert most_alike(tell(Sketch("memory:x", ""), COUNTED), ALL, 20) == []


SKETCHES = st.lists(
    st.builds(
        Sketch,
        st.uuids().map(str),
        st.text(max_size=20),
        st.tuples(st.sampled_from(["a", "B", "ß", ""])),
        st.text(max_size=40),
    ),
    min_size=1,
    max_size=6,
)


@given(SKETCHES)
def test_similarity_is_between_0_and_1(sketches: list[Sketch]) -> None:
    found = most_alike(tell(sketches[0], Counted(sketches)), sketches, 9)

    assert sketches[0].ref not in [one.ref for one in found]
    for one in found:
        assert 0 < one.score <= 1
        assert one.reason
