"""Narrow down a long list of names with frizbee.

For frizbee, a typo is a typed letter that does not match: an extra letter, a wrong one
and a transposition cost one typo each; an omitted letter costs none.
"""

from collections.abc import Iterable, Sequence
from os import cpu_count

import frizbee

from store.search.fuzzy import MOST
from store.text import fold

_TOGETHER = frizbee.Scoring(gap_open_penalty=8)
"""The letters of a misspelt word are adjacent."""
_AT_BEGINNINGS = frizbee.Scoring(
    delimiter_bonus=16, capitalization_bonus=16, prefix_bonus=20, gap_open_penalty=3
)
"""The letters of an abbreviation are at the start of words."""

_THREADS = min(cpu_count() or 1, 4)


class WithFrizbee:
    """Names stored by frizbee."""

    def __init__(self) -> None:
        self._names = frizbee.Haystacks()

    def extend(self, names: Iterable[str]) -> None:
        """Add more names."""
        self._names.extend([_plain(name) for name in names])

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Indexes of names with all these words, each with at most this many typos."""
        return self._best(
            [
                frizbee.Pattern(word, max_typos=typos, scoring=_TOGETHER)
                for word, typos in words
            ]
        )

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Indexes of names with the letters of each word, best if they start words."""
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
    """A name for frizbee, which folds case itself but not accents."""
    if name.isascii():
        return name
    return fold(name).encode(errors="replace").decode()
