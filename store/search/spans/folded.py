"""A text as it is compared, and the way back to the text as it was written.

Most letters fold to one letter, so that most places are the same in both. Those that do
not, like ß, the ligature ﬁ or an accent that stands by itself, are steps: behind each,
the two texts are further apart or closer together.
"""

import re
from bisect import bisect_right
from functools import cached_property, lru_cache
from typing import NamedTuple

from store.search.fold import fold, unmarked


class _Step(NamedTuple):
    """A letter that folds to none, or to several."""

    folded: int
    """Where its folded form starts."""
    written: int
    """Where it stands."""
    length: int
    """How many letters it folds to."""


class Folded:
    """A text with its case and accents folded, or with its case kept."""

    def __init__(self, written: str, *, exact: bool) -> None:
        """Fold a text; `exact` keeps its case."""
        self._written = written
        self._length = _length_exact if exact else _length
        self.text = unmarked(written) if exact else fold(written)

    def written(self, start: int, end: int) -> tuple[int, int]:
        """Where in the text as written some of the folded text stands.

        Only whole letters, accents behind the last one included.
        """
        if not self._steps:
            return start, end
        last = self._place(end - 1) + 1
        return self._place(start), max(last, self._place(end))

    def _place(self, at: int) -> int:
        """The place of the letter that a letter of the folded text comes from."""
        found = bisect_right(self._steps, at, key=lambda step: step.folded) - 1
        if found < 0:
            return at
        step = self._steps[found]
        return step.written + max(0, at - step.folded - step.length + 1)

    @cached_property
    def _steps(self) -> list[_Step]:
        if self._written.isascii():
            return []
        letters = (letter for letter in set(self._written) if not letter.isascii())
        uneven = "".join(letter for letter in letters if self._length(letter) != 1)
        if not uneven:
            return []
        steps: list[_Step] = []
        further = 0
        for found in re.finditer(f"[{re.escape(uneven)}]", self._written):
            length = self._length(found[0])
            steps.append(_Step(found.start() + further, found.start(), length))
            further += length - 1
        return steps


@lru_cache(1024)
def _length(letter: str) -> int:
    return len(fold(letter))


@lru_cache(1024)
def _length_exact(letter: str) -> int:
    return len(unmarked(letter))
