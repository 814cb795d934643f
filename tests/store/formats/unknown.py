"""A catalogue that knows nothing, for formats whose changes ask it for nothing."""

from collections.abc import Iterator, Sequence

from store.records.edge import Edge
from store.records.link import Link
from store.records.memory import Memory


class Unknown:
    """Answers every question with nothing."""

    def memories(self) -> Iterator[Memory]:
        return iter(())

    def edges(self) -> Iterator[Edge]:
        return iter(())

    def memory(self, ref: str) -> Memory | None:
        del ref

    def namesakes(self, title: str) -> Sequence[Memory]:
        del title
        return ()

    def edges_of(self, ref: str) -> Sequence[Edge]:
        del ref
        return ()

    def links_of(self, ref: str) -> Sequence[Link]:
        del ref
        return ()
