"""Sessions that are about the same, by the words that people typed in them.

Words are weighed by how often they come and how rare they are, and the whole vectors of
two sessions are compared. Compared by the words of one side alone, as the kit's own
analyzer does it, any two sessions that share a single word would be equal.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Mapping

_TOKEN = re.compile(r"[A-Za-z][A-Za-z0-9_]{2,}")

Vector = Mapping[str, float]


def tokens(text: str) -> Iterable[str]:
    """The words of a text that are compared."""
    return (found[0].lower() for found in _TOKEN.finditer(text))


def most_similar(
    session: str, words: Mapping[str, Counter[str]], limit: int
) -> list[tuple[str, float]]:
    """The sessions most like one, with how much: above 0, and 1 for the same words."""
    rarity = _rarity(words)
    own = _vector(words[session], rarity)
    scores = (
        (name, _cosine(own, _vector(counts, rarity)))
        for name, counts in words.items()
        if name != session
    )
    alike = [(name, score) for name, score in scores if score > 0]
    return sorted(alike, key=lambda item: (-item[1], item[0]))[:limit]


def _rarity(words: Mapping[str, Counter[str]]) -> dict[str, float]:
    """How rare each word is among the sessions."""
    sessions = Counter(word for counts in words.values() for word in counts)
    return {
        word: math.log((len(words) + 1) / (count + 1)) + 1
        for word, count in sessions.items()
    }


def _vector(counts: Counter[str], rarity: Vector) -> Vector:
    return {word: count * rarity[word] for word, count in counts.items()}


def _cosine(one: Vector, other: Vector) -> float:
    shared = one.keys() & other.keys()
    length = math.hypot(*one.values()) * math.hypot(*other.values())
    if not length:
        return 0.0
    return min(math.fsum(one[word] * other[word] for word in shared) / length, 1.0)
