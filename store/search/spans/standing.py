"""Where the words of a query stand in a text."""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import Protocol

from store.search.fold import compared, is_exact
from store.search.spans.folded import Folded

Stretch = tuple[int, int]
"""Some of a text: its first character, and the one behind its last."""

_MOST_MATCHES = 200
"""Matches of a pattern that are looked for: each may have read the whole text."""


class Found(Protocol):
    """What a pattern found."""

    def span(self) -> Stretch:
        """Where it found it."""
        ...


class Finds(Protocol):
    """A compiled regular expression, of whichever library."""

    def finditer(self, text: str, /) -> Iterator[Found]:
        """Everything that it finds in a text."""
        ...


def spans(text: str, needles: Sequence[str]) -> list[Stretch]:
    """Where the needles stand in a text, in order, none twice.

    The needles are held against the text as a query is; whatever blank a needle has
    inside, any blank will do.
    """
    look = looking(text)
    return united(stretch for needle in needles for stretch in look(needle))


def spans_of_pattern(text: str, pattern: Finds) -> list[Stretch]:
    """Where the first matches of a regular expression stand; empty ones are no use."""
    matches = islice(pattern.finditer(text), _MOST_MATCHES)
    return united(
        found.span() for found in matches if found.span()[0] < found.span()[1]
    )


def looking(text: str) -> Callable[[str], Iterator[Stretch]]:
    """What looks for needles in one text, which is folded but once."""

    @cache
    def folded(exact: bool) -> Folded:  # noqa: FBT001  # `cache` wants it by position
        return Folded(text, exact=exact)

    def look(needle: str) -> Iterator[Stretch]:
        wanted = compared(needle, needle)
        if not wanted or wanted.isspace():
            return _as_written(text, needle)
        hay = folded(is_exact(needle))
        return (hay.written(*stretch) for stretch in _standing(hay.text, wanted))

    return look


def united(stretches: Iterable[Stretch]) -> list[Stretch]:
    """Stretches in order, those that overlap made one."""
    whole: list[Stretch] = []
    for start, end in sorted(stretches):
        if whole and start < whole[-1][1]:
            whole[-1] = whole[-1][0], max(whole[-1][1], end)
        else:
            whole.append((start, end))
    return whole


def _standing(text: str, wanted: str) -> Iterator[Stretch]:
    """Where something stands in a text, both folded."""
    words = wanted.split()
    if len(words) == 1:
        return _literally(text, words[0])
    phrase = re.compile(r"\s+".join(re.escape(word) for word in words))
    return (found.span() for found in phrase.finditer(text))


def _as_written(text: str, needle: str) -> Iterator[Stretch]:
    """Where a needle stands of which nothing is left when it is folded."""
    return iter(()) if not needle.strip() else _literally(text, needle)


def _literally(text: str, needle: str) -> Iterator[Stretch]:
    start = text.find(needle)
    while start >= 0:
        end = start + len(needle)
        yield start, end
        start = text.find(needle, end)
