"""What the catalogue knows of a store, for the scribe that changes it."""

from collections.abc import Iterator, Sequence

from store.catalogue.reader import Page, Reader, Span
from store.catalogue.views import EDGES, MEMORIES
from store.findings import name_key
from store.following import links_of
from store.records.edge import Edge
from store.records.link import Link
from store.records.memory import Memory


class CatalogueKnown:
    """Answers from the catalogue; the reader sees the one store alone."""

    def __init__(self, reader: Reader, now: int) -> None:
        self._reader = reader
        self._now = now

    def memories(self) -> Iterator[Memory]:
        """Every memory of the store."""
        return self._reader.page(MEMORIES, Page(), self._now)

    def edges(self) -> Iterator[Edge]:
        """Every edge of the store."""
        return self._reader.page(EDGES, Page(), self._now)

    def memory(self, ref: str) -> Memory | None:
        """The memory that goes by a ref."""
        found = self._reader.called(MEMORIES, Span.of(ref), self._now, 1)
        return found[0] if found else None

    def namesakes(self, title: str) -> Sequence[Memory]:
        """The memories whose titles come to the same name."""
        key = name_key(title)
        found = self._reader.namesakes(key, self._now)
        return [memory for memory in found if name_key(memory.title) == key]

    def edges_of(self, ref: str) -> Sequence[Edge]:
        """The edges that begin or end at a memory, each once."""
        found = [
            *self._reader.edges_from(ref, self._now),
            *self._reader.edges_to(ref, self._now),
        ]
        return list({edge.ref: edge for edge in found}.values())

    def links_of(self, ref: str) -> Sequence[Link]:
        """All that a memory points to and that points to it."""
        memory = self.memory(ref)
        if memory is None:
            return []
        return list(links_of(self._reader, memory, self._now))
