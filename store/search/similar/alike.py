"""Which memories are most like one, and why."""

from collections.abc import Iterable, Mapping

from msgspec import Struct

from store.search.similar.merging import merged
from store.search.similar.telling import Sketch, Telling, tags_of, words_of

_LEAST = 0.05
"""What is less alike than this is not alike."""

_BY_TAGS = 0.8
"""How alike two memories are that share every tag and not a word."""

_NAMED = 3
"""How many tags and words a reason names."""


class Alike(Struct, frozen=True):
    """A memory that is like another."""

    ref: str
    score: float
    """How alike their tags and words are, from 0 to 1."""
    tags: tuple[str, ...] = ()
    """The tags that they share, the rarest first."""
    words: tuple[str, ...] = ()
    """The telling words that they share, the rarest first."""
    meaning: float | None = None
    """How alike their vectors are, where there are some."""

    @property
    def reason(self) -> str:
        """Why, in a few words: `1 shared tag: redis; rare words: keepalive`."""
        reasons: list[str] = []
        if self.tags:
            many = "s" if len(self.tags) > 1 else ""
            named = ", ".join(self.tags[:_NAMED])
            reasons.append(f"{len(self.tags)} shared tag{many}: {named}")
        if self.words:
            reasons.append(f"rare words: {', '.join(self.words[:_NAMED])}")
        if self.meaning is not None:
            reasons.append(f"meaning {self.meaning:.2f}")
        return "; ".join(reasons)


def most_alike(
    telling: Telling,
    others: Iterable[Sketch],
    limit: int,
    meanings: Mapping[str, float] | None = None,
) -> list[Alike]:
    """The memories most like one, the most alike first.

    `meanings` has, by ref, how alike the vectors of the nearest ones are. Those are in
    the answer even where they share no word, if they are among the others.
    """
    near = meanings or {}
    found = [_alike(telling, one, near.get(one.ref)) for one in others]
    kept = {one.ref: one for one in found if one.ref != telling.ref and _counts(one)}
    by_words = sorted(kept.values(), key=lambda one: (-one.score, one.ref))
    by_meaning = sorted(near.keys() & kept.keys(), key=lambda ref: (-near[ref], ref))
    ranked = merged((one.ref for one in by_words if one.score >= _LEAST), by_meaning)
    return [kept[ref] for ref in ranked[:limit]]


def _counts(alike: Alike) -> bool:
    return alike.score >= _LEAST or alike.meaning is not None


def _alike(telling: Telling, other: Sketch, meaning: float | None) -> Alike:
    """How alike another memory is: tags make up for words, and words for tags.

    Memories of one subject have all their tags in common and may say what they will:
    only words make two of them the same.
    """
    theirs = tags_of(other), words_of(other)
    tags, by_tags = _shared(telling.tags, theirs[0])
    words, by_words = _shared(telling.words, theirs[1])
    score = 1 - (1 - _BY_TAGS * by_tags) * (1 - by_words)
    return Alike(other.ref, score, tags, words, meaning)


def _shared(
    weights: Mapping[str, float], theirs: set[str]
) -> tuple[tuple[str, ...], float]:
    """What is shared, and how much that is of all that could be."""
    shared = tuple(one for one in weights if one in theirs)
    total = sum(weights.values())
    share = sum(weights[one] for one in shared) / total if total else 0.0
    return shared, min(share, 1.0)
