"""Names and queries cut into the words they are compared by."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from store.search.fold import fold

LONGEST_NAME = 300
"""How much of a name is matched: what is longer is text, and text has its own index."""

_LONGEST_WORD = 48
_MOST_WORDS = 12

_REMEMBERED = 4096
"""So many names stay cut: at the next letter most of them are looked at again."""

_WORD = re.compile(r"[^\W_]+")
_COMPOUND = re.compile(r"[^\W_][_-][^\W_]|[a-z0-9][A-Z]|[A-Z][A-Z][a-z]")
_IDENTIFIER = re.compile(r"[^\W_]+(?:[_-][^\W_]+)*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")


class Line(NamedTuple):
    """A line of a name: its words, and the identifiers that some of them make up."""

    words: list[str]
    compounds: list[tuple[str, int]]
    """Identifiers without what parts their words, and the place of their first word."""

    @property
    def all_words(self) -> Iterator[tuple[str, int]]:
        """Every word, identifiers too, and its place."""
        yield from zip(self.words, range(len(self.words)), strict=True)
        yield from self.compounds


@lru_cache(_REMEMBERED)
def cut(name: str) -> tuple[Line, Line]:
    """A name in words: its title, and what else it is called."""
    title, _, others = name[:LONGEST_NAME].partition("\n")
    return _line(title), _line(others)


def typed(words: Iterable[str]) -> list[str]:
    """The words of a query: letters and digits, folded, a bearable number of them."""
    return list(dict.fromkeys(islice(_typed(words), _MOST_WORDS)))


def typos(word: str) -> int:
    """How many typos a word may have and still be that word."""
    return min(len(word) // 4, 2)


def _typed(words: Iterable[str]) -> Iterator[str]:
    for word in words:
        for found in _WORD.finditer(fold(word[:LONGEST_NAME])):
            yield found[0][:_LONGEST_WORD]


def _line(text: str) -> Line:
    if not _COMPOUND.search(text):
        return Line(_WORD.findall(fold(text)), [])
    words: list[str] = []
    compounds: list[tuple[str, int]] = []
    for identifier in _IDENTIFIER.findall(text):
        parts = _WORD.findall(fold(_HUMP.sub(" ", identifier)))
        if len(parts) > 1:
            compounds.append(("".join(parts), len(words)))
        words += parts
    return Line(words, compounds)
