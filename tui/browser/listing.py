"""The list: what is wished for, found away from the screen, shown when it is there."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from store.errors import GivenUpError
from store.library import Record
from store.search.language.leaves import texts
from tui.browser.data.desk import Desk
from tui.browser.data.found import Found, Wish, find
from tui.browser.standing_out import let_stand_out
from widgets.columns.table import Table
from widgets.lines.rows import Paged


class Listing:
    """Fills one list; the newest wish alone counts."""

    def __init__(
        self, desk: Desk, table: Table[Any], told: Callable[[Found], Awaitable[None]]
    ) -> None:
        self._desk = desk
        self.table = table
        self._told = told
        self._task: asyncio.Task[None] | None = None
        self.found: Found | None = None
        """What is shown."""
        let_stand_out(table, lambda: self.sought)

    @property
    def rows(self) -> Paged[Record]:
        """The rows that are shown."""
        rows = self.table.rows
        return rows if isinstance(rows, Paged) else Paged[Record](())

    @property
    def sought(self) -> list[str]:
        """The words that were looked for."""
        return (
            [leaf.text for leaf in texts(self.found.query.tree)] if self.found else []
        )

    def wish(self, wish: Wish, *, keeps: bool) -> asyncio.Task[None]:
        """Show something else; what was being looked for is given up."""
        if self._task is not None and not self._task.done():
            self._task.cancel()
            self._desk.give_up()
        self._task = asyncio.create_task(self._find(wish, keeps=keeps))
        return self._task

    async def settled(self) -> None:
        """Until nothing is being looked for."""
        if self._task is not None:
            await asyncio.gather(self._task, return_exceptions=True)

    async def fetch(self, first: int, last: int) -> None:
        """Bring the records of some rows."""
        found, rows = self.found, self.rows
        if found is None:
            return
        numbers = found.rows[first:last]
        records = await self._desk.ask(
            lambda library: library.numbered(found.wish.kind, numbers)
        )
        if rows is self.table.rows:
            rows.bring(first, [records.get(row) for row in numbers])
            self.table.arrived()

    async def hand_on(self, to: Callable[[Record | None], Awaitable[None]]) -> None:
        """Give somebody the record at the cursor, brought where it is not at hand."""
        at, table = self.table.cursor, self.table
        if table.at_cursor is None and at < table.count():
            await self.fetch(at, at + 1)
        await to(table.at_cursor)

    async def _find(self, wish: Wish, *, keeps: bool) -> None:
        try:
            found = await self._desk.ask_once(lambda library: find(library, wish))
        except GivenUpError:
            return
        at_cursor = self.table.at_cursor if keeps else None
        rows: Paged[Record] = Paged(found.rows)
        rows.bring(0, found.first)
        self.found = found
        self.table.set_rows(rows, keeps=keeps)
        if at_cursor is not None:
            await self.go_to(at_cursor.ref or "")
        await self._told(found)

    async def go_to(self, ref: str) -> bool:
        """Put the cursor on a record, where it is listed."""
        found = self.found
        if found is None or not ref:
            return False
        kind = found.wish.kind
        row = await self._desk.ask(lambda library: library.number(kind, ref))
        return row is not None and self.table.to_key(row)
