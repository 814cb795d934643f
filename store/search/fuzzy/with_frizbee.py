"""Narrowing by frizbee: names in its own memory, several compared at once.

A typo, for frizbee, is a letter that was typed and is not there: a letter too many, a
wrong one, and two that changed places cost one typo each; a letter left out costs none.
"""

from collections.abc import Iterable, Sequence
from os import cpu_count

import frizbee

from store.search.fold import fold
from store.search.fuzzy.narrowing import MOST

_TOGETHER = frizbee.Scoring(gap_open_penalty=8)
"""Letters of a word with typos stand together."""
_AT_BEGINNINGS = frizbee.Scoring(
    delimiter_bonus=16, capitalization_bonus=16, prefix_bonus=20, gap_open_penalty=3
)
"""Letters of an abbreviation begin words."""

_THREADS = min(cpu_count() or 1, 4)


class WithFrizbee:
    """Names held by frizbee."""

    def __init__(self) -> None:
        self._names = frizbee.Haystacks()

    def extend(self, names: Iterable[str]) -> None:
        """Hold more names."""
        self._names.extend([_plain(name) for name in names])

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Where names have all these words, each with so many typos at most."""
        return self._best(
            [
                frizbee.Pattern(word, max_typos=typos, scoring=_TOGETHER)
                for word, typos in words
            ]
        )

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Where names have the letters of each word, best where words begin."""
        return self._best(
            [frizbee.Pattern(word, scoring=_AT_BEGINNINGS) for word in words]
        )

    def _best(self, patterns: list[frizbee.Pattern]) -> list[int]:
        matcher = frizbee.Matcher.from_patterns(
            patterns, max_items=MOST, casing="ignore"
        )
        found = matcher.match_list_parallel(self._names, _THREADS)
        return [match.index for match in found]


def _plain(name: str) -> str:
    """A name as frizbee takes it: it folds case itself, but no accents."""
    if name.isascii():
        return name
    return fold(name).encode(errors="replace").decode()
