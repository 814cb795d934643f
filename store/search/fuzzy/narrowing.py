"""Narrowing: from all names to the few hundred that are worth judging."""

from collections.abc import Iterable, Sequence
from typing import Protocol

MOST = 300
"""How many names one way of narrowing hands on."""


class Narrow(Protocol):
    """All names, held so that most of them are dismissed at once."""

    def extend(self, names: Iterable[str]) -> None:
        """Hold more names."""
        ...

    def misspelt(self, words: Sequence[tuple[str, int]]) -> list[int]:
        """Where names have all these words, each with so many typos at most."""
        ...

    def abbreviated(self, words: Sequence[str]) -> list[int]:
        """Where names have the letters of each word, best where words begin."""
        ...
