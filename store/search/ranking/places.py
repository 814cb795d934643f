"""The places of a record where a word may stand, and what it is worth there.

    title   names    tags   description   body

     10       8        7         4          3     as a whole word
      9       7        6        3.5        2.5    as the beginning of one
      4       3        3        1.5         1     as a part of one

Whole words and beginnings count for more than the place beside; the middle of a word in
a title counts for no more than a whole word in a description.
"""

from typing import NamedTuple

from store.search.spans.whole import ends_word, starts_word

_TRIES = 6
"""Occurrences that are looked at for one that is a whole word."""


class Level(NamedTuple):
    """How a word stands in a place."""

    points: float
    """What that is worth."""
    sentence: str
    """How it is told."""


class Place(NamedTuple):
    """A text that a record has, and what a word is worth in it."""

    whole: Level
    """The word stands there by itself."""
    beginning: Level
    """A word there begins with it."""
    part: Level
    """It stands within a word there."""


def _place(name: str, whole: float, beginning: float, part: float) -> Place:
    return Place(
        Level(whole, f"{name} has {{!r}} as a whole word"),
        Level(beginning, f"{name} has a word that begins with {{!r}}"),
        Level(part, f"{name} has {{!r}} within a word"),
    )


TITLE = _place("title", 10, 9, 4)
NAMES = _place("name", 8, 7, 3)
TAGS = _place("tag", 7, 6, 3)
DESCRIPTION = _place("description", 4, 3.5, 1.5)
BODY = _place("body", 3, 2.5, 1)


def standing(place: Place, text: str, word: str) -> Level:
    """How a word that a text has stands in it at its best, both folded."""
    best = place.part
    start = text.find(word)
    for _ in range(_TRIES):
        if start < 0:
            break
        if starts_word(text, start):
            if ends_word(text, start + len(word)):
                return place.whole
            best = place.beginning
        start = text.find(word, start + 1)
    return best
