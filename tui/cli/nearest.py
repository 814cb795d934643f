"""Did you mean …: the nearest of several words."""

from collections.abc import Iterable


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that is spelt most like the one that was typed."""
    from rapidfuzz import fuzz, process  # noqa: PLC0415  # slow, for mistakes only

    best, _, _ = process.extractOne(word, list(words), scorer=fuzz.ratio)
    return best
