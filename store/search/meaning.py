"""Semantic search: compare the vector of a query with those of the memories."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from heapq import nlargest
from itertools import chain
from math import hypot, isfinite
from operator import mul
from typing import cast

from msgspec import Struct

from store.errors import RecollectError
from store.formats.port import Vectors
from store.settings import Provider, Semantic

# The vector in a provider's response, or the reason why there is no vector.

LONGEST = 8192
"""The longest vector that is accepted."""

_LARGEST = 1e30
"""Numbers in a vector are near 1; anything this large is invalid."""


class NoAnswerError(RecollectError):
    """A provider returned no vector; the message says why, without key or text."""


def at(answer: object, *path: str | int) -> object:
    """The value at a path in a response; None if nothing is there."""
    for step in path:
        if isinstance(answer, dict):
            answer = cast("dict[object, object]", answer).get(step)
        elif isinstance(answer, list) and isinstance(step, int):
            values = cast("list[object]", answer)
            answer = values[step] if step < len(values) else None
        else:
            return None
    return answer


def as_vector(value: object, name: str) -> list[float]:
    """A value as a non-zero vector; raises NoAnswerError."""
    values = cast("list[object]", value) if isinstance(value, list) else []
    numbers = [
        float(number)
        for number in values[: LONGEST + 1]
        if isinstance(number, int | float) and abs(number) < _LARGEST
    ]
    length = hypot(*numbers)
    if len(numbers) != len(values) or not (length > 0 and isfinite(length)):
        raise NoAnswerError(f"{name} answered with an invalid vector.")
    return numbers


# Turn text into a vector; the only place that uses the network.
#
# It does so only if a provider is switched on in the settings.


def vector_of(
    text: str, semantic: Semantic, environment: Mapping[str, str]
) -> list[float]:
    """The vector of a text; raises NoAnswerError with the reason if there is no answer.

    `environment` holds the key, if the provider needs one.
    """
    (vector,) = vectors_of(text, semantic, environment)
    return vector


def vectors_of(
    texts: str | Sequence[str], semantic: Semantic, environment: Mapping[str, str]
) -> list[list[float]]:
    """The vectors of one text or of several, in one request."""
    if semantic.provider is Provider.OFF:
        raise NoAnswerError("Semantic search is off in the settings.")
    from store.search import providers  # noqa: PLC0415  # loads sockets

    return providers.vectors_of(texts, semantic, environment)


WAITING: set[Callable[[], None]] = set()
"""For each request that is waited for, what ends the wait."""


def hang_up() -> None:
    """End all requests that are waited for; each raises NoAnswerError."""
    for end in tuple(WAITING):
        end()


# Compare the vector of a query with the vectors of the memories.


class Held(Struct, frozen=True):
    """The vectors of a store."""

    store: str
    """The root of the store."""
    vectors: Vectors


class Near(Struct, frozen=True):
    """A memory whose vector is near another."""

    store: str
    """The root of the store."""
    key: str
    """The memory's key among the vectors of its store."""
    score: float
    """The cosine of the angle between them: 1 if they have the same direction."""


class Meant(Struct, frozen=True):
    """The memories that match a query in meaning, as far as could be found."""

    near: tuple[Near, ...] = ()
    """Nearest first."""
    notes: tuple[str, ...] = ()
    """Where only words were searched, and why, one sentence each."""


FLOOR = 0.2
"""How near a memory must be at least: 0 is the average memory, 1 is the query itself.

Models differ in how near unrelated texts are, so that no plain cosine would do.
"""

_FEWEST = 20
"""The fewest memories with an average that says anything; of fewer, 0 is assumed."""


def by_meaning(
    query: str,
    semantic: Semantic,
    environment: Mapping[str, str],
    stores: Iterable[Held],
    limit: int,
) -> Meant:
    """The memories nearest to a query; calls the provider, if one is switched on.

    Of several vectors of a memory, the first counts.
    """
    if semantic.provider is Provider.OFF:
        return Meant(notes=(_OFF,))
    notes: dict[str, list[str]] = {}
    comparable: list[Held] = []
    for held in stores:
        notes.setdefault(held.store, [])
        other = _other_model(held, semantic)
        (notes[held.store].append(other) if other else comparable.append(held))
    if not comparable:
        return Meant(notes=(*chain(*notes.values()),) or (_NO_VECTORS,))
    try:
        vector = vector_of(query, semantic, environment)
    except NoAnswerError as error:
        other = notes.keys() - {held.store for held in comparable}
        told = chain.from_iterable(notes[store] for store in notes if store in other)
        return Meant(notes=(*told, f"{error} Only words were searched."))
    scores: dict[tuple[str, str], float] = {}
    for held in comparable:
        if held.vectors.dimensions == len(vector):
            for score, key in scores_of(vector, held.vectors.by_key):
                scores.setdefault((held.store, key), score)
            notes[held.store].clear()
        else:
            notes[held.store].append(_other_length(held, len(vector), semantic))
    found = [Near(*place, score) for place, score in scores.items()]
    found = above_floor(found)
    return Meant(tuple(found[:limit]), (*chain(*notes.values()),))


def above_floor(found: Sequence[Near]) -> list[Near]:
    """Those that are much nearer than the average one, nearest first."""
    number = len(found)
    mean = sum(near.score for near in found) / number if number >= _FEWEST else 0
    floor = mean + FLOOR * (1 - mean)
    kept = [near for near in found if near.score >= floor]
    return sorted(kept, key=lambda near: (-near.score, near.store, near.key))


def nearest(
    vector: Sequence[float], vectors: Mapping[str, Sequence[float]], limit: int
) -> list[tuple[str, float]]:
    """The keys of the vectors nearest to one and their similarity, nearest first."""
    found = nlargest(limit, scores_of(vector, vectors))
    return [(key, score) for score, key in found]


def scores_of(
    vector: Sequence[float], vectors: Mapping[str, Sequence[float]]
) -> Iterator[tuple[float, str]]:
    """How similar each of some vectors is to one.

    All must have the same length, and none may be all zeros.
    """
    length = hypot(*vector)
    for key, other in vectors.items():
        yield sum(map(mul, vector, other)) / (length * hypot(*other)), key


_OFF = "Semantic search is off in the settings; only words were searched."
_NO_VECTORS = (
    "No store has vectors; only words were searched. `recollect embed` makes them."
)


def _other_model(held: Held, semantic: Semantic) -> str | None:
    """Why a store's vectors cannot be compared, if their model shows it."""
    made = (held.vectors.model or "").partition(":")[0]
    if not made or made == semantic.model.partition(":")[0]:
        return None
    return (
        f"The vectors of {held.store} were made by {made}, not by "
        f"{semantic.model}; only words were searched there."
    )


def _other_length(held: Held, length: int, semantic: Semantic) -> str:
    return (
        f"The vectors of {held.store} have {held.vectors.dimensions} dimensions, "
        f"but {semantic.model} makes {length}; only words were searched there."
    )
