"""Live updates: changed and new rows, passing time, the state saved at exit."""

import asyncio
import gc
import time
from collections.abc import Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from store.library import Library, Page, Record
from store.search.tree import Last as SinceLast
from store.search.tree import Named
from store.state import Last
from tui.browser.bars import VIEWS
from tui.browser.query_bar import QueryBar
from tui.browser.sync import Reading, changed, follow
from tui.browser.welcome import progress
from widgets.memory_table import MemoryTable

if TYPE_CHECKING:
    from tui.browser.app import Browser
    from tui.browser.popups.registry import Fresh
    from tui.browser.worker import Found


_FRESH = 1.0
"""Seconds that new and changed rows are highlighted."""

_MINUTE = 60.0
"""Seconds after which ages are updated."""

_ONE_MINUTE = int(_MINUTE) * 1_000_000


class Live:
    """Follows the stores as they change, and restores and saves the session."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.is_alone = False
        """Whether the process exists only for the browser.

        If so, its objects are frozen and the garbage collector does not scan them
        again, which took up to 60 ms in the middle of a long transcript."""
        self.is_reading = browser.session.reads and bool(
            browser.session.library.stores.chosen
        )
        """Whether the first sync is not finished."""
        self.progress: Reading | None = None
        self._reading: asyncio.Task[None] | None = None
        self._is_filling = False
        """Whether the index was empty at the start and the first rows arrive."""

    async def show_rows(self) -> None:
        """Mount the panes, and show what the last session left."""
        await self._browser.layout.furnish()
        self._browser.session.library.stores.look_since(
            self._browser.session.kept.last_looks()
        )
        bar = self._browser.layout.base.query_one(QueryBar)
        last = self._browser.session.kept.last(
            self._browser.session.library.stores.chosen
        )
        here = set(map(str, self._browser.session.library.stores.chosen))
        self._browser.session.stores = frozenset(
            {last.store} & here if last.store else ()
        )
        await self._browser.session.count_all()
        await self._browser.session.learn_names()
        self._browser.welcome.greet()
        filled = [
            view.kind for view in VIEWS if self._browser.session.counts[view.kind]
        ]
        self._is_filling = not filled
        self._browser.lists.text = bar.text = last.query
        self._browser.layout.divide(last.split)
        self._browser.facets.show(wanted=None)
        begin = (
            last.view
            if last.view in filled
            else next(iter(filled), self._browser.lists.kind)
        )
        await self._browser.lists.show(begin)

    def pass_time(self) -> None:
        """Update the time that answers and ages refer to."""
        self._browser.session.library.stores.as_of(
            self._browser.session.library.stores.present
        )
        for listing in self._browser.lists.listings.values():
            face, now = listing.table.face, self._browser.session.now
            if isinstance(face, MemoryTable) and now >= face.now + _ONE_MINUTE:
                face.be_at(now)

    @property
    def is_following(self) -> bool:
        """Whether live updates are on."""
        return self._reading is not None and not self._reading.done()

    async def stop(self) -> None:
        """Stop syncing."""
        if self._reading is not None:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)
            self._reading = None

    async def read_again(self) -> None:
        """Sync the stores, now and whenever they change."""
        await self.stop()
        if self._browser.session.reads and self._browser.session.library.stores.chosen:
            since = await self._browser.session.list_worker.ask(
                lambda library: library.index.newest_move()
            )
            self._reading = asyncio.create_task(self._read(since))

    async def _read(self, since: int) -> None:
        """Follow the child process and show what it has read."""
        stores = self._browser.session.library.stores
        child = follow(stores.path, stores.chosen, since, stores.given_format)
        async with aclosing(child) as readings:
            async for reading in readings:
                await self.show_reading(reading)

    async def look_again(self) -> None:
        """Update the list and highlight new and changed rows for a moment.

        While rows arrive for the first time, the cursor stays at the top unless moved.
        """
        self._browser.facets.knows_values = False
        before, table = self._in_view(), self._browser.lists.table
        stays = not self._is_filling or table.is_moved or not table.sheet.has_focus
        await self._browser.lists.looked(keeps=stays)
        refs = changed(before, self._in_view()) if before else set[str]()
        numbers = await self._browser.session.list_worker.ask(
            partial(_numbers, kind=self._browser.lists.kind, refs=sorted(refs))
        )
        table.signs.set_fresh(numbers)
        self._browser.set_timer(_FRESH, partial(table.signs.set_fresh, ()))

    def _in_view(self) -> dict[str, Record]:
        """The visible records, by ref."""
        table = self._browser.lists.table
        page = table.rows.page(table.first, table.first + table.sheet.room)
        return {one.ref: one for one in page if one is not None and one.ref}

    async def toggle(self) -> None:
        """Turn live updates on or off."""
        if self.is_following:
            await self.stop()
            self._browser.status.message = "Live updates paused (R resumes)."
        else:
            await self.read_again()
            self._browser.status.message = "Live updates on."

    async def reload(self) -> None:
        """Reload the stores."""
        await self.read_again()

    @property
    def job(self) -> str:
        """The progress of the first sync, for the status bar."""
        reading = self.progress or (self._is_filling and self.now_reading)
        return progress(reading) if reading else ""

    @property
    def now_reading(self) -> Reading | None:
        """The progress of the first sync; None if it is finished."""
        return (self.progress or Reading()) if self.is_reading else None

    async def rows_seen(self) -> None:
        """Start the sync and load completions, once the first rows are visible."""
        bar = self._browser.layout.base.query_one(QueryBar)
        bar.know(
            saved=self._browser.session.kept.saved,
            earlier=self._browser.session.kept.earlier(),
        )
        self._browser.session.kept.count_start()
        await self.read_again()
        self._browser.set_interval(_MINUTE, self.pass_time)
        if self.is_alone:
            gc.freeze()
            gc.enable()
        self._browser.run_worker(self._browser.plans.recall, group="changes")

    async def show_reading(self, reading: Reading) -> None:
        """Show the progress of the sync, and rows as soon as they fill the list."""
        table = self._browser.lists.table
        is_few = table.count() < table.sheet.room
        self.progress = reading
        self.is_reading = not reading.finished
        if is_few or reading.changed:
            await self._browser.session.count_all()
            await self._browser.session.learn_names()
            kind = self._first_view()
            if kind != self._browser.lists.kind:
                await self._browser.lists.show(kind)
            else:
                await self.look_again()
        self._is_filling = self._is_filling and self.is_reading
        if not self.is_reading:
            self._browser.facets.load_values()
        self._browser.status.tell()
        self._browser.welcome.tell()
        if reading.is_unwritable:
            self._browser.parts.past.note_unwritable()

    def _first_view(self) -> str:
        """The first view with records, until the user does something."""
        lists, counts = self._browser.lists, self._browser.session.counts
        is_chosen = lists.text or lists.trail.behind or lists.table.is_moved
        if is_chosen or (counts.get(lists.kind) and not self._is_filling):
            return lists.kind
        return next((view.kind for view in VIEWS if counts[view.kind]), lists.kind)

    async def leave(self) -> None:
        """Save the state, then end the child process and the workers."""
        looked_at = (
            map(Path, self._browser.session.stores)
            if self._browser.session.stores
            else self._browser.session.library.stores.chosen
        )
        self._browser.session.kept.look(looked_at, time.time_ns() // 1000)
        self._browser.session.kept.leave(
            self._browser.session.library.stores.chosen,
            Last(
                store=next(iter(self._browser.session.stores), None),
                view=self._browser.lists.kind,
                query=self._browser.lists.text,
                split=self._browser.layout.split,
                theme=self._browser.theme
                if self._browser.queries.has_chosen_theme
                else None,
            ),
        )
        tasks = [task for task in (self._reading, self._browser.reader.task) if task]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._browser.session.close()


# News since the user's last session: marked in lists and shown in a popup.

_SINCE_LAST = Named("since", (SinceLast(),))

_MOST = 50_000
"""Maximum rows that are marked as new; more would not help."""


class News:
    """Marks and lists what is new."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser

    async def show(self) -> None:
        """Show what is new, by kind and store."""
        news = await self._browser.session.ask(lambda library: library.reports.news())
        popup = self._browser.dialogs.popups.NewsPopup(
            news, self._browser.layout.palette
        )
        self._browser.push_screen(popup, self._list_fresh)

    async def _list_fresh(self, fresh: "Fresh | None") -> None:
        """List the new records of a kind."""
        if fresh is not None:
            self._browser.session.stores = frozenset()
            await self._browser.lists.stores_chosen()
            await self._browser.lists.go(fresh.kind, None, fresh.query)

    async def mark_new(self, found: "Found") -> None:
        """Mark the new rows of a result."""
        kind = found.wish.kind
        rows = await self._browser.session.count_worker.ask(
            lambda library: _new(library, kind)
        )
        if self._browser.lists.listing.found is found:
            self._browser.lists.table.signs.set_new(rows)

    def result_shown(self, found: "Found") -> None:
        """Mark new rows of the result."""
        self._browser.run_worker(
            partial(self.mark_new, found), group="new", exclusive=True
        )


def _new(library: Library, kind: str) -> Sequence[int]:
    """The new rows; none if all are new or too many."""
    count = library.lists.count(kind, _SINCE_LAST)
    if not 0 < count <= _MOST or count == library.lists.count(kind):
        return ()
    return library.lists.order(kind, Page(), _SINCE_LAST)


def _numbers(library: Library, kind: str, refs: Sequence[str]) -> list[int]:
    """The row numbers of some refs."""
    found = (library.lists.number(kind, ref) for ref in refs)
    return [number for number in found if number is not None]
