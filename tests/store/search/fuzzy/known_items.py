"""Known items: queries generated from titles, each of which means its title."""

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import NamedTuple

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.memories import Memory
from store.library import Library, Page
from store.text import fold

NOW = datetime(2026, 3, 1, tzinfo=UTC)
ALPHABET = "abcdefghijklmnopqrstuvwxyz"
EVERY = 9
"""Which titles are asked for: every ninth."""

STRANGE = [
    "api_key",
    "ask-codex",
    "maxRetryDelay of the uploader",
    "Über die Größe von Café-Menüs",
    "Naïve façade in São Paulo",
    "日本語の検索が遅い",
    "設定ファイルの読み込み順序",
    "Где хранятся настройки сервера",
]


class Known(NamedTuple):
    """A typed query, and the title that it means."""

    typed: list[str]
    position: int


class Rule(NamedTuple):
    """Which words of a title a user remembers, and how they type them."""

    remembered: Callable[[list[str]], list[str]]
    typed: Callable[[list[str]], list[str]]


def titles(folder: Path) -> list[str]:
    """Titles of the demo, some strange ones, and a thousand of the demo's words."""
    told = [*_told(folder), *STRANGE]
    words = sorted({word for title in told for word in long(all_words(title))})
    made = (
        " ".join(pick(words, f"{title} {place}") for place in range(2 + title % 7))
        for title in range(1000)
    )
    return list(dict.fromkeys([*told, *made]))


def known(rule: Rule, names: Sequence[str]) -> Iterator[Known]:
    """Titles as the rule types them, unless they mean others as well."""
    words = [all_words(name) for name in names]
    for position in range(0, len(names), EVERY):
        remembered = rule.remembered(words[position])
        if remembered and sum(_means(remembered, other) for other in words) == 1:
            yield Known(rule.typed(remembered), position)


def all_words(title: str) -> list[str]:
    return re.findall(r"[^\W_]+", fold(title))


def long(words: list[str]) -> list[str]:
    return [word for word in words if len(word) > 3]


def pick(words: Sequence[str], of: str) -> str:
    """One of these words, the same on every call."""
    return words[int.from_bytes(sha256(of.encode()).digest()[:4], "big") % len(words)]


def two_or_three(words: list[str]) -> list[str]:
    return long(words)[:3] if len(long(words)) > 1 else []


def two_at_the_ends(words: list[str]) -> list[str]:
    return [long(words)[0], long(words)[-1]] if len(long(words)) > 1 else []


def far_apart(words: list[str]) -> list[str]:
    return two_at_the_ends(words) if len(words) > 3 else []


def three_to_six(words: list[str]) -> list[str]:
    return words if 3 <= len(words) <= 6 else []


def first_three(words: list[str]) -> list[str]:
    return words[:3] if len(words) > 2 else []


def with_consonants(words: list[str]) -> list[str]:
    return two_or_three([word for word in words if len(consonants(word)) > 2])


def misspelt(misspell: Callable[[str, int], str]) -> Callable[[list[str]], list[str]]:
    """One of the words, misspelt somewhere after its first letter."""

    def typed(words: list[str]) -> list[str]:
        wrong = pick(words, "".join(words))
        place = 1 + sum(map(len, words)) % (len(wrong) - 1)
        return [misspell(word, place) if word == wrong else word for word in words]

    return typed


def backwards(words: list[str]) -> list[str]:
    return words[::-1]


def prefixes(words: list[str]) -> list[str]:
    return [word[:4] for word in words]


def initials(words: list[str]) -> list[str]:
    return ["".join(word[0] for word in words)]


def beginnings(words: list[str]) -> list[str]:
    return ["".join(word[:3] for word in words)]


def skeletons(words: list[str]) -> list[str]:
    return [consonants(word) for word in words]


def other(word: str, at: int) -> str:
    return pick([letter for letter in ALPHABET if letter != word[at]], word)


def consonants(word: str) -> str:
    return word[0] + re.sub("[aeiou]", "", word[1:])


TYPOS = {
    "substitution": Rule(
        two_or_three,
        misspelt(lambda word, at: word[:at] + other(word, at) + word[at + 1 :]),
    ),
    "deletion": Rule(
        two_or_three, misspelt(lambda word, at: word[:at] + word[at + 1 :])
    ),
    "insertion": Rule(
        two_or_three,
        misspelt(lambda word, at: word[:at] + other(word, at) + word[at:]),
    ),
    "transposition": Rule(
        two_or_three,
        misspelt(
            lambda word, at: word[: at - 1] + word[at] + word[at - 1] + word[at + 1 :]
        ),
    ),
}
ORDER = {
    "swapped": Rule(two_at_the_ends, backwards),
    "words between": Rule(far_apart, list),
}
ABBREVIATIONS = {
    "prefixes": Rule(two_or_three, prefixes),
    "initials": Rule(three_to_six, initials),
    "beginnings": Rule(first_three, beginnings),
    "consonants": Rule(with_consonants, skeletons),
}


def _means(remembered: list[str], words: list[str]) -> bool:
    """Whether a title has all remembered words, or continues them."""
    return all(any(word.startswith(part) for word in words) for part in remembered)


def _told(folder: Path) -> list[str]:
    stores = demo.write(folder / "stores", NOW)
    moment = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "cache" / "catalogue.db", moment) as library:
        library.stores.choose(beneath(stores, FORMATS).stores)
        library.sync()
        return [
            record.title
            for record in library.lists.page("memories", Page())
            if isinstance(record, Memory)
        ]
