"""Near-duplicates are found without comparing every pair."""

from itertools import combinations

from hypothesis import given
from hypothesis import strategies as st

from store.search.similar import Sketch, doubles, words_of
from tests.store.search.similar.memories import ALL, TIMEOUTS

_WORDS = (
    "redis",
    "kiln",
    "glaze",
    "drops",
    "idle",
    "valve",
    "pool",
    "京都",
    "zfs-send",
)

sketches = st.lists(
    st.lists(st.sampled_from(_WORDS), max_size=9).map(
        lambda words: Sketch("memory:x", "", (), " ".join(words))
    ),
    max_size=12,
)


def test_rephrased_duplicates_are_found() -> None:
    other = TIMEOUTS.text.replace("because", "since").replace("idle", "quiet")
    twin = Sketch("memory:twin", TIMEOUTS.title, (), other)

    ((places, share, _),) = doubles([*ALL, twin])

    assert places == [ALL.index(TIMEOUTS), len(ALL)]
    assert 0.6 < share < 1


def test_nearly_empty_texts_are_similar_to_nothing() -> None:
    short = Sketch("memory:short", "Use uv", (), "Always.")

    assert doubles([short, short]) == []


def test_a_memory_similar_to_two_groups_joins_them() -> None:
    words = [f"word{number}" for number in range(20)]
    texts = [words[:10], words[4:14], words[8:18]]

    ((places, _, nearest),) = doubles(
        [Sketch(f"memory:{n}", "", (), " ".join(one)) for n, one in enumerate(texts)]
    )

    assert places == [0, 1, 2]
    assert nearest == {0: 1, 1: 0, 2: 1}


def test_thousands_from_one_template_are_one_group() -> None:
    many = [
        Sketch(f"memory:{n}", f"Day {n:04}", (), "what was done: nothing to be told")
        for n in range(2000)
    ]

    ((places, *_),) = doubles(many)

    assert places == list(range(2000))


def test_long_texts_are_duplicates_by_the_share_of_words_alone() -> None:
    words = [f"word{number}" for number in range(3000)]
    texts = [words[:1000], words[600:1600], words[1600:2600], words[2000:3000]]

    found = doubles(
        [Sketch(f"memory:{n}", "", (), " ".join(one)) for n, one in enumerate(texts)]
    )

    assert found == [([2, 3], 600 / 1400, {2: 3, 3: 2})]


@given(sketches)
def test_two_memories_that_share_most_words_are_one_group(
    found: list[Sketch],
) -> None:
    words = [words_of(sketch) for sketch in found]
    alike = {
        (one, other)
        for one, other in combinations(range(len(found)), 2)
        if min(len(words[one]), len(words[other])) >= 5
        and len(words[one] & words[other]) >= 0.4 * len(words[one] | words[other])
    }

    groups = [places for places, *_ in doubles(found)]

    assert {place for pair in alike for place in pair} == {
        place for places in groups for place in places
    }
    for pair in alike:
        assert sum(set(pair) <= set(places) for places in groups) == 1
