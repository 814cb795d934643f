"""What tells one memory from others: its rarest tags and words."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from math import log
from typing import Protocol

from msgspec import Struct

from store.search.fold import fold
from store.search.language.tree import Either, Named, Text

MOST_WORDS = 30
"""How many words of a memory others are compared by."""

_READ = 16 * 1024
"""How much of a text is looked at, in characters."""

_SHORTEST, _LONGEST = 3, 24
"""How long a word is; what is longer is a key, a hash or worse."""

_PAIR = 2
"""And how many characters follow one another where no blanks tell words apart."""

_RUN = re.compile(r"[^\W_]+(?:[_'’-][^\W_]+)*")
_UNSPACED = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]+")
"""What is written without blanks; each two characters count as a word there."""

_IN_TITLE = 1.5
"""How much more a word of the title tells."""


class Sketch(Struct, frozen=True):
    """A memory, as much of it as likeness is told by."""

    ref: str
    title: str
    tags: tuple[str, ...] = ()
    text: str = ""


class Frequencies(Protocol):
    """In how many memories something stands, among those that are compared."""

    @property
    def memories(self) -> int:
        """How many memories there are."""
        ...

    def with_tag(self, tag: str) -> int:
        """How many of them have a tag; it is folded."""
        ...

    def with_word(self, word: str) -> int:
        """How many of them have a word in title or text; it is folded."""
        ...


class Telling(Struct, frozen=True):
    """A memory's tags and words that others share, with how much each one tells."""

    ref: str
    tags: Mapping[str, float]
    """Every tag, folded, the most telling first."""
    words: Mapping[str, float]
    """The most telling words, folded, the most telling first."""

    def query(self, words: int = 5) -> Either | None:
        """A query for more like this; None where nothing tells."""
        named = (Named("tag", tuple(self.tags)),) if self.tags else ()
        terms = (*named, *map(Text, list(self.words)[:words]))
        return Either(terms) if terms else None


def tell(memory: Sketch, frequencies: Frequencies) -> Telling:
    """What others can be compared with a memory by."""
    count = frequencies.memories
    tags = _weighed(tags_of(memory), frequencies.with_tag, count, count)
    rare = max(2, count // 3)
    words = _weighed(words_of(memory), frequencies.with_word, count, rare)
    for word in words.keys() & _words(memory.title):
        words[word] *= _IN_TITLE
    return Telling(memory.ref, _first(tags), _first(words, MOST_WORDS))


def tags_of(memory: Sketch) -> set[str]:
    """A memory's tags as they are compared."""
    return {fold(tag) for tag in memory.tags}


def words_of(memory: Sketch) -> set[str]:
    """A memory's words as they are compared."""
    return _words(memory.title) | _words(memory.text[:_READ])


def is_pair(word: str) -> bool:
    """Whether a word is two characters of what is written without blanks."""
    return len(word) == _PAIR


def _words(text: str) -> set[str]:
    runs: set[str] = set(_RUN.findall(fold(text)))
    words = {run for run in runs if _SHORTEST <= len(run) <= _LONGEST}
    if text.isascii():
        return words
    unspaced = {run for run in runs if _UNSPACED.search(run)}
    return words - unspaced | {pair for run in unspaced for pair in _pairs(run)}


def _pairs(run: str) -> Iterator[str]:
    """Each two characters that follow one another, of those written without blanks."""
    for found in _UNSPACED.findall(run):
        yield from (found[at : at + _PAIR] for at in range(len(found) - 1))


def _weighed(
    found: Iterable[str], having: Callable[[str], int], memories: int, most: int
) -> dict[str, float]:
    """What at least two memories have, and not too many, by how rare it is."""
    counted = ((one, having(one)) for one in found)
    return {
        one: log((memories + 2) / (count + 1))
        for one, count in counted
        if 1 < count <= most
    }


def _first(weights: Mapping[str, float], most: int | None = None) -> dict[str, float]:
    """The heaviest ones, the heaviest first."""
    ordered = sorted(weights.items(), key=lambda item: (-item[1], item[0]))
    return dict(ordered[:most])
