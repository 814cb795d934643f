"""Search by meaning: what was asked, as a vector, beside those of the memories."""

from collections.abc import Iterable, Mapping, Sequence
from heapq import nlargest
from math import hypot
from operator import mul

from msgspec import Struct

from store.formats.port import Vectors
from store.search.similar.providers import NoAnswerError, vector_of
from store.settings.record import Provider, Semantic


class Held(Struct, frozen=True):
    """The vectors that a store keeps."""

    store: str
    """The store's root."""
    vectors: Vectors


class Near(Struct, frozen=True):
    """A memory whose vector lies near another."""

    store: str
    """The store's root."""
    key: str
    """The memory's key, as its store's vectors have it."""
    score: float
    """The cosine of the angle between them: 1 where they point the same way."""


class Meant(Struct, frozen=True):
    """What means the same as a query, as far as that could be told."""

    near: tuple[Near, ...] = ()
    """The nearest first."""
    notes: tuple[str, ...] = ()
    """Where words alone were searched, and why, in a sentence each."""


def by_meaning(
    query: str,
    semantic: Semantic,
    environment: Mapping[str, str],
    stores: Iterable[Held],
    limit: int,
) -> Meant:
    """The memories nearest to a query; asks the provider, if one is switched on."""
    if semantic.provider is Provider.OFF:
        return Meant(notes=(_OFF,))
    notes: list[str] = []
    comparable: list[Held] = []
    for held in stores:
        other = _other_model(held, semantic)
        (notes.append(other) if other else comparable.append(held))
    if not comparable:
        return Meant(notes=tuple(notes or [_NO_VECTORS]))
    try:
        vector = vector_of(query, semantic, environment)
    except NoAnswerError as error:
        return Meant(notes=(*notes, f"{error} Words alone were searched."))
    found: list[Near] = []
    for held in comparable:
        if held.vectors.dimensions == len(vector):
            found += _nearest_of(held, vector, limit)
        else:
            notes.append(_other_length(held, len(vector), semantic))
    found.sort(key=lambda near: (-near.score, near.store, near.key))
    return Meant(tuple(found[:limit]), tuple(notes))


def nearest(
    vector: Sequence[float], vectors: Mapping[str, Sequence[float]], limit: int
) -> list[tuple[str, float]]:
    """The keys of the vectors nearest to one, with how near; the nearest first.

    All are of one length, and none is all zeros.
    """
    length = hypot(*vector)
    scores = (
        (sum(map(mul, vector, other)) / (length * hypot(*other)), key)
        for key, other in vectors.items()
    )
    return [(key, score) for score, key in nlargest(limit, scores)]


def _nearest_of(held: Held, vector: Sequence[float], limit: int) -> list[Near]:
    ranked = nearest(vector, held.vectors.by_key, limit)
    return [Near(held.store, key, score) for key, score in ranked]


_OFF = "Search by meaning is switched off in the settings; words alone were searched."
_NO_VECTORS = "No store keeps vectors, so words alone were searched."


def _other_model(held: Held, semantic: Semantic) -> str | None:
    """Why a store's vectors cannot be compared, if their model tells."""
    made = (held.vectors.model or "").partition(":")[0]
    if not made or made == semantic.model.partition(":")[0]:
        return None
    return (
        f"The vectors of {held.store} were made by {made}, not by {semantic.model}, "
        "so words alone were searched there."
    )


def _other_length(held: Held, length: int, semantic: Semantic) -> str:
    return (
        f"The vectors of {held.store} have {held.vectors.dimensions} dimensions and "
        f"that of {semantic.model} has {length}, so words alone were searched there."
    )
