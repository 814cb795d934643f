"""What tells a memory from others."""

from store.search.language.tree import Either, Named, Text
from store.search.similar import Sketch, tell
from store.search.similar.telling import MOST_WORDS
from tests.store.search.similar.memories import (
    ALL,
    BACKUP,
    COUNTED,
    LETTERS,
    OTHERS,
    TIMEOUTS,
    Counted,
)


def test_the_rarest_that_others_share_tells_most() -> None:
    telling = tell(TIMEOUTS, COUNTED)

    assert list(telling.tags) == ["redis", "timeout", "homelab"]
    assert list(telling.words) == [
        "redis",
        "drops",
        "idle",
        "socket_keepalive",
        "firewall",
    ]


def test_what_most_have_tells_nothing() -> None:
    assert "the" not in tell(BACKUP, COUNTED).words
    assert list(tell(OTHERS[0], COUNTED).words) == []


def test_words_are_compared_without_case_and_accents() -> None:
    assert list(tell(LETTERS, COUNTED).words) == ["cafes", "bring", "喫茶", "茶店"]


def test_a_key_is_no_word() -> None:
    key = "sk" + "0123456789abcdef" * 3
    both = [Sketch("a", key, (), key), Sketch("b", key, (), key)]

    assert tell(both[0], Counted(both)).words == {}


def test_a_long_text_has_only_so_many_telling_words() -> None:
    text = " ".join(f"word{n}" for n in range(200))
    both = [Sketch("a", "", (), text), Sketch("b", "", (), text)]

    assert len(tell(both[0], Counted(both)).words) == MOST_WORDS


def test_more_like_this_is_a_query() -> None:
    assert tell(TIMEOUTS, COUNTED).query(words=2) == Either(
        (Named("tag", ("redis", "timeout", "homelab")), Text("redis"), Text("drops"))
    )
    assert tell(Sketch("memory:x", "So"), Counted(ALL)).query() is None
