"""The list of each kind of record, the query, and the trail of visited places."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from functools import partial
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from textual.widgets import ContentSwitcher

from store.errors import GivenUpError
from store.kinds.edges import Edge
from store.kinds.memories import Memory
from store.library import Record, sorts
from store.library import is_descending as is_largest_first
from store.search.tree import IGNORED, texts
from tui.browser.bars import VIEWS
from tui.browser.display import Display, Part
from tui.browser.layout import COVERING, Layout, report_stray_error
from tui.browser.query_bar import Counted
from tui.browser.rooms.room import Room
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.welcome import Welcome, fades, lacking
from tui.browser.worker import (
    MINUTE,
    PROBLEMS,
    RELEVANCE,
    Aim,
    Found,
    MarkedRecords,
    Wish,
    Worker,
    asks_for_words,
    find,
    formats_seen,
)
from tui.output.reports import title
from widgets.lines import Lines, Wanted
from widgets.memory_table import EdgeTable, MemoryTable
from widgets.rows import Key, Paged
from widgets.table import Sorting, Spans, Table
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

    def finds_nothing(self, text: str) -> bool:
        """Whether a query on the screen has an answer without any row."""
        found = self.found
        return found is not None and found.wish.text == text and not found.rows

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


def counted_of(found: Found, session: Session) -> Counted:
    """The counts of a result, which may grow while files are read."""
    is_filling = session.is_filling or not found.total
    return Counted.of(found, is_reading=session.is_reading and is_filling)


# What is listed: the kind, the query, the order.

_NOT_LISTED = "The search was interrupted. Press the key again."


class SortChoice(Struct, frozen=True):
    """A sort order that the user chose."""

    name: str
    """The field."""
    is_reversed: bool
    """Whether it is reversed."""


_TIMES = frozenset(
    [
        "at",
        "accessed",
        "created",
        "date",
        "end",
        "first",
        "last",
        "modified",
        "start",
        "started",
        "updated",
    ]
)
"""Fields by which lists are sorted in time."""


def sorted_by(kind: str, name: str, *, is_reversed: bool) -> Sorting:
    """A sort order with its direction, and in words."""
    if name == RELEVANCE:
        words = "worst match first" if is_reversed else "best match first"
        return Sorting(name, is_reversed, words)
    is_descending = is_largest_first(kind, name, reverse=is_reversed)
    field = name.replace("_", " ")
    if name in _TIMES:
        words = "newest first" if is_descending else "oldest first"
        words = words if name == sorts(kind)[0] else f"{words} by {field}"
    elif name == "severity":
        words = "mildest first" if is_descending else "worst first"
    elif is_largest_first(kind, name, reverse=False):
        words = f"{'highest' if is_descending else 'lowest'} {field} first"
    else:
        words = f"by {field}, Z to A" if is_descending else f"by {field}"
    return Sorting(name, not is_descending, words)


class Order(Part):
    """The order of each kind of record: the one that the user chose, or the default."""

    session: Session
    lists: "Lists"
    _chosen: dict[str, SortChoice] = field(default_factory=dict[str, SortChoice])

    def sort(self, name: str | None, *, reverse: bool = False) -> None:
        """Sort the list by a field; None restores the default order."""
        if name is None:
            self._chosen.pop(self.lists.kind, None)
        else:
            self._chosen[self.lists.kind] = SortChoice(name, is_reversed=reverse)
        self.lists.look(keeps=True)

    def reverse(self) -> None:
        """Reverse the order."""
        sorting = self.chosen
        self.sort(self.name, reverse=not (sorting and sorting.is_reversed))

    @property
    def chosen(self) -> SortChoice | None:
        """The sort order chosen by the user, if any."""
        return self._chosen.get(self.lists.kind)

    @property
    def name(self) -> str:
        """The field that the list is sorted by, chosen or default."""
        return self.wanted or sorts(self.lists.kind)[0]

    @property
    def shown(self) -> Sorting:
        """The order as title lines and menus show it."""
        is_reversed = self.chosen is not None and self.chosen.is_reversed
        return sorted_by(self.lists.kind, self.name, is_reversed=is_reversed)

    @property
    def wanted(self) -> str | None:
        """The chosen field, or a default that depends on query and stores.

        That is relevance for words, and strength for fading memories.
        """
        if self.chosen:
            return self.chosen.name
        kind, session = self.lists.kind, self.session
        if not self.lists.room.is_by_time and asks_for_words(self.lists.text, kind):
            return RELEVANCE
        seen = formats_seen(session.library, session.stores)
        fade = kind == "memories" and bool(seen) and all(map(fades, seen))
        return "strength" if fade else None


class Lists(Part):
    """What is listed: the kind, the query, the order, and the places before."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    welcome: Welcome
    room_of: Callable[[str], Room]
    """Makes the room of a kind of record, when it is first opened."""
    shown: Callable[[Found], None]
    """Is called with each result; in another view once its panes have their place."""
    kind: str = VIEWS[0].kind
    """The kind of record listed."""
    text: str = ""
    """The query."""
    without_archived: set[str] = field(default_factory=set[str])
    """The kinds whose archived records are hidden."""
    shows_ignored: bool = False
    """Whether ignored problems are listed."""
    knows_values: bool = False
    """Whether the query bar has the values of this kind's fields."""
    trail: Trail = field(default_factory=Trail)
    listings: dict[str, Listing] = field(default_factory=dict[str, Listing])
    rooms: dict[str, Room] = field(default_factory=dict[str, Room])
    _order: Order | None = None
    _waiting: asyncio.Task[None] | None = None
    _is_opening: bool = False
    """Whether the view is new and its list is still on its way."""

    @property
    def order(self) -> Order:
        """The order of each kind."""
        if self._order is None:
            self._order = Order(self.session, self)
        return self._order

    @property
    def listing(self) -> Listing:
        """The current list with its requests."""
        return self.listings[self.kind]

    @property
    def room(self) -> Room:
        """The current room."""
        return self.rooms[self.kind]

    @property
    def table(self) -> Lines[Any]:
        """The current list."""
        return self.listing.table

    async def show(self, kind: str, ref: str | None = None) -> None:
        """Show a kind of record, optionally with the cursor on one of them."""
        self.kind, self._is_opening = kind, True
        switcher = self.display.base.query_one("#lists", ContentSwitcher)
        if kind not in self.listings:
            await self._enter(kind, switcher)
        body = self.display.body
        with body.changing():
            switcher.current = self.room.id
            body.set_class(self.room.is_wide, "by-ends")
            body.set_class(self.room.is_text, "by-text")
        self.layout.query.ask_about(kind)
        self.knows_values = False
        focused = self.display.base.focused
        lists = [listing.table.sheet for listing in self.listings.values()]
        is_covered = body.has_class(COVERING)
        if focused is None or focused in lists or is_covered:
            self.table.sheet.focus()
        await self.looked(keeps=ref is None)
        if ref is not None:
            await self.listing.go_to(ref)

    async def _enter(self, kind: str, switcher: ContentSwitcher) -> None:
        """Enter a room for the first time."""
        room = self.rooms[kind] = self.room_of(kind)
        if isinstance(room.face, MemoryTable):
            room.face.be_at(self.session.now)
        self.listings[kind] = Listing(self.session.list_worker, room.face, self._found)
        await switcher.mount(room)
        self.layout.paint()

    def look(self, *, keeps: bool = True) -> asyncio.Task[None]:
        """Request the list again as of the present, for the current query and order."""
        self.pass_time()
        task = self.listing.wish(self.wish(), keeps=keeps)
        self.display.frame.wait_for(task)
        return task

    def pass_time(self) -> None:
        """Update the time that answers and ages refer to."""
        stores = self.session.library.stores
        stores.as_of(stores.present)
        for listing in self.listings.values():
            face, now = listing.table.face, self.session.now
            if isinstance(face, MemoryTable) and now >= face.now + MINUTE:
                face.be_at(now)

    async def looked(self, *, keeps: bool = True) -> None:
        """Request the list and wait until it is shown or the request is cancelled.

        Cancelling the request does not cancel the caller.
        """
        task = self.look(keeps=keeps)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    @property
    def is_listed(self) -> bool:
        """Whether the list answers the query on the screen."""
        listing = self.listings.get(self.kind)
        return listing is not None and listing.answers(self.wish())

    def when_listed(self, act: Callable[[], Awaitable[None]]) -> None:
        """Act once the list answers the current query; hold keys until then.

        The keys are meant for the hits, not for the rows that are still shown.
        """
        self.display.held.hold()
        self._waiting = asyncio.create_task(self._act_when_listed(act))
        self._waiting.add_done_callback(report_stray_error)

    async def _act_when_listed(self, act: Callable[[], Awaitable[None]]) -> None:
        pane = self.display.focused
        try:
            await self.listing.settled()
            if not self.is_listed:
                await self.looked(keeps=False)
            if self.is_listed:
                await act()
            else:
                self.status.say(_NOT_LISTED)
        finally:
            self.display.held.release_after(pane)

    def wish(self) -> Wish:
        """The request for the list; ignored problems are left out."""
        sorting = self.order.chosen
        wish = Wish(
            self.kind,
            self.text,
            self.order.wanted,
            is_reversed=bool(sorting and sorting.is_reversed),
            has_archived=self.kind not in self.without_archived,
            stores=self.session.stores,
        )
        if self.kind != PROBLEMS:
            return wish
        return replace(wish, without=() if self.shows_ignored else (IGNORED,))

    @property
    def spot(self) -> Spot:
        """The current place."""
        return spot_of(self.kind, self.text, self.here)

    @property
    def here(self) -> Record | None:
        """The record at the cursor."""
        listing = self.listings.get(self.kind)
        return listing.table.at_cursor if listing else None

    def ask_for(self, text: str) -> None:
        """Set the query as if it had been typed."""
        self.text = self.layout.query.text = text
        self.look(keeps=False)

    async def go(self, kind: str, ref: str | None, text: str | None = None) -> None:
        """Go to another place and add this one to the trail."""
        self.trail.leave(self.spot, ref)
        await self.come(Spot(kind, self.text if text is None else text, ref))

    async def come(self, spot: Spot) -> None:
        """Go to a place that is already on the trail."""
        if spot.kind != self.kind:
            self.status.leave_behind()
        self.text = self.layout.query.text = spot.text
        await self.show(spot.kind, spot.ref)

    def aim_now(self) -> Aim:
        """What a key applies to: the marked rows and the record at the cursor."""
        found, links = self.listing.found, self.layout.links
        key = self.table.cursor_key
        several = () if key is None else self.table.face.keys.stands_for(key)
        is_on_links = self.display.base.focused is links.lines.sheet
        return Aim(
            kind=self.kind,
            listed=found.rows if found else (),
            marks=frozenset(self.table.marks),
            current=self.table.at_cursor,
            several=several if len(several) > 1 else (),
            edge=links.edge if is_on_links else None,
        )

    def wanted(self, event: Wanted) -> None:
        """Load the records that come into view."""
        self.display.run_worker(
            self.listing.fetch(event.first, event.last),
            group="records",
            exit_on_error=True,
        )

    def marked(self) -> None:
        """Remember the marked records, and count them."""
        remembering = self.listing.know_marks(self.kind)
        self.display.run_worker(remembering, group="marks", exclusive=True)
        self.status.tell()

    async def _found(self, found: Found) -> None:
        """Show the counts of a result."""
        if found.wish.kind == self.kind:
            self.room.divide(found)
            self.layout.query.tell(counted_of(found, self.session))
            if self.kind == "memories":
                session = self.session
                self.room.face.hide(
                    lacking(formats_seen(session.library, session.stores))
                )
            face, store = self.room.face, self.session.only_store
            if face.store != store:
                face.store = store
                face.renew()
            face.sorting = self.order.shown
            self.status.tell()
            if self._is_opening:
                self._is_opening = False
                self.display.call_after_refresh(self.shown, found)
            else:
                self.shown(found)

    async def view(self, kind: str) -> None:
        """Show another kind of record; what narrows this view alone is left out."""
        self.welcome.leave()
        if kind != self.kind:
            text = self.room.shared_query(self.text)
            self.trail.leave(self.spot)
            await self.come(Spot(kind, text, None))
        else:
            await self.show(kind)
        self.focus()

    def focus(self) -> None:
        """Show all panes and focus the list."""
        self.layout.zoom("")
        self.table.sheet.focus()

    async def go_along(self, step: int) -> None:
        """Go back to the previous place, or forward to the next one."""
        go = self.trail.forward if step > 0 else self.trail.back
        spot = go(self.spot)
        if spot:
            await self.come(spot)

    def show_archived(self) -> None:
        """Show or hide archived records."""
        self.without_archived ^= {self.kind}
        self.look()

    def show_ignored(self) -> None:
        """Show or hide ignored problems."""
        self.shows_ignored = not self.shows_ignored
        self.look()

    @property
    def is_waiting(self) -> bool:
        """Whether a key waits for the list of the query."""
        return self._waiting is not None and not self._waiting.done()

    async def settled(self) -> None:
        """Wait until no request is running."""
        if self._waiting is not None:
            await asyncio.gather(self._waiting, return_exceptions=True)
        listing = self.listings.get(self.kind)
        if listing is not None:
            await listing.settled()
