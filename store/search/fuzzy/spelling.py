"""How much a word that was typed is like each of many words."""

from collections.abc import Collection, Iterator
from enum import Enum
from typing import NamedTuple

from rapidfuzz import fuzz, process
from rapidfuzz.distance import OSA

from store.search.fuzzy.cutting import typos


class Kind(Enum):
    """In what way something typed is like something that is there, and what to say."""

    SAME = ""
    BEGINS = "{word!r} begins a word"
    ONE_TYPO = "one typo in {word!r}"
    TYPOS = "typos in {word!r}"
    INSIDE = "{word!r} within a word"
    ABBREVIATES = "{word!r} abbreviates"
    MISSING = "without {word!r}"


class Likeness(NamedTuple):
    """How like: from 0, nothing in common, to 1, the same."""

    score: float
    kind: Kind


NOTHING = Likeness(0, Kind.MISSING)

_MISSPELT = 0.92
_COST_OF_TYPOS = 0.8
_A_BEGINNING_AT_THAT = 0.08
_FEWEST_WITHIN = 3
"""Fewer letters are within too many words to mean anything."""
_LEAST_WITHIN = 70
"""Of a hundred; what is less like it than that is chance."""


def likenesses(
    typed: str, words: Collection[str], patience: int = 0
) -> dict[str, Likeness]:
    """What of these words is like the one typed, with so many typos more than usual."""
    alike: dict[str, Likeness] = {}
    for word, likeness in _every(typed, words, patience):
        if likeness.score > alike.get(word, NOTHING).score:
            alike[word] = likeness
    return alike


def _every(
    typed: str, words: Collection[str], patience: int
) -> Iterator[tuple[str, Likeness]]:
    usual = typos(typed)
    yield from _literally(typed, words)
    if usual + patience:
        yield from _misspelt(typed, words, usual + patience)
    if usual:
        yield from _beginning_misspelt(typed, words, usual)
        yield from _misspelt_within(typed, words, usual)


def _literally(typed: str, words: Collection[str]) -> Iterator[tuple[str, Likeness]]:
    """The words that hold what was typed."""
    for word in words:
        if typed not in word:
            continue
        share = len(typed) / len(word)
        if typed == word:
            yield word, Likeness(1, Kind.SAME)
        elif word.startswith(typed):
            yield word, Likeness(0.82 + 0.15 * share, Kind.BEGINS)
        elif len(typed) >= _FEWEST_WITHIN or not typed.isascii():
            yield word, Likeness(0.6 + 0.25 * share, Kind.INSIDE)


def _misspelt(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    found = process.extract(
        typed, words, scorer=OSA.distance, score_cutoff=most, limit=None
    )
    for word, distance, _ in found:
        if distance:
            yield word, _with(distance, typed)


def _beginning_misspelt(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    """The words that go on after what is nearly what was typed."""
    for length in range(len(typed) - 1, len(typed) + 2):
        longer = [word for word in words if len(word) > length]
        beginnings = {word[:length] for word in longer}
        for beginning, (score, kind) in _misspelt(typed, beginnings, most):
            for word in longer:
                if word.startswith(beginning):
                    yield word, Likeness(score - _A_BEGINNING_AT_THAT, kind)


def _misspelt_within(
    typed: str, words: Collection[str], most: int
) -> Iterator[tuple[str, Likeness]]:
    """The long words, those of scripts without spaces too, that nearly hold it."""
    longer = [word for word in words if len(word) > len(typed) + 1]
    cutoff = max(100 * (1 - most / len(typed)) - 1, _LEAST_WITHIN)
    found = process.extract(
        typed, longer, scorer=fuzz.partial_ratio, score_cutoff=cutoff, limit=None
    )
    for word, ratio, _ in found:
        yield word, Likeness(0.4 + 0.2 * ratio / 100, Kind.TYPOS)


def _with(distance: int, typed: str) -> Likeness:
    kind = Kind.ONE_TYPO if distance == 1 else Kind.TYPOS
    return Likeness(_MISSPELT - _COST_OF_TYPOS * distance / len(typed), kind)
