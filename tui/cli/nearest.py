"""Did you mean …: the nearest of several words."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that is spelt most like the one that was typed."""
    from rapidfuzz import process  # noqa: PLC0415  # slow to load, and for mistakes only

    best, _, _ = process.extractOne(word, list(words))
    return best
