from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from store.derive.conversations import most_similar, tokens

WORDS = st.sampled_from(["redis", "timeout", "stripe", "cone", "booking"])
SESSIONS = st.dictionaries(
    st.sampled_from(["s1", "s2", "s3", "s4"]),
    st.lists(WORDS, max_size=6).map(Counter),
    min_size=1,
)


def test_words_are_split_as_the_analyzer_does() -> None:
    assert list(tokens("Fix the DB's `redis_pool2` to 9x, ok")) == [
        *("fix", "the", "redis_pool2")
    ]


def test_one_shared_word_does_not_make_two_sessions_equal() -> None:
    words = {
        "query": Counter(["redis"]),
        "same": Counter(["redis"]),
        "long": Counter(["redis", "stripe", "webhook", "order", "replay"]),
        "none": Counter(["cone"]),
    }

    (first, whole), (second, part) = most_similar("query", words, 5)

    assert (first, second) == ("same", "long")
    assert whole == 1
    assert 0 < part < 0.5


@given(SESSIONS, st.integers(1, 4))
def test_scores_are_between_zero_and_one(
    words: dict[str, Counter[str]], limit: int
) -> None:
    session = next(iter(words))

    found = most_similar(session, words, limit)

    assert len(found) <= limit
    assert session not in dict(found)
    assert all(0 < score <= 1 for _, score in found)
    assert [s for _, s in found] == sorted((s for _, s in found), reverse=True)
