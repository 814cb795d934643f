"""Narrowing by rapidfuzz alone, for machines that frizbee is not built for."""

from collections.abc import Iterable, Sequence

from rapidfuzz import fuzz, process
from rapidfuzz.distance import LCSseq

from store.search.fold import fold
from store.search.fuzzy.cutting import cut
from store.search.fuzzy.narrowing import MOST

_ROUNDING = 0.01


class WithoutFrizbee:
    """Names held as they are, folded."""

    def __init__(self) -> None:
        self._names: dict[int, str] = {}

    def extend(self, names: Iterable[str]) -> None:
        """Hold more names."""
        self._names |= enumerate(map(fold, names), len(self._names))

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Where names have all these words, each with so many typos at most."""
        left = self._names
        scores: dict[int, float] = {}
        for word, typos in words:
            found = process.extract(
                word,
                left,
                scorer=fuzz.partial_ratio,
                score_cutoff=max(100 * (1 - typos / len(word)) - _ROUNDING, 0),
                limit=None,
            )
            scores = {place: scores.get(place, 0) + score for _, score, place in found}
            left = {place: self._names[place] for place in scores}
        return sorted(scores, key=lambda place: (-scores[place], place))[:MOST]

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Where names have the letters of each word, best where words begin."""
        left = self._names
        for word in words:
            found = process.extract(
                word,
                left,
                scorer=LCSseq.similarity,
                score_cutoff=len(word),
                limit=None,
            )
            left = {place: name for name, _, place in found}
        return sorted(left, key=lambda place: self._rank(words, place))[:MOST]

    def _rank(self, words: Sequence[str], place: int) -> tuple[int, int, int]:
        title, _ = cut(self._names[place])
        initials = "".join(word[0] for word in title.words)
        return -sum(word in initials for word in words), len(self._names[place]), place
