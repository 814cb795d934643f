"""Answers queries: rows, counts, shares, the best hits, and what is nearly meant."""

from collections.abc import Sequence

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.condition import Condition
from store.catalogue.finding.asked import Asked, Memory
from store.catalogue.finding.facets import Facets, facets
from store.catalogue.finding.nearly import nearly
from store.catalogue.finding.search import Best, search
from store.catalogue.reader import Page, Reader
from store.catalogue.views import VIEWS
from store.search.language.tree import Node


class Finder:
    """Answers one query after another, and remembers what the next one needs."""

    def __init__(self) -> None:
        self.circumstances = Circumstances(now=0)
        """What the meaning of queries hangs on; the library tells before each."""
        self._memory: Memory | None = None

    def condition(self, reader: Reader, kind: str, tree: Node) -> Condition:
        """What a row of a kind must meet to be what a query asks for."""
        return self._asked(reader).condition(tree, kind)

    def nearly(self, reader: Reader, kind: str, tree: Node) -> list[int]:
        """The rows of a kind whose names are like what was typed."""
        return nearly(self._asked(reader), kind, tree)

    def facets(self, reader: Reader, kind: str, tree: Node) -> Facets:
        """What the records that a query finds are made of."""
        return facets(self._asked(reader), kind, tree)

    def search(
        self, reader: Reader, tree: Node, kinds: Sequence[str], page: Page
    ) -> Best:
        """The best records over some kinds; over all, where none is named."""
        return search(self._asked(reader), tree, kinds or tuple(VIEWS), page)

    def _asked(self, reader: Reader) -> Asked:
        connection, now = reader.connection, self.circumstances.now
        if self._memory is None or not self._memory.serves(connection, now):
            self._memory = Memory.of(connection, now)
        return Asked(reader, self._memory, self.circumstances)
