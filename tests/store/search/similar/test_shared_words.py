"""The words that distinguish a memory from others."""

from store.search.similar import MOST_WORDS, Sketch, tell
from store.search.tree import Either, Named, Text
from tests.store.search.similar.memories import (
    ALL,
    BACKUP,
    COUNTED,
    LETTERS,
    OTHERS,
    TIMEOUTS,
    Counted,
)


def test_the_rarest_shared_word_weighs_most() -> None:
    telling = tell(TIMEOUTS, COUNTED)

    assert list(telling.tags) == ["redis", "timeout", "homelab"]
    assert list(telling.words) == [
        "redis",
        "drops",
        "idle",
        "socket_keepalive",
        "firewall",
    ]


def test_words_that_most_memories_have_weigh_nothing() -> None:
    assert "the" not in tell(BACKUP, COUNTED).words
    assert list(tell(OTHERS[0], COUNTED).words) == []


def test_words_are_compared_without_case_and_accents() -> None:
    assert list(tell(LETTERS, COUNTED).words) == ["cafes", "bring", "喫茶", "茶店"]


def test_a_key_is_not_a_word() -> None:
    key = "sk" + "0123456789abcdef" * 3
    both = [Sketch("a", key, (), key), Sketch("b", key, (), key)]

    assert tell(both[0], Counted(both)).words == {}


def test_a_long_text_has_a_limited_number_of_words() -> None:
    text = " ".join(f"word{n}" for n in range(200))
    both = [Sketch("a", "", (), text), Sketch("b", "", (), text)]

    assert len(tell(both[0], Counted(both)).words) == MOST_WORDS


def test_more_like_this_is_a_query() -> None:
    assert tell(TIMEOUTS, COUNTED).query(words=2) == Either(
        (Named("tag", ("redis", "timeout", "homelab")), Text("redis"), Text("drops"))
    )
    assert tell(Sketch("memory:x", "So"), Counted(ALL)).query() is None
