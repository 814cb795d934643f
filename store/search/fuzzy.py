"""Fuzzy matching among many names: typos, abbreviations and words in another order."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from store.search.fuzzy_words import (
    LONGEST_NAME,
    Judgement,
    Narrow,
    WithoutFrizbee,
    judged,
    typed,
    typos,
)

_LIKE = 0.4
"""The lowest score that still counts as similar."""
_GOOD = 0.7
"""The score from which a name is a good result."""
_MEANT = 0.8
"""The score from which a name is most likely the intended one."""
_LONGEST_INITIALS = 5
_LONGEST_WORDS = 3
_FEW = 100
"""How many of the names that lack a word are judged."""


class Near(NamedTuple):
    """A name similar to what was typed."""

    position: int
    """Its index among the names."""
    score: float
    """Similarity from 0 to 1, comparable across queries."""
    how: str
    """A short description of the similarity."""


class Names:
    """The names of many records, prepared for matching.

    An entry holds all names of one record, one per line, its title first.
    """

    def __init__(
        self, names: Iterable[str] = (), narrow: Callable[[], Narrow] | None = None
    ) -> None:
        self._names: list[str] = []
        self._narrow = (narrow or _the_quickest())()
        self.extend(names)

    def __len__(self) -> int:
        return len(self._names)

    def extend(self, names: Iterable[str]) -> None:
        """Add more names; their indexes continue from the last."""
        more = [name[:LONGEST_NAME] for name in names]
        self._names += more
        self._narrow.extend(more)

    def similar(self, words: Sequence[str], limit: int) -> list[Near]:
        """The names most similar to these words, best first, then in index order."""
        needles = typed(words)
        if not needles or limit < 1:
            return []
        found: dict[int, Judgement] = {}
        for positions, patience in self._ways(needles, found, limit):
            self._judge(needles, positions, patience, found)
        best = sorted(found, key=lambda position: (-found[position].score, position))
        return [
            Near(position, found[position].score, _how(needles, found[position]))
            for position in best[:limit]
        ]

    def _ways(
        self, words: list[str], found: dict[int, Judgement], limit: int
    ) -> Iterator[tuple[Iterable[int], int]]:
        """Ways of narrowing down, each used only if the previous found too little."""
        yield self._narrow.misspelt([(word, typos(word)) for word in words]), 0
        if not _is_meant(words, found.values(), limit):
            yield self._narrow.abbreviated(words), 0
        if max((each.score for each in found.values()), default=0) < _GOOD:
            yield self._patiently(words), 1

    def _patiently(self, words: list[str]) -> Iterator[int]:
        """Names with one more typo, or without one of the longest words.

        The missing word may still occur in them with more typos than usual.
        """
        if len(words) == 1:
            yield from self._narrow.misspelt([(words[0], typos(words[0]) + 1)])
            return
        longest = sorted(words, key=len, reverse=True)[:_LONGEST_WORDS]
        for few in combinations(longest, len(longest) - 1):
            found = self._narrow.misspelt([(word, typos(word)) for word in few])
            yield from found[:_FEW]

    def _judge(
        self,
        words: list[str],
        positions: Iterable[int],
        patience: int,
        found: dict[int, Judgement],
    ) -> None:
        new = [place for place in dict.fromkeys(positions) if place not in found]
        names = [self._names[place] for place in new]
        judgements = zip(new, judged(words, names, patience), strict=True)
        found |= {place: each for place, each in judgements if each.score >= _LIKE}


def _is_meant(words: Sequence[str], found: Collection[Judgement], limit: int) -> bool:
    """Whether the words were meant as words, not as abbreviations."""
    good = sum(each.score >= _GOOD for each in found)
    best = max((each.score for each in found), default=0)
    as_words = best >= _MEANT and sum(map(len, words)) > _LONGEST_INITIALS
    return good >= limit or as_words


def _how(words: Sequence[str], judgement: Judgement) -> str:
    """How a name is similar to these words; identical words are not mentioned."""
    hows = [
        kind.value.format(word=word)
        for word, kind in zip(words, judgement.kinds, strict=True)
        if kind.value
    ]
    if not judgement.ordered:
        hows.append("words in another order")
    return ", ".join(hows) or "every word"


def _the_quickest() -> Callable[[], Narrow]:
    """The fastest narrowing available; frizbee is not built for every platform."""
    try:
        from store.search.fuzzy_frizbee import WithFrizbee  # noqa: PLC0415  # not on every platform
    except ImportError:
        return WithoutFrizbee
    return WithFrizbee
