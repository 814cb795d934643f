"""The list, its cursor, and the trail of visited places."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from store.errors import GivenUpError
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.library import Record
from store.search.tree import texts
from tui.browser.worker import Found, MarkedRecords, Wish, Worker, find
from tui.output.reports import title
from widgets.memory_table import EdgeTable, MemoryTable
from widgets.rows import Key, Paged
from widgets.table import Spans, Table
from widgets.text import found

# The trail: visited places, with back and forward as in a web browser.


class Spot(Struct, frozen=True):
    """A place on the trail."""

    kind: str
    """The kind of record listed."""
    text: str
    """The query."""
    ref: str | None
    """The record at the cursor."""
    title: str = ""
    """The title of that record."""
    led: str | None = None
    """The record that was visited next."""


def spot_of(kind: str, text: str, record: Record | None) -> Spot:
    """The place with this list and record."""
    if record is None or not record.ref:
        return Spot(kind, text, None)
    return Spot(kind, text, record.ref, title(record))


class Trail:
    """The places to go back and forward to."""

    _MOST = 200

    def __init__(self) -> None:
        self._behind: list[Spot] = []
        self._ahead: list[Spot] = []

    @property
    def behind(self) -> int:
        """Number of places to go back to."""
        return len(self._behind)

    @property
    def ahead(self) -> int:
        """Number of places to go forward to."""
        return len(self._ahead)

    def way(self, ref: str | None) -> list[str]:
        """The titles of the records visited one after another before this one."""
        titles: list[str] = []
        for spot in reversed(self._behind):
            if ref is None or spot.led != ref:
                break
            titles.append(spot.title)
            ref = spot.ref
        return titles[::-1]

    def leave(self, spot: Spot, led: str | None = None) -> None:
        """Leave a place for a new one; places to go forward to are forgotten."""
        if self._behind and replace(self._behind[-1], led=None) == spot:
            self._behind.pop()
        self._behind.append(replace(spot, led=led))
        del self._behind[: -self._MOST]
        self._ahead.clear()

    def back(self, here: Spot) -> Spot | None:
        """The previous place; `here` becomes the next one."""
        return _step(self._behind, self._ahead, here)

    def forward(self, here: Spot) -> Spot | None:
        """The next place; `here` becomes the previous one."""
        return _step(self._ahead, self._behind, here)


def _step(taken: list[Spot], given: list[Spot], here: Spot) -> Spot | None:
    if not taken:
        return None
    spot = taken.pop()
    given.append(replace(here, led=spot.ref))
    return replace(spot, led=None)


# Highlights of query words in the titles of a list.


def let_stand_out(face: Table[Any], sought: Callable[[], Sequence[str]]) -> None:
    """Highlight the query words in each row as it comes into view."""

    def in_memory(memory: Memory) -> Spans:
        return found(memory.title, sought())

    def in_edge(edge: Edge) -> tuple[Spans, Spans]:
        words = sought()
        return found(edge.from_title or "", words), found(edge.to_title or "", words)

    if isinstance(face, MemoryTable):
        face.hits = in_memory
    elif isinstance(face, EdgeTable):
        face.hits = in_edge


# The list: requests are answered by a worker and shown when ready.


_NO_ROW = -1


class Listing:
    """Fills a list; only the newest request counts."""

    def __init__(
        self, worker: Worker, face: Table[Any], told: Callable[[Found], Awaitable[None]]
    ) -> None:
        self._worker = worker
        self._face = face
        self.table = face.lines
        self._told = told
        self._task: asyncio.Task[None] | None = None
        self._marked = MarkedRecords()
        self.found: Found | None = None
        """The result that is shown."""
        let_stand_out(face, lambda: self.sought)

    @property
    def rows(self) -> Paged[Record]:
        """The rows that are shown."""
        rows = self.table.rows
        return rows if isinstance(rows, Paged) else Paged[Record](())

    @property
    def sought(self) -> list[str]:
        """The words of the query."""
        return (
            [leaf.text for leaf in texts(self.found.query.tree)] if self.found else []
        )

    def wish(self, wish: Wish, *, keeps: bool) -> asyncio.Task[None]:
        """Show the result of a new request; an earlier request is cancelled."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            self._worker.give_up()
        self._task = asyncio.create_task(self._find(wish, keeps=keeps))
        return self._task

    async def settled(self) -> None:
        """Wait until no request is running."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    def answers(self, wish: Wish) -> bool:
        """Whether the rows on the screen are the answer to this request."""
        return self.found is not None and self.found.wish == wish

    async def fetch(self, first: int, last: int) -> None:
        """Load the records of some rows."""
        found, rows = self.found, self.rows
        if found is None:
            return
        keys = [rows.key(at) for at in range(first, min(last, len(rows)))]
        numbers = self._numbers(keys)
        records = await self._worker.ask(
            lambda library: library.lists.numbered(found.wish.kind, numbers)
        )
        if rows is self.table.rows:
            self._bring(rows, first, keys, records)
            self.table.arrived()

    def show_keys(self, keys: Sequence[Key]) -> None:
        """Show other rows of the same result, with the records that are known."""
        known, rows = self.rows.known(), Paged[Record](keys)
        for at in range(len(rows)):
            if (record := known.get(rows.key(at))) is not None:
                rows.bring(at, [record])
        self.table.set_rows(rows)

    def _numbers(self, keys: Sequence[Key]) -> list[int]:
        """The rows in the index of some rows of the list."""
        rows = (self._face.keys.stands_for(key)[0] for key in keys)
        return [row if isinstance(row, int) else _NO_ROW for row in rows]

    def _bring(
        self,
        rows: Paged[Record],
        first: int,
        keys: Sequence[Key],
        records: Mapping[int, Record],
    ) -> None:
        """Show records in rows from a position on."""
        found = zip(keys, map(records.get, self._numbers(keys)), strict=True)
        rows.bring(
            first, [one and self._face.keys.shown_as(key, one) for key, one in found]
        )

    async def hand_on(self, to: Callable[[Record | None], Awaitable[None]]) -> None:
        """Pass the record at the cursor to a function, loading it first if needed."""
        await self.bring_cursor()
        await to(self.table.at_cursor)

    async def bring_cursor(self) -> None:
        """Load the record at the cursor if needed."""
        at, table = self.table.cursor, self.table
        if table.at_cursor is None and at < table.count():
            await self.fetch(at, at + 1)

    async def _find(self, wish: Wish, *, keeps: bool) -> None:
        try:
            found = await self._worker.ask_once(partial(find, wish=wish), wish)
        except GivenUpError:
            return
        at_cursor = self.table.at_cursor if keeps else None
        keys = self._face.keys.take(found.rows, found.alike)
        rows: Paged[Record] = Paged(keys)
        known = dict(zip(found.rows, found.first, strict=False))
        records = {row: one for row, one in known.items() if one is not None}
        self._bring(rows, 0, keys[: len(found.first)], records)
        self.found = found
        self.table.set_rows(rows, keeps=keeps)
        if at_cursor is not None:
            await self.go_to(at_cursor.ref or "")
        before = frozenset(self.table.marks)
        marks = await self._marked.follow(self._worker, wish.kind, before)
        if marks != self.table.marks:
            self.table.marks.replace(marks)
        await self._told(found)

    async def know_marks(self, kind: str) -> None:
        """Remember which records are marked, so that the marks can follow them."""
        await self._marked.know(self._worker, kind, frozenset(self.table.marks))

    async def go_to(self, ref: str) -> bool:
        """Move the cursor to a record; returns whether it is listed."""
        found = self.found
        if found is None or not ref:
            return False
        kind = found.wish.kind
        row = await self._worker.ask(lambda library: library.lists.number(kind, ref))
        return row is not None and self.table.to_key(row)
