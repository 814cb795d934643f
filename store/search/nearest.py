"""Did you mean …: the nearest of several words."""

from collections.abc import Iterable

_LETTERS_A_TYPO = 3
"""How many letters there must be for each typo in what is still suggested."""


def nearest(word: str, words: Iterable[str]) -> str:
    """The word that is spelt most like the one that was typed."""
    return max(words, key=lambda candidate: _likeness(word, candidate))


def near(word: str, words: Iterable[str]) -> str | None:
    """The nearest word, if it is near enough for a suggestion."""
    best = max(words, key=lambda candidate: _likeness(word, candidate), default=None)
    return best if best is not None and _is_near(word, best) else None


def _likeness(word: str, candidate: str) -> float:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # slow, for mistakes only

    likeness = OSA.normalized_similarity(word.casefold(), candidate.casefold())
    return likeness + _begins(word, candidate)


def _is_near(word: str, candidate: str) -> bool:
    from rapidfuzz.distance import OSA  # noqa: PLC0415  # slow, for mistakes only

    typos = OSA.distance(word.casefold(), candidate.casefold())
    return _begins(word, candidate) or typos <= len(word) // _LETTERS_A_TYPO


def _begins(word: str, candidate: str) -> bool:
    return bool(word) and candidate.casefold().startswith(word.casefold())
