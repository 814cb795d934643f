"""Search over all kinds: hits, facets, values, similar records, and by meaning."""

import os
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.records import memory_named
from store.answers.stores import OpenStores
from store.catalogue.counts import holders_of
from store.catalogue.query import MOST, listed_fields, nearest_tree, values
from store.catalogue.reader import ALWAYS, Page
from store.catalogue.vectors import VectorFile
from store.discover import Found
from store.errors import UnreadableError
from store.kinds.memories import Memory, own_key
from store.records.answers import Similar
from store.resource import LONG_ENOUGH
from store.search.meaning import Held, Meant, Near, by_meaning, hang_up, nearest
from store.search.tree import EVERYTHING, Node
from store.settings import Semantic

if TYPE_CHECKING:
    from store.catalogue.query import Facets
    from store.catalogue.search import Best
    from store.catalogue.unread import Unread
    from store.equivalents import Equivalent
    from store.records.answers import Double
    from store.search.tree import Complaint


# Search over all kinds: hits, facets, values, similar records.


class Search:
    """Answers with what was meant, over every kind of record."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def facets(
        self,
        kind: str,
        query: Node = EVERYTHING,
        names: Collection[str] | None = None,
    ) -> "Facets":
        """The facets of the records that match a query: those named, or all."""
        with self._stores.reader() as reader:
            return self._stores.finder.facets(reader, kind, query, names)

    def best(
        self,
        query: Node,
        page: Page,
        kinds: Sequence[str] = (),
        near: Sequence[Near] = (),
        unread: "Unread | None" = None,
    ) -> "Best":
        """The best matches for a query, over some kinds or all.

        `near` are the memories with a similar meaning, from `meant`. `unread` are the
        matches of the same query in files that are not in the catalogue yet.
        """
        with self._stores.reader() as reader:
            if unread is None:
                return self._stores.finder.search(reader, query, kinds, page, near)
            first = unread.beginning(page)
            best = self._stores.finder.search(reader, query, kinds, first, near)
            return unread.best(best, page)

    def unread(
        self, query: Node, kinds: Sequence[str] = (), seconds: float = LONG_ENOUGH
    ) -> "Unread":
        """The matches of a query in files not in the catalogue yet; close it after use.

        The files are searched directly, newest first, for at most `seconds`. Another
        process may sync them at the same time.
        """
        from store.catalogue import unread  # noqa: PLC0415  # only while another syncs

        sought = unread.Sought(query, kinds, self._stores.circumstances)
        with self._stores.catalogue.in_use() as connection:
            moves = unread.moves_of(connection, self._stores.found)
        return unread.look(moves, sought, self._stores.gap, seconds)

    def unknown(self, kinds: Sequence[str], query: Node) -> list["Complaint"]:
        """A message for each value in a query that no record has."""
        with self._stores.reader() as reader:
            return self._stores.finder.unknown(reader, kinds, query)

    def meant(
        self, query: Node, semantic: Semantic, environment: Mapping[str, str]
    ) -> Meant:
        """The memories with a meaning similar to a query; may call a provider."""
        return meaning_of(query, semantic, environment, self._stores)

    hang_up = staticmethod(hang_up)
    """End all calls of a provider, in whatever thread they wait."""

    def similar(
        self,
        name: str,
        limit: int,
        complain: Callable[[str], None],
        *,
        unlinked: bool = False,
    ) -> list[Similar]:
        """The memories most similar to one; with `unlinked`, without those it links."""
        return similar_to(self._stores, name, limit, complain, unlinked=unlinked)

    def duplicates(self) -> list["Double"]:
        """The duplicate memories, group by group."""
        with self._stores.reader() as reader:
            return self._stores.finder.doubles(reader)

    def values(
        self, kinds: Sequence[str], field: str, beginning: str = ""
    ) -> list[tuple[str, int]]:
        """The values of a field that start with a prefix, with the count of each."""
        with self._stores.reader() as reader:
            return values(reader, kinds, field, beginning)

    def known(self, kind: str) -> dict[str, list[tuple[str, int]]]:
        """The most frequent values of each field of a kind that has few."""
        with self._stores.reader() as reader:
            facets = self._stores.finder.facets(reader, kind, EVERYTHING)
            known = {
                name: [(one.value, one.number) for one in found]
                for name, found in facets.items()
            }
            for name in listed_fields(kind):
                if name not in facets:
                    known[name] = values(reader, [kind], name)[:MOST]
        return known

    def equivalent(self, kind: str, query: Node = EVERYTHING) -> "Equivalent":
        """The command line that finds what a query finds, as far as possible."""
        from store.equivalents import equivalent  # noqa: PLC0415  # the same

        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, kind, query)
            held = holders_of(reader, kind, condition)
            held = held or holders_of(reader, kind, ALWAYS)
        files = [
            Path(os.path.normpath(Path(os.fsdecode(store), os.fsdecode(path))))
            for store, path in held
        ]
        return equivalent(kind, query, files, self._stores.now)


# Search by meaning: vectors that stores contain, read on demand.

_NEAREST = 20
"""The most memories to return; any further similarity is chance."""

_LEAST = 0.5
"""The lowest similarity that counts as the same meaning."""

Complain = Callable[[str], None]
"""Reports to the user what could not be read, one sentence each."""


def meaning_of(
    query: Node,
    semantic: Semantic,
    environment: Mapping[str, str],
    stores: OpenStores,
) -> Meant:
    """The memories nearest in meaning to a query's words; may call a provider.

    A query without words gives no memories.
    """
    words = nearest_tree(query)
    if words is None:
        return Meant()
    notes: list[str] = []
    held = _vectors_of(stores.found, VectorFile(stores.path), notes.append)
    meant = by_meaning(words.text, semantic, environment, held, _NEAREST)
    return Meant(meant.near, (*notes, *meant.notes))


def similar_to(
    stores: OpenStores, name: str, limit: int, complain: Complain, *, unlinked: bool
) -> list[Similar]:
    """The memories most similar to one, in its words or in its vector."""
    with stores.reader() as reader:
        memory = memory_named(stores, reader, name)
        near = nearest_to(memory, stores, complain)
        return stores.finder.alike(reader, memory, limit, near, unlinked=unlinked)


def nearest_to(memory: Memory, stores: OpenStores, complain: Complain) -> list[Near]:
    """The memories whose vectors are near a memory's own, if it has one."""
    key, file = own_key(memory.path, memory.id), VectorFile(stores.path)
    homes = [found for found in stores.found if str(found.path) == memory.store]
    for home in _vectors_of(homes, file, complain):
        vector = home.vectors.by_key.get(key)
        if vector is not None:
            others = [found for found in stores.found if found not in homes]
            return _nearest(vector, home, _vectors_of(others, file, complain))
    return []


def _nearest(vector: Sequence[float], home: Held, others: Iterable[Held]) -> list[Near]:
    """The nearest of all vectors from the same model."""
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


def _vectors_of(
    stores: Iterable[Found], file: VectorFile, complain: Complain
) -> Iterator[Held]:
    """The vectors of some stores: our own first, then those that the stores have."""
    for found in stores:
        place = str(found.path)
        try:
            for vectors in file.of(found.path):
                yield Held(place, vectors)
            with found.format.open(found.path) as store:
                vectors = store.vectors()
        except UnreadableError as error:
            complain(f"Can't use the vectors in {found.path}: {error}")
        else:
            if vectors is not None:
                yield Held(place, vectors)
