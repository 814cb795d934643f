"""What memories mean: the vectors that their stores keep, read when somebody asks."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain

from store.catalogue.finding.similar import nearest_tree
from store.catalogue.rows.memories import own_key
from store.discover import Found
from store.errors import UnreadableError
from store.records.memory import Memory
from store.search.language.tree import Node
from store.search.similar import Held, Meant, Near, by_meaning, nearest
from store.settings.record import Semantic

_NEAREST = 20
"""So many memories mean the same at most; beyond them likeness is chance."""

_LEAST = 0.5
"""Vectors that lie further apart mean different things."""

Complain = Callable[[str], None]
"""Tells the user what could not be read, a sentence each."""


def meaning_of(
    query: Node,
    semantic: Semantic,
    environment: Mapping[str, str],
    stores: Sequence[Found],
) -> Meant:
    """The memories that are nearest to a query's words; this may ask a provider.

    A query without words means nothing beside what it says.
    """
    words = nearest_tree(query)
    if words is None:
        return Meant()
    notes: list[str] = []
    held = _vectors_of(stores, notes.append)
    meant = by_meaning(words.text, semantic, environment, held, _NEAREST)
    return Meant(meant.near, (*notes, *meant.notes))


def nearest_to(
    memory: Memory, stores: Sequence[Found], complain: Complain
) -> list[Near]:
    """The memories whose vectors lie near a memory's own, if it has one."""
    homes = [found for found in stores if str(found.path) == memory.store]
    key = own_key(memory.path, memory.id)
    for home in _vectors_of(homes, complain):
        vector = home.vectors.by_key.get(key)
        if vector is not None:
            others = [found for found in stores if found not in homes]
            return _nearest(vector, home, _vectors_of(others, complain))
    return []


def _nearest(vector: Sequence[float], home: Held, others: Iterable[Held]) -> list[Near]:
    """The nearest of all that the same model made."""
    found = [
        Near(held.store, key, score)
        for held in chain([home], others)
        if _made_alike(held, home)
        for key, score in nearest(vector, held.vectors.by_key, _NEAREST)
        if score >= _LEAST
    ]
    return sorted(found, key=lambda near: -near.score)[:_NEAREST]


def _made_alike(held: Held, home: Held) -> bool:
    one, other = held.vectors, home.vectors
    return (one.model, one.dimensions) == (other.model, other.dimensions)


def _vectors_of(stores: Iterable[Found], complain: Complain) -> Iterator[Held]:
    """The vectors of the stores that keep some."""
    for found in stores:
        try:
            with found.format.open(found.path) as store:
                vectors = store.vectors()
        except UnreadableError as error:
            complain(f"The vectors of {found.path} cannot be used: {error}")
        else:
            if vectors is not None:
                yield Held(str(found.path), vectors)
