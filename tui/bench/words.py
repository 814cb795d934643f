"""The words that made stores consist of: few of them often, most of them seldom."""

from itertools import accumulate
from random import Random

WORDS = [
    "redis",
    "timeout",
    "pool",
    "retry",
    "queue",
    "worker",
    "deploy",
    "cache",
    "index",
    "query",
    "schema",
    "migration",
    "token",
    "session",
    "cookie",
    "proxy",
    "header",
    "socket",
    "buffer",
    "parser",
    "lexer",
    "thread",
    "lock",
    "signal",
    "container",
    "image",
    "volume",
    "network",
    "certificate",
    "backup",
    "restore",
    "cluster",
    "shard",
    "replica",
]
"""The most frequent ones."""

_RARE = 40_000
"""How many words there are beside."""

_SYLLABLES = [
    consonant + vowel + end
    for consonant in "bdfgklmnprstvz"
    for vowel in "aeiou"
    for end in ("", "n", "r", "s")
]


def _made() -> list[str]:
    """Words that nobody uses, in an order that stays."""
    random = Random(1)  # noqa: S311  # reproducible, nothing secret
    made = ("".join(random.choices(_SYLLABLES, k=3)) for _ in range(_RARE))
    return list(dict.fromkeys((*WORDS, *made)))


VOCABULARY = _made()
"""All words, the most frequent first."""

_OFTEN = list(accumulate(1 / (rank + 2) for rank in range(len(VOCABULARY))))
"""How often each is used, added up: the second half as often as the first, the tenth a
tenth, as in what people write."""


def text(random: Random, words: int) -> str:
    """So many words, as often as they are used."""
    return " ".join(random.choices(VOCABULARY, cum_weights=_OFTEN, k=words))
