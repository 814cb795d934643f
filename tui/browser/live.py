"""Live updates: changed and new rows, passing time, the state saved at exit."""

import asyncio
import gc
import time
from collections.abc import Callable, Sequence
from contextlib import aclosing
from functools import partial
from pathlib import Path

from store.discover import unsearched, watched
from store.library import Library, Page, Record
from store.search.tree import Last as SinceLast
from store.search.tree import Named
from store.state import Last
from tui.browser.bars import VIEWS
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.lists import Lists, counted_of
from tui.browser.query import Facets
from tui.browser.query_input import understand
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.sync import Reading, changed, follow
from tui.browser.welcome import Welcome, progress
from tui.browser.worker import Found

_FRESH = 1.0
"""Seconds that new and changed rows are highlighted."""

_EARLIER = "This search is from your last session; esc clears it."
_CHOSEN = "Only {}, as in your last session; esc shows all stores."

_MINUTE = 60.0
"""Seconds after which ages are updated."""


class Live(Part):
    """Follows the stores as they change, and restores and saves the session."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    facets: Facets
    welcome: Welcome
    note_unwritable: Callable[[], None]
    """Is called if the index can't be written."""
    is_alone: bool = False
    """Whether the process exists only for the browser.

    If so, its objects are frozen and the garbage collector does not scan them again,
    which took up to 60 ms in the middle of a long transcript."""
    _reading: asyncio.Task[None] | None = None
    _is_filling: bool = False
    """Whether the index was empty at the start and the first rows arrive."""

    async def show_rows(self) -> None:
        """Show what the last session left."""
        session, lists = self.session, self.lists
        stores = session.library.stores
        stores.look_since(session.kept.last_looks())
        last = session.kept.last(stores.chosen)
        here, session.project = set(map(str, stores.chosen)), last.project
        session.stores = frozenset({last.store} & here if last.store else ())
        await session.count_all()
        await session.learn_names()
        self.welcome.greet()
        filled = [view.kind for view in VIEWS if session.counts[view.kind]]
        self._is_filling = not filled
        lists.text = self.layout.query.text = last.query
        if last.query:
            self.status.message = _EARLIER
        elif session.only_store:
            self.status.message = _CHOSEN.format(session.only_store)
        if last.split:
            self.layout.divide(last.split)
        self.facets.show(wanted=None)
        first = next(iter(filled), lists.kind)
        await lists.show(last.view if last.view in filled else first)

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
        if self.session.reads and self.session.library.stores.chosen:
            since = await self.session.list_worker.ask(
                lambda library: library.index.newest_move()
            )
            self._reading = asyncio.create_task(self._read(since))

    async def _read(self, since: int) -> None:
        """Follow the child process and show what it has read."""
        stores = self.session.library.stores
        form, others = stores.given_format, unsearched(stores.found)
        whole = watched(stores.found) if form is None else stores.chosen
        child = follow(stores.path, whole, since, form, others)
        async with aclosing(child) as readings:
            async for reading in readings:
                await self.show_reading(reading)

    async def look_again(self) -> None:
        """Update the list and highlight new and changed rows for a moment.

        While rows arrive for the first time, the cursor stays at the top unless moved.
        """
        self.lists.knows_values = False
        before, table = self._in_view(), self.lists.table
        stays = not self._is_filling or table.is_moved or not table.sheet.has_focus
        await self.lists.looked(keeps=stays)
        refs = changed(before, self._in_view()) if before else set[str]()
        numbers = await self.session.list_worker.ask(
            partial(_numbers, kind=self.lists.kind, refs=sorted(refs))
        )
        table.signs.set_fresh(numbers)
        self.display.set_timer(_FRESH, partial(table.signs.set_fresh, ()))

    def _in_view(self) -> dict[str, Record]:
        table = self.lists.table
        page = table.rows.page(table.first, table.first + table.sheet.room)
        return {one.ref: one for one in page if one is not None and one.ref}

    async def toggle(self) -> None:
        """Turn live updates on or off."""
        if self.is_following:
            await self.stop()
            self.status.message = "Live updates paused (R resumes)."
        else:
            await self.read_again()
            self.status.message = "Live updates on."

    @property
    def job(self) -> str:
        """The progress of the first sync, for the status bar."""
        session = self.session
        reading = session.progress or (self._is_filling and session.now_reading)
        return progress(reading) if reading else ""

    async def rows_seen(self) -> None:
        """Start the sync and load completions, once the first rows are visible."""
        kept = self.session.kept
        self.layout.query.know(saved=kept.saved, earlier=kept.earlier())
        kept.count_start()
        await self.read_again()
        self.display.set_interval(_MINUTE, self.lists.pass_time)
        if self.is_alone:
            gc.freeze()
            gc.enable()

    async def show_reading(self, reading: Reading) -> None:
        """Show the progress of the sync, and rows as soon as they fill the list."""
        table = self.lists.table
        is_few = table.count() < table.sheet.room
        self.session.progress = reading
        self.session.is_reading = not reading.finished
        if is_few or reading.changed:
            await self.session.count_all()
            await self.session.learn_names()
            kind = self._first_view()
            if kind != self.lists.kind:
                await self.lists.show(kind)
            else:
                await self.look_again()
        self._is_filling = self._is_filling and self.session.is_reading
        if not self.session.is_reading:
            self.facets.load_values()
            if found := self.lists.listing.found:
                self.layout.query.tell(counted_of(found, self.session))
        self.status.tell()
        self.welcome.tell()
        if reading.is_unwritable:
            self.note_unwritable()

    def _first_view(self) -> str:
        """The first view with records, until the user does something."""
        lists, counts = self.lists, self.session.counts
        is_chosen = lists.text or lists.trail.behind or lists.table.is_moved
        if is_chosen or (counts.get(lists.kind) and not self._is_filling):
            return lists.kind
        return next((view.kind for view in VIEWS if counts[view.kind]), lists.kind)

    async def leave(self) -> None:
        """Save the state, then end the child process."""
        session = self.session
        chosen = session.library.stores.chosen
        looked_at = map(Path, session.stores) if session.stores else chosen
        session.kept.look(looked_at, time.time_ns() // 1000)
        lists = self.lists
        is_refused = understand(lists.text, lists.kind, {}).reason is not None
        listing = lists.listings.get(lists.kind)
        is_refused |= listing is not None and listing.finds_nothing(lists.text)
        last = Last(
            store=next(iter(session.stores), None),
            view=lists.kind,
            query="" if is_refused else lists.text,
            split=self.layout.split,
            project=session.project,
            theme=self.layout.chosen_theme,
        )
        session.kept.leave(chosen, last)
        await self.stop()


# News since the user's last session, marked in lists.

_SINCE_LAST = Named("since", (SinceLast(),))

_MOST = 50_000
"""Maximum rows that are marked as new; more would not help."""


class News(Part):
    """Marks what is new."""

    display: Display
    session: Session
    lists: Lists

    async def mark_new(self, found: Found) -> None:
        """Mark the new rows of a result."""
        kind = found.wish.kind
        rows = await self.session.count_worker.ask(
            lambda library: _new(library, kind), ("new", kind)
        )
        if self.lists.listing.found is found:
            self.lists.table.signs.set_new(rows)

    def result_shown(self, found: Found) -> None:
        """Mark new rows of the result."""
        self.display.run_worker(
            partial(self.mark_new, found), group="new", exclusive=True
        )


def _new(library: Library, kind: str) -> Sequence[int]:
    """The new rows; none if all are new or too many."""
    count = library.lists.count(kind, _SINCE_LAST)
    if not 0 < count <= _MOST or count == library.lists.count(kind):
        return ()
    return library.lists.order(kind, Page(), _SINCE_LAST)


def _numbers(library: Library, kind: str, refs: Sequence[str]) -> list[int]:
    found = (library.lists.number(kind, ref) for ref in refs)
    return [number for number in found if number is not None]
