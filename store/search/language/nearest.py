"""Did you mean …: the nearest of several words."""

from collections.abc import Iterable

_NEAR = 75
"""From which likeness on, of 100, one word is taken for another mistyped."""


def nearest(word: str, words: Iterable[str]) -> str | None:
    """The word that is spelt most like the one that was typed."""
    return _nearest(word, words, 0)


def near(word: str, words: Iterable[str]) -> str | None:
    """The same, if it is likely that it was meant."""
    return _nearest(word, words, _NEAR)


def _nearest(word: str, words: Iterable[str], least: float) -> str | None:
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # slow, for mistakes only

    found = process.extractOne(word, list(words), scorer=fuzz.ratio, score_cutoff=least)
    return found[0] if found else None
