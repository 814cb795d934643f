"""Rankings put together, whatever their scores are made of."""

from collections import defaultdict
from collections.abc import Hashable, Iterable
from typing import TypeVar

_EVEN = 60
"""Evens out the places at the top; the number that reciprocal rank fusion came with."""

Ranked = TypeVar("Ranked", bound=Hashable)


def merged(*rankings: Iterable[Ranked]) -> list[Ranked]:
    """All that is ranked, best first: what stands high in several stands highest.

    Only places count (reciprocal rank fusion), since the scores of words and of vectors
    cannot be compared. What is even stays in the order of the first ranking.
    """
    scores: defaultdict[Ranked, float] = defaultdict(float)
    for ranking in rankings:
        for place, one in enumerate(dict.fromkeys(ranking), start=1):
            scores[one] += 1 / (_EVEN + place)
    return sorted(scores, key=lambda one: -scores[one])
