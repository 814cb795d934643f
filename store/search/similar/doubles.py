"""Memories that say nearly the same: those that share most of all their words."""

from collections import Counter, defaultdict, deque
from collections.abc import Iterator, Sequence
from itertools import chain

from store.search.similar.telling import Sketch, words_of

_LEAST = 0.4
"""How much of all their words two of them share; in real stores, memories of one
subject share a third at most."""

_FEWEST = 5
"""What has fewer words says too little to be held against others."""

_RAREST = 12
"""So many of its words say which others it is held against, those that fewest have."""

_COMMON = 2
"""So many of those they have in common; where there are fewer, one does."""

_HELD_AGAINST = 50
"""So many that have a word are looked at, those nearest in length: where one template
made thousands, each of them leads to the next."""

Double = tuple[int, int, float]
"""Two of them by their places, and how much they share."""


def doubles(sketches: Sequence[Sketch]) -> list[tuple[list[int], float]]:
    """Those that say nearly the same, by their places, group by group.

    With each group how much the two of it share that are most alike. Whoever is like
    one of a group belongs to it.
    """
    groups = _Groups(len(sketches))
    shares: defaultdict[int, float] = defaultdict(float)
    found = list(_pairs([words_of(sketch) for sketch in sketches]))
    for one, other, _ in found:
        groups.join(one, other)
    for one, _, share in found:
        group = groups.of(one)
        shares[group] = max(shares[group], share)
    members: defaultdict[int, list[int]] = defaultdict(list)
    for place in range(len(sketches)):
        members[groups.of(place)].append(place)
    return [(members[group], share) for group, share in shares.items()]


def _pairs(words: Sequence[set[str]]) -> Iterator[Double]:
    """Those that are alike, two by two.

    They have one of their rarest words in common, so only such are held together; and
    one of them has not much more words than the other.
    """
    counts = Counter(word for one in words for word in one)
    having: defaultdict[str, deque[int]] = defaultdict(
        lambda: deque(maxlen=_HELD_AGAINST)
    )
    places = (at for at, one in enumerate(words) if len(one) >= _FEWEST)
    for at in sorted(places, key=lambda at: (len(words[at]), at)):
        own = words[at]
        shared = (word for word in own if counts[word] > 1)
        first = sorted(shared, key=lambda word: (counts[word], word))[:_RAREST]
        met = Counter(chain.from_iterable(having[word] for word in first))
        least = _COMMON if len(first) == _RAREST else 1
        for other, count in sorted(met.items()):
            if count < least or len(words[other]) < _LEAST * len(own):
                continue
            share = len(own & words[other]) / len(own | words[other])
            if share >= _LEAST:
                yield other, at, share
        for word in first:
            having[word].append(at)


class _Groups:
    """Which group something belongs to; two groups are joined by what is in both."""

    def __init__(self, count: int) -> None:
        self._leads = list(range(count))

    def of(self, place: int) -> int:
        """The group, by one of its places."""
        while self._leads[place] != place:
            self._leads[place] = self._leads[self._leads[place]]
            place = self._leads[place]
        return place

    def join(self, one: int, other: int) -> None:
        """Make one group of two."""
        first, second = sorted((self.of(one), self.of(other)))
        self._leads[second] = first
