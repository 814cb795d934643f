"""Judging: each word that was typed against the words of the names that remain."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from store.search.fuzzy.beginnings import HOPELESS, abbreviation
from store.search.fuzzy.cutting import Line, cut
from store.search.fuzzy.spelling import NOTHING, Kind, Likeness, likenesses

_BESIDE_THE_TITLE = 0.92
_ABBREVIATED = 0.85
_OTHER_ORDER = 0.02
_NOT_AT_THE_BEGINNING = 0.02
_HEAVIEST = 6
"""A word of so many letters weighs as much as any longer one."""
_MORE_IN_THE_TITLE = 0.08


class Judgement(NamedTuple):
    """How much a name is like what was typed."""

    score: float
    """From 0 to 1, for names and queries of all kinds alike."""
    kinds: tuple[Kind, ...]
    """In what way, word by word."""
    ordered: bool
    """Whether the words are in the order in which they were typed."""


class _Hit(NamedTuple):
    """What of a name is most like a word."""

    score: float
    kind: Kind
    place: int
    covered: int


_MISS = _Hit(0, Kind.MISSING, 0, 0)


def judged(
    words: Sequence[str], names: Sequence[str], patience: int = 0
) -> list[Judgement]:
    """How much each name is like these words, with so many typos more than usual."""
    cuts = [cut(name) for name in names]
    vocabulary = {
        word for lines in cuts for line in lines for word, _ in line.all_words
    }
    alike = [likenesses(word, vocabulary, patience) for word in words]
    return [_judged(words, alike, title, others) for title, others in cuts]


def _judged(
    words: Sequence[str],
    alike: Sequence[Mapping[str, Likeness]],
    title: Line,
    others: Line,
) -> Judgement:
    hits = [
        _better(_hit(word, likeness, title), _beside(word, likeness, title, others))
        for word, likeness in zip(words, alike, strict=True)
    ]
    weights = [min(len(word), _HEAVIEST) for word in words]
    likeness = _mean([hit.score for hit in hits], weights)
    places = [hit.place for hit in hits if hit.score]
    ordered = places == sorted(places)
    faults = (
        _MORE_IN_THE_TITLE * _left_over(hits, title)
        + _OTHER_ORDER * (not ordered)
        + _NOT_AT_THE_BEGINNING * (0 not in places)
    )
    return Judgement(likeness * (1 - faults), tuple(hit.kind for hit in hits), ordered)


def _mean(scores: Sequence[float], weights: Sequence[int]) -> float:
    weighed = zip(scores, weights, strict=True)
    return sum(score * weight for score, weight in weighed) / sum(weights)


def _left_over(hits: Sequence[_Hit], title: Line) -> float:
    """How much of a title nobody asked for."""
    letters = sum(map(len, title.words))
    covered = sum(hit.covered for hit in hits)
    return max(0, 1 - covered / letters) if letters else 1


def _beside(
    word: str, alike: Mapping[str, Likeness], title: Line, others: Line
) -> _Hit:
    """What beside the title is most like a word: it counts for less."""
    if not others.words:
        return _MISS
    score, kind, place, _ = _hit(word, alike, others)
    return _Hit(score * _BESIDE_THE_TITLE, kind, place + len(title.words), 0)


def _hit(word: str, alike: Mapping[str, Likeness], line: Line) -> _Hit:
    best = _MISS
    for text, place in line.all_words:
        likeness = alike.get(text, NOTHING)
        if likeness.score > best.score:
            best = _Hit(*likeness, place, len(text))
    if best.score >= _ABBREVIATED or len(word) == 1:
        return best
    return _better(best, _abbreviated(word, line))


def _abbreviated(word: str, line: Line) -> _Hit:
    found = abbreviation(word, line.words)
    if found is None or found.cost >= HOPELESS:
        return _MISS
    score = _ABBREVIATED - found.cost
    return _Hit(score, Kind.ABBREVIATES, found.place, found.covered)


def _better(one: _Hit, other: _Hit) -> _Hit:
    return other if other.score > one.score else one
