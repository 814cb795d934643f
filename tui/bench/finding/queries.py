"""What somebody types who has a record in mind, by rule, the same on every machine."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from random import Random
from zlib import crc32

from msgspec import Struct

from store.search.fold import fold
from tui.bench.finding.items import Item, title_words

_MOST = 120
"""Queries of each way of typing."""

_REMEMBERED = 4
"""Words of a title that stay in mind: the longest."""

_MISTYPED = 5
"""Letters that a word has at least in which a letter goes wrong."""

_INITIALS = range(3, 7)
"""So many words are shortened to their initials."""

_BEGINNING = 3
"""Letters that are left of a word that is run together with others."""

_OF_BODY = range(2, 4)
"""So many words of a body are typed."""

_LETTERS = re.compile(r"[^\W\d_]{4,}")


class Query(Struct, frozen=True):
    """What is typed, and what is meant."""

    way: str
    """The way in which it was made."""
    text: str
    """What is typed."""
    ref: str
    """The ref of what is meant."""


def queries(items: Sequence[Item]) -> list[Query]:
    """Queries for these items, way by way; each way takes some of them, evenly."""
    rare = _Rarity(items)
    ways: dict[str, Callable[[Item, Random], str | None]] = {
        "words of the title": _words,
        "two words swapped": _swapped,
        "a typo": _mistyped,
        "last word cut": _cut,
        "abbreviated": _abbreviated,
        "words of the body": rare.words,
    }
    return [query for way in ways for query in _typed(way, ways[way], items)]


def _typed(
    way: str, typed: Callable[[Item, Random], str | None], items: Iterable[Item]
) -> list[Query]:
    """The queries of one way, for items that are as good as drawn by lot."""
    drawn = sorted(items, key=lambda item: crc32(f"{way} {item.title}".encode()))
    made = (
        Query(way, text, item.ref)
        for item in drawn
        if (text := typed(item, Random(f"{way} {item.title}")))  # noqa: S311  # a lot
    )
    return [query for _, query in zip(range(_MOST), made, strict=False)]


def _remembered(item: Item) -> list[str]:
    """The words of a title that stay in mind, in order."""
    words = title_words(item.title)
    longest = sorted(range(len(words)), key=lambda at: (-len(words[at]), at))
    return [words[at] for at in sorted(longest[:_REMEMBERED])]


def _words(item: Item, _lot: Random) -> str | None:
    """The words of the title as they are."""
    return " ".join(_remembered(item)) or None


def _swapped(item: Item, lot: Random) -> str | None:
    """Two neighbours in each other's place."""
    words = _remembered(item)
    if len(words) < len("ab"):
        return None
    at = lot.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return " ".join(words)


def _mistyped(item: Item, lot: Random) -> str | None:
    """One letter left out, doubled, replaced or swapped with the next."""
    words = _remembered(item)
    long = [at for at, word in enumerate(words) if len(word) >= _MISTYPED]
    if not long:
        return None
    which = lot.choice(long)
    word = words[which]
    at = lot.randrange(1, len(word) - 1)
    head, letter, other, tail = word[:at], word[at], word[at + 1], word[at + 2 :]
    wrong = [
        f"{head}{other}{tail}",
        f"{head}{letter}{letter}{other}{tail}",
        f"{head}{'x' if letter != 'x' else 'y'}{other}{tail}",
    ]
    if letter != other:
        wrong.append(f"{head}{other}{letter}{tail}")
    words[which] = lot.choice(wrong)
    return " ".join(words)


def _cut(item: Item, lot: Random) -> str | None:
    """The last word not yet typed to its end."""
    words = _remembered(item)
    if not words or len(words[-1]) < _MISTYPED:
        return None
    end = lot.randrange(_BEGINNING, len(words[-1]) - 1)
    return " ".join([*words[:-1], words[-1][:end]])


def _abbreviated(item: Item, lot: Random) -> str | None:
    """The initials of all words, or the beginnings of some run together."""
    words = title_words(item.title)
    if len(words) in _INITIALS and lot.random() < 1 / 2:
        return "".join(word[0] for word in words)
    long = [word for word in _remembered(item) if len(word) > _BEGINNING]
    if len(long) < len("ab"):
        return None
    return "".join(word[:_BEGINNING] for word in long[:_BEGINNING])


class _Rarity:
    """How many bodies have each word."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._often = Counter(word for item in items for word in set(_told(item.body)))

    def words(self, item: Item, _lot: Random) -> str | None:
        """The rarest words of the body that the title does not have, in its order."""
        title = fold(item.title)
        told = [word for word in dict.fromkeys(_told(item.body)) if word not in title]
        if len(told) < _OF_BODY.start:
            return None
        rarest = sorted(told, key=lambda word: (self._often[word], -len(word), word))
        typed = set(rarest[: _OF_BODY.stop - 1])
        return " ".join(word for word in told if word in typed)


def _told(body: str) -> Iterator[str]:
    """The words of a body, folded."""
    return (found[0] for found in _LETTERS.finditer(fold(body)))
