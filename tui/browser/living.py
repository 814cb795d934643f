"""What changes while one looks: stores are read, rows come and change, all is kept."""

import asyncio
import gc
import time
from collections.abc import Collection, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from store.library import Library, Record, StoreName
from store.search.language.tree import EVERYTHING, Named
from tui.browser.asking.query_bar import QueryBar
from tui.browser.first.access import READ_ONLY
from tui.browser.first.strip import FirstStrip
from tui.browser.live.reading import Reading
from tui.browser.panes import ReadingPane
from tui.browser.surrounding import Surrounding
from tui.browser.telling import LIVE, PAUSED, Happening
from tui.browser.views import VIEWS
from tui.commands.command import Group
from tui.commands.registry import REGISTRY
from widgets.columns.memories import MemoryTable

if TYPE_CHECKING:
    from store.records.reports import StoreReport
    from tui.browser.data.opened import Opened

_FRESH = 1.0
"""Seconds that a row stands out which came or changed."""

_MINUTE = 60.0
"""Seconds after which ages are others."""

_ONE_MINUTE = int(_MINUTE) * 1_000_000


class Living(Surrounding):
    """Begins where one left, follows the child that reads, notes where one leaves."""

    is_alone = False
    """Whether the process is there for the browser alone. What it is made of is kept to
    the end then, and is not looked through for waste again and again: that took up to
    sixty milliseconds in the middle of a long transcript."""

    _is_filling = False
    """Whether nothing was known when one came, and rows come in for the first time."""

    _is_greeting = False
    """Whether the reader still tells which stores were found."""

    async def on_ready(self) -> None:
        """Show what is known already; all else comes when that is seen."""
        with self.batch_update():
            await self._show_rows()
        await self.release_keys()
        self.call_after_refresh(self.rows_seen)

    async def _show_rows(self) -> None:
        await self.furnish()
        self.library.look_since(self.kept.last_looks())
        bar = self.base.query_one(QueryBar)
        last = self.kept.last(self.library.chosen)
        here = set(map(str, self.library.chosen))
        self.stores = frozenset({last.store} & here if last.store else ())
        await self.count_all()
        self.tell_access(await self._finding.ask(Library.names))
        self._greet(self.kept.starts + 1)
        filled = [view.kind for view in VIEWS if self._counts[view.kind]]
        self._is_filling = not filled
        self.text = bar.text = last.query
        self.divide(last.split)
        self.show_facets(wanted=None)
        begin = last.view if last.view in filled else next(iter(filled), self.kind)
        await self.show(begin)

    async def rows_seen(self) -> None:
        """Rows are seen: have the stores read, and learn what helps with queries."""
        bar = self.base.query_one(QueryBar)
        bar.know(saved=self.kept.saved, earlier=self.kept.earlier())
        self.kept.count_start()
        await self.read_again()
        self.set_interval(_MINUTE, self.pass_time)
        if self.is_alone:
            gc.freeze()
            gc.enable()

    def look(self, *, keeps: bool = True) -> asyncio.Task[None]:
        """Look for what is wished for, as it is by now."""
        self.pass_time()
        return super().look(keeps=keeps)

    def pass_time(self) -> None:
        """Answer as of now, and tell ages as they are by now."""
        self.library.as_of(self.library.present)
        for listing in self._listings.values():
            table = listing.table
            if isinstance(table, MemoryTable) and self.now >= table.now + _ONE_MINUTE:
                table.now = self.now

    async def count_all(self) -> None:
        """Count what there is in the stores that are looked at."""
        stores = self.stores
        self._counts = await self._finding.ask(lambda library: _counts(library, stores))

    async def on_unmount(self) -> None:
        """Let the child end, and the desks, before the browser does."""
        from store.keeping.last import Last

        looked_at = map(Path, self.stores) if self.stores else self.library.chosen
        self.kept.look(looked_at, time.time_ns() // 1000)
        self.kept.leave(
            self.library.chosen,
            Last(
                store=next(iter(self.stores), None),
                view=self.kind,
                query=self.text,
                split=self.split,
                theme=self.theme if self.has_chosen_theme else None,
            ),
        )
        tasks = [task for task in (self._reading, self._open_task) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._finding.close()
        await self._opening.close()
        await self.counting.close()

    async def obey(self, command: str) -> None:
        """Carry a command out; who asks for anything is new here no more."""
        if REGISTRY.command(command).group is not Group.MOVING:
            self.base.query_one(FirstStrip).show(())
        if self._is_greeting:
            self._is_greeting = False
            if self.opened is not None:
                self.read(self.opened)
        await super().obey(command)

    def tell_access(self, stores: "Sequence[StoreName]") -> None:
        """Know what the stores are called, and whether anything may be changed here."""
        self.names = {store.path: store.name for store in stores}
        is_free = not self.library.is_read_only
        self._access = self.kept.access(stores) if is_free else READ_ONLY

    def record_shown(self, opened: "Opened") -> None:
        """The first time of all, what was found stands before the first record."""
        super().record_shown(opened)
        self._is_greeting = self._is_greeting and not self.table.cursor
        if self._is_greeting:
            self.run_worker(self._welcome, group="welcome", exclusive=True)

    async def _welcome(self) -> None:
        from tui.browser.first.page import welcome_page

        stores = await self.ask(_stores)
        if self._is_greeting:
            self.base.query_one(ReadingPane).show(welcome_page(stores))

    def _greet(self, start: int) -> None:
        """Tell who comes for the first times which keys there are, and what is here.

        Before that goes what is wrong with the settings.
        """
        from tui.browser.first.hints import complaints_told, first_hints

        strip = self.base.query_one(FirstStrip)
        if self.complaints:
            strip.show(complaints_told(self.complaints), "warning")
        else:
            strip.show(first_hints(self.chords.keymap, start))
        self._is_greeting = start == 1

    @property
    def is_following(self) -> bool:
        """Whether whatever changes is read."""
        return self._reading is not None and not self._reading.done()

    @property
    def happening(self) -> Happening:
        """What goes on; whether what is written is shown, unless it is still read."""
        now = super().happening
        if not self._reads or self.is_reading:
            return now
        return now._replace(fresh=LIVE if self.is_following else PAUSED)

    async def stop_reading(self) -> None:
        """Read nothing any more."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            self._reading = None

    async def read_again(self) -> None:
        """Have the stores read, from now on and whenever they change."""
        await self.stop_reading()
        if self._reads and self.library.chosen:
            since = await self._finding.ask(Library.newest_move)
            self._reading = asyncio.create_task(self._read(since))

    async def _read(self, since: int) -> None:
        """Follow the child that reads, and show what it has read."""
        from tui.browser.live.follow import follow

        child = follow(self.library.path, self.library.chosen, since)
        async with aclosing(child) as readings:
            async for reading in readings:
                await self._tell_reading(reading)

    async def _tell_reading(self, reading: Reading) -> None:
        """Say how far the child is; show rows as soon as they fill the list."""
        is_few = self.table.count() < self.table.room
        self._progress = reading
        self.is_reading = not reading.finished
        if is_few or reading.changed:
            await self.count_all()
            is_at_start = not self.text and not self.trail.behind
            if is_at_start and not self._counts.get(self.kind):
                filled = (view.kind for view in VIEWS if self._counts[view.kind])
                await self.show(next(filled, self.kind))
            else:
                await self._look_again()
        self._is_filling = self._is_filling and self.is_reading
        self.tell()

    async def _look_again(self) -> None:
        """Show what is there now; for a moment what came or changed stands out.

        While rows come for the first time, and nobody has moved, one stays at the top.
        """
        from tui.browser.live.changed import changed

        before, table = self._in_view(), self.table
        stays = not self._is_filling or table.is_moved or not table.has_focus
        await self.looked(keeps=stays)
        refs = changed(before, self._in_view()) if before else set[str]()
        numbers = await self._finding.ask(
            partial(_numbers, kind=self.kind, refs=sorted(refs))
        )
        table.set_fresh(numbers)
        self.set_timer(_FRESH, partial(table.set_fresh, ()))

    def _in_view(self) -> dict[str, Record]:
        """The records that are on the screen, by ref."""
        table = self.table
        page = table.rows.page(table.first, table.first + table.room)
        return {one.ref: one for one in page if one is not None and one.ref}


def _stores(library: Library) -> "list[StoreReport]":
    return list(library.stores())


def _numbers(library: Library, kind: str, refs: Sequence[str]) -> list[int]:
    """The rows that go by some refs."""
    found = (library.number(kind, ref) for ref in refs)
    return [number for number in found if number is not None]


def _counts(library: Library, stores: Collection[str]) -> dict[str, int]:
    """How many records of each kind there are in some stores, or in all of them."""
    where = Named("store", tuple(sorted(stores))) if stores else EVERYTHING
    return {view.kind: library.count(view.kind, where) for view in VIEWS}
