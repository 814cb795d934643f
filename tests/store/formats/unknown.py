"""An empty catalogue, for formats whose changes need none."""

from collections.abc import Iterator, Mapping, Sequence

from store.edits.draft import Made
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.records.answers import Link


class Unknown:
    """Returns nothing for every query."""

    def memories(self) -> Iterator[Memory]:
        return iter(())

    def edges(self) -> Iterator[Edge]:
        return iter(())

    def memory(self, ref: str) -> Memory | None:
        del ref

    def namesakes(self, title: str) -> Sequence[Memory]:
        del title
        return ()

    def described(self, text: str) -> Sequence[Memory]:
        del text
        return ()

    def projects(self) -> Sequence[str]:
        return ()

    def indexes(self) -> Sequence[str]:
        return ()

    def types(self, paths: Sequence[str]) -> Mapping[str, str]:
        del paths
        return {}

    def edges_of(self, ref: str) -> Sequence[Edge]:
        del ref
        return ()

    def links_of(self, ref: str) -> Sequence[Link]:
        del ref
        return ()

    def vectors(self, model: str) -> tuple[Made, Made]:
        del model
        return {}, {}
