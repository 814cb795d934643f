"""Lists: the records of a kind that a query finds, in order."""

from array import array
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from store.catalogue.conditions.condition import ALWAYS, Condition
from store.catalogue.reader import Page, Reader
from store.catalogue.views import EDGES, MEMORIES, UPSTREAM, VIEWS, Record
from store.records.edge import Edge
from store.records.memory import Memory
from store.search.language.tree import EVERYTHING, Node

if TYPE_CHECKING:
    from store.catalogue.finding.finder import Finder
    from store.catalogue.unread.unread import Unread


from store.answers.chosen import Chosen


class Listing(Chosen):
    """Answers with lists, as records, as numbers, and one by one."""

    def page(
        self,
        kind: str,
        page: Page,
        *,
        upstream: bool = False,
        query: Node = EVERYTHING,
        unread: "Unread | None" = None,
    ) -> Iterator[Record]:
        """The records of a kind that a query finds, in order.

        `upstream` classes events as the kit that writes their traces does; `unread` is
        what was found for the same query where nothing is read yet.
        """
        view = (UPSTREAM if upstream else VIEWS)[kind]
        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            if unread is None:
                yield from reader.page(view, page, self._now, condition)
            else:
                yield from unread.page(view, page, reader, condition)

    def count(self, kind: str, query: Node = EVERYTHING) -> int:
        """How many records of a kind a query finds."""
        with self._reader() as reader:
            return reader.count(VIEWS[kind], self._condition(reader, kind, query))

    def nearly(self, kind: str, query: Node) -> Iterator[Record]:
        """The records of a kind whose names are like what a query's words say."""
        with self._reader() as reader:
            rows = self._finder.nearly(reader, kind, query)
            found = reader.rows(VIEWS[kind], rows, self._now)
            yield from (found[row] for row in rows)

    def order(self, kind: str, page: Page, query: Node = EVERYTHING) -> "array[int]":
        """What a query finds of a kind, in order, a number for each record."""
        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            return reader.order(VIEWS[kind], page, condition)

    def ranked(self, kind: str, query: Node) -> "array[int]":
        """What a query finds of a kind, the best first: so many as are judged."""
        with self._reader() as reader:
            return array("q", self._finder.ranked(reader, kind, query))

    def like(self, kind: str, query: Node) -> "array[int]":
        """The numbers of those whose names are like what a query's words say."""
        with self._reader() as reader:
            return array("q", self._finder.nearly(reader, kind, query))

    def numbered(self, kind: str, rows: Sequence[int]) -> dict[int, Record]:
        """The records that go by some numbers, those that are still there."""
        with self._reader() as reader:
            return dict(reader.rows(VIEWS[kind], rows, self._now))

    def number(self, kind: str, ref: str) -> int | None:
        """The number that a record goes by until its source is read again."""
        with self._reader() as reader:
            return reader.row_of(VIEWS[kind], ref)

    def types(self, refs: Sequence[str]) -> dict[str, str | None]:
        """The types of the memories that go by some refs."""
        with self._reader() as reader:
            return reader.types(refs)

    def edges(self, refs: Sequence[str]) -> dict[str, Edge]:
        """The edges that go by some refs."""
        with self._reader() as reader:
            return {edge.ref: edge for edge in reader.named(EDGES, refs, self._now)}

    def way(self, begin: str, end: str) -> list[Memory]:
        """The memories on the shortest way from one to another, both included."""
        from store.catalogue.paths import way

        with self._reader() as reader:
            ends = [reader.row_of(MEMORIES, ref) for ref in (begin, end)]
            rows = way(reader, *(row for row in ends if row is not None))
            found = reader.rows(MEMORIES, rows, self._now)
            return [found[row] for row in rows]

    def _condition(self, reader: Reader, kind: str, query: Node) -> Condition:
        """What a query comes to; a list of everything loads nothing for it."""
        if query == EVERYTHING:
            return ALWAYS
        return self._finder.condition(reader, kind, query)

    @property
    def _finder(self) -> "Finder":
        """What answers queries, loaded for the first one."""
        if self._loaded is None:
            from store.catalogue.finding.finder import Finder

            self._loaded = Finder()
        self._loaded.circumstances = self._circumstances
        return self._loaded
