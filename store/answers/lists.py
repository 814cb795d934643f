"""The records of one kind in order: as records, as numbers, and one by one."""

from array import array
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePath
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.stores import OpenStores
from store.catalogue.reader import Page, StoreName
from store.derive.memories import MICROS_PER_DAY
from store.kinds import KINDS, KINDS_UPSTREAM, Record
from store.kinds.edges import EDGES, Edge
from store.kinds.memories import MEMORIES, Memory
from store.records.answers import Forecast
from store.records.reports import StoreReport
from store.search.tree import EVERYTHING, Node
from store.times import shown_time

if TYPE_CHECKING:
    from store.catalogue.unread import Unread


class Lists:
    """Lists of stores, and of the records that a query finds."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def page(
        self,
        kind: str,
        page: Page,
        *,
        upstream: bool = False,
        query: Node = EVERYTHING,
        unread: "Unread | None" = None,
    ) -> Iterator[Record]:
        """The records of one kind that match a query, in order.

        `upstream` classifies events as the program that writes the traces does.
        `unread` are the matches of the same query in files that are not in the
        catalogue yet.
        """
        view = (KINDS_UPSTREAM if upstream else KINDS)[kind]
        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, kind, query, page.sort)
            if unread is None:
                yield from reader.page(view, page, self._stores.now, condition)
            else:
                yield from unread.page(view, page, reader, condition)

    def forecast(
        self, days: int, page: Page, query: Node = EVERYTHING
    ) -> list[Forecast]:
        """The memories that match a query as they will be, if none is recalled.

        Those that change their stage come first, in order of the day.
        """
        now = self._stores.now
        then = now + days * MICROS_PER_DAY
        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, MEMORIES.name, query)
            every = replace(page, limit=None, offset=0)
            before = list(reader.page(MEMORIES, every, now, condition))
            after = reader.page(MEMORIES, every, then, condition)
            pairs = zip(before, after, strict=True)
            found = [_forecast(memory, later, now) for memory, later in pairs]
        found.sort(key=lambda one: one.changes_on or LAST_DAY)
        end = None if page.limit is None else page.offset + page.limit
        return found[page.offset : end]

    def count(self, kind: str, query: Node = EVERYTHING) -> int:
        """The number of records of one kind that match a query."""
        with self._stores.reader() as reader:
            return reader.count(
                KINDS[kind], self._stores.condition(reader, kind, query)
            )

    def nearly(self, kind: str, query: Node) -> Iterator[Record]:
        """The records of one kind whose names are similar to the words of a query."""
        with self._stores.reader() as reader:
            rows = self._stores.finder.nearly(reader, kind, query)
            found = reader.rows(KINDS[kind], rows, self._stores.now)
            yield from (found[row] for row in rows)

    def order(self, kind: str, page: Page, query: Node = EVERYTHING) -> "array[int]":
        """The row numbers of the records of one kind that match a query, in order."""
        with self._stores.reader() as reader:
            condition = self._stores.condition(reader, kind, query, page.sort)
            return reader.order(KINDS[kind], page, condition)

    def ranked(self, kind: str, query: Node) -> "array[int]":
        """The row numbers of the best matches for a query, best first."""
        with self._stores.reader() as reader:
            return array("q", self._stores.finder.ranked(reader, kind, query))

    def like(self, kind: str, query: Node) -> "array[int]":
        """The row numbers of the records with names similar to the words of a query."""
        with self._stores.reader() as reader:
            return array("q", self._stores.finder.nearly(reader, kind, query))

    def numbered(self, kind: str, rows: Sequence[int]) -> dict[int, Record]:
        """The records with some row numbers, as far as they still exist."""
        with self._stores.reader() as reader:
            return dict(reader.rows(KINDS[kind], rows, self._stores.now))

    def number(self, kind: str, ref: str) -> int | None:
        """The row number of a record, valid until its source is read again."""
        with self._stores.reader() as reader:
            return reader.row_of(KINDS[kind], ref)

    def refs(self, kind: str, rows: Sequence[int]) -> dict[int, str]:
        """The refs of some rows that exist; empty for a row without one."""
        with self._stores.reader() as reader:
            return reader.refs_of(KINDS[kind], rows)

    def numbers(self, kind: str, refs: Sequence[str]) -> dict[str, int]:
        """The row numbers of the refs that exist."""
        with self._stores.reader() as reader:
            return reader.rows_of(KINDS[kind], refs)

    def types(self, refs: Sequence[str]) -> dict[str, str | None]:
        """The types of the memories with some refs."""
        with self._stores.reader() as reader:
            return reader.types(refs)

    def edges(self, refs: Sequence[str]) -> dict[str, Edge]:
        """The edges with some refs."""
        with self._stores.reader() as reader:
            return {
                edge.ref: edge for edge in reader.named(EDGES, refs, self._stores.now)
            }

    def files(self) -> int:
        """The number of files known so far, even if only partly read."""
        with self._stores.reader() as reader:
            return reader.files()

    def names(self) -> list[StoreName]:
        """The name of every store, each different, and whether it can be changed."""
        with self._stores.reader() as reader:
            stores = reader.names()
        apart = told_apart({store.path: store.name for store in stores})
        return [replace(store, name=apart[store.path]) for store in stores]

    def stores(self) -> Iterator[StoreReport]:
        """Every store, with its record counts; each has a different name."""
        with self._stores.reader() as reader:
            stores = list(reader.stores())
        apart = told_apart({store.path: store.name for store in stores})
        yield from (replace(store, name=apart[store.path]) for store in stores)


def told_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """A name for each store, by path: its title, if need be after folders above."""
    alike: dict[str, list[str]] = {}
    for path, title in titles.items():
        alike.setdefault(title, []).append(path)
    names: dict[str, str] = {}
    for title, paths in alike.items():
        names |= _with_folders(title, paths) if paths[1:] else {paths[0]: title}
    return names


def _with_folders(title: str, paths: Sequence[str]) -> dict[str, str]:
    """A title with the folders above it that distinguish its stores."""
    above = [_above(PurePath(path).parts, title) for path in paths]
    for number in range(1, max(map(len, above)) + 1):
        names = [str(PurePath(*parts[-number:], title)) for parts in above]
        if len(set(names)) == len(names):
            return dict(zip(paths, names, strict=True))
    return {path: path for path in paths}


def _above(parts: Sequence[str], title: str) -> Sequence[str]:
    """The folders above the one that gave a store its title."""
    name = title.partition("/")[0]
    named = [n for n, part in enumerate(parts) if part.lstrip(".") == name]
    return parts[: named[-1] if named else -1]


LAST_DAY = "9999-12-31"


def _forecast(memory: Memory, then: Memory, now: int) -> Forecast:
    """A memory beside itself some days later."""
    day = None
    if memory.fades_in is not None and memory.stage != then.stage:
        day = shown_time(now + round(memory.fades_in * MICROS_PER_DAY))[: len(LAST_DAY)]
    return Forecast(
        ref=memory.ref,
        store=memory.store,
        title=memory.title,
        stage=memory.stage,
        strength=memory.strength,
        stage_then=then.stage,
        strength_then=then.strength,
        changes_on=day,
    )
