"""Answers queries: rows, counts, shares, the best hits, and what is nearly meant."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.condition import Condition
from store.catalogue.finding.asked import Asked, Memory
from store.catalogue.finding.facets import Facets, facets
from store.catalogue.finding.nearly import nearly
from store.catalogue.finding.search import Best, ranked, search
from store.catalogue.reader import Page, Reader
from store.catalogue.views import VIEWS
from store.search.language.tree import Node

if TYPE_CHECKING:
    from store.records.double import Double
    from store.records.memory import Memory as MemoryRecord
    from store.records.similar import Similar
    from store.search.language.query import Complaint
    from store.search.similar import Near


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

    def ranked(self, reader: Reader, kind: str, tree: Node) -> list[int]:
        """The rows of a kind that a query finds, the best first."""
        return ranked(self._asked(reader), kind, tree)

    def facets(
        self,
        reader: Reader,
        kind: str,
        tree: Node,
        names: Collection[str] | None = None,
    ) -> Facets:
        """What the records that a query finds are made of."""
        return facets(self._asked(reader), kind, tree, names)

    def search(
        self,
        reader: Reader,
        tree: Node,
        kinds: Sequence[str],
        page: Page,
        near: Sequence["Near"] = (),
    ) -> Best:
        """The best records over some kinds; over all, where none is named.

        `near` are the memories that mean what the query says.
        """
        asked, kinds = self._asked(reader), kinds or tuple(VIEWS)
        if not near or "memories" not in kinds:
            return search(asked, tree, kinds, page)
        from store.catalogue.finding.meant import search_with  # noqa: PLC0415  # if asked for

        return search_with(near, asked, tree, kinds, page)

    def alike(
        self,
        reader: Reader,
        memory: "MemoryRecord",
        limit: int,
        near: Sequence["Near"],
        *,
        unlinked: bool,
    ) -> list["Similar"]:
        """The memories most like one."""
        from store.catalogue.finding.alike import alike  # noqa: PLC0415  # if asked for

        return alike(self._asked(reader), memory, limit, near, unlinked=unlinked)

    def doubles(self, reader: Reader) -> list["Double"]:
        """The memories that stand more than once, group by group."""
        from store.catalogue.finding.doubles import find_doubles  # noqa: PLC0415  # if asked for

        return list(find_doubles(self._asked(reader)))

    def unknown(
        self, reader: Reader, kinds: Sequence[str], tree: Node
    ) -> list["Complaint"]:
        """What to say of each value that a query asks for and no record has."""
        from store.catalogue.finding.unknown import unknown  # noqa: PLC0415  # if amiss

        return list(unknown(self._asked(reader), kinds or tuple(VIEWS), tree))

    def _asked(self, reader: Reader) -> Asked:
        connection, now = reader.connection, self.circumstances.now
        if self._memory is None or not self._memory.serves(connection, now):
            self._memory = Memory.of(connection, now)
        return Asked(reader, self._memory, self.circumstances)
