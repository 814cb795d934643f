"""The list of each kind of record, the query, and the trail of visited places."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec.structs import replace
from textual.widgets import ContentSwitcher

from store.library import is_descending as is_largest_first
from store.library import sorts
from store.search.tree import IGNORED
from tui.browser.bars import VIEWS
from tui.browser.layout import report_stray_error
from tui.browser.listing import Listing, Spot, Trail, room_of, spot_of
from tui.browser.query_bar import Counted, QueryBar
from tui.browser.rooms.room import Room
from tui.browser.welcome import fades, lacking
from tui.browser.worker import (
    PROBLEMS,
    RELEVANCE,
    Aim,
    Found,
    Wish,
    asks_for_words,
    formats_seen,
)
from widgets.lines import Lines, Wanted
from widgets.memory_table import MemoryTable
from widgets.table import Sorting

if TYPE_CHECKING:
    from tui.browser.app import Browser

_NOT_LISTED = "The search was interrupted. Press the key again."


class SortChoice(NamedTuple):
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


class Order:
    """The order of each kind of record: the one that the user chose, or the default."""

    def __init__(self, browser: "Browser", lists: "Lists") -> None:
        self._browser = browser
        self._lists = lists
        self._chosen: dict[str, SortChoice] = {}

    def sort(self, name: str | None, *, reverse: bool = False) -> None:
        """Sort the list by a field; None restores the default order."""
        if name is None:
            self._chosen.pop(self._lists.kind, None)
        else:
            self._chosen[self._lists.kind] = SortChoice(name, is_reversed=reverse)
        self._lists.look(keeps=True)

    def reverse(self) -> None:
        """Reverse the order."""
        sorting = self.chosen
        self.sort(self.name, reverse=not (sorting and sorting.is_reversed))

    @property
    def chosen(self) -> SortChoice | None:
        """The sort order chosen by the user, if any."""
        return self._chosen.get(self._lists.kind)

    @property
    def name(self) -> str:
        """The field that the list is sorted by, chosen or default."""
        return self.wanted or sorts(self._lists.kind)[0]

    @property
    def shown(self) -> Sorting:
        """The order as title lines and menus show it."""
        is_reversed = self.chosen is not None and self.chosen.is_reversed
        return sorted_by(self._lists.kind, self.name, is_reversed=is_reversed)

    @property
    def wanted(self) -> str | None:
        """The chosen field, or a default that depends on query and stores.

        That is relevance for words, and strength for fading memories.
        """
        if self.chosen:
            return self.chosen.name
        kind, session = self._lists.kind, self._browser.session
        if not self._lists.room.is_by_time and asks_for_words(self._lists.text, kind):
            return RELEVANCE
        seen = formats_seen(session.library, session.stores)
        fade = kind == "memories" and bool(seen) and all(map(fades, seen))
        return "strength" if fade else None


class Lists:
    """What is listed: the kind, the query, the order, and the places before."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.kind = VIEWS[0].kind
        """The kind of record listed."""
        self.text = ""
        """The query."""
        self.without_archived: set[str] = set()
        """The kinds whose archived records are hidden."""
        self.shows_ignored = False
        """Whether ignored problems are listed."""
        self.trail = Trail()
        self.listings: dict[str, Listing] = {}
        self.rooms: dict[str, Room] = {}
        self.order = Order(browser, self)
        self._waiting: asyncio.Task[None] | None = None

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
        self.kind = kind
        switcher = self._browser.layout.base.query_one("#lists", ContentSwitcher)
        if kind not in self.listings:
            await self._enter(kind, switcher)
        switcher.current = self.room.id
        body = self._browser.layout.base.query_one("#body")
        body.set_class(self.room.is_wide, "by-ends")
        body.set_class(self.room.is_text, "by-text")
        self._browser.layout.base.query_one(QueryBar).ask_about(kind)
        self._browser.facets.knows_values = False
        focused = self._browser.layout.base.focused
        lists = [listing.table.sheet for listing in self.listings.values()]
        if focused is None or focused in lists:
            self.table.sheet.focus()
        await self.looked(keeps=ref is None)
        if ref is not None:
            await self.listing.go_to(ref)

    async def _enter(self, kind: str, switcher: ContentSwitcher) -> None:
        """Enter a room for the first time."""
        room = self.rooms[kind] = room_of(kind)
        if isinstance(room.face, MemoryTable):
            room.face.be_at(self._browser.session.now)
        self.listings[kind] = Listing(
            self._browser.session.list_worker, room.face, self._found
        )
        await switcher.mount(room)
        self._browser.layout.paint()

    def look(self, *, keeps: bool = True) -> asyncio.Task[None]:
        """Request the list again as of the present, for the current query and order."""
        self._browser.live.pass_time()
        return self.listing.wish(self.wish(), keeps=keeps)

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
        self._browser.held.hold()
        self._waiting = asyncio.create_task(self._act_when_listed(act))
        self._waiting.add_done_callback(report_stray_error)

    async def _act_when_listed(self, act: Callable[[], Awaitable[None]]) -> None:
        pane = self._browser.focused
        try:
            await self.listing.settled()
            if not self.is_listed:
                await self.looked(keeps=False)
            if self.is_listed:
                await act()
            else:
                self._browser.status.message = _NOT_LISTED
                self._browser.status.tell()
        finally:
            self._browser.held.release_after(pane)

    def wish(self) -> Wish:
        """The request for the list; ignored problems are left out."""
        sorting = self.order.chosen
        wish = Wish(
            self.kind,
            self.text,
            self.order.wanted,
            is_reversed=bool(sorting and sorting.is_reversed),
            has_archived=self.kind not in self.without_archived,
            stores=self._browser.session.stores,
        )
        if self.kind != PROBLEMS:
            return wish
        return replace(wish, without=() if self.shows_ignored else (IGNORED,))

    @property
    def spot(self) -> Spot:
        """The current place."""
        listing = self.listings.get(self.kind)
        record = listing.table.at_cursor if listing else None
        return spot_of(self.kind, self.text, record)

    async def go(self, kind: str, ref: str | None, text: str | None = None) -> None:
        """Go to another place and add this one to the trail."""
        self.trail.leave(self.spot, ref)
        await self.come(Spot(kind, self.text if text is None else text, ref))

    async def come(self, spot: Spot) -> None:
        """Go to a place that is already on the trail."""
        self.text = spot.text
        self._browser.layout.base.query_one(QueryBar).text = spot.text
        await self.show(spot.kind, spot.ref)

    def aim_now(self) -> Aim:
        """What a key applies to: the marked rows and the record at the cursor."""
        found, links = self.listing.found, self._browser.layout.links
        key = self.table.cursor_key
        several = () if key is None else self.table.face.keys.stands_for(key)
        is_on_links = self._browser.layout.base.focused is links.lines.sheet
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
        self._browser.run_worker(
            self.listing.fetch(event.first, event.last),
            group="records",
            exit_on_error=True,
        )

    def marked(self) -> None:
        """Remember the marked records, and count them."""
        remembering = self.listing.know_marks(self.kind)
        self._browser.run_worker(remembering, group="marks", exclusive=True)
        self._browser.status.tell()

    async def _found(self, found: Found) -> None:
        """Show the counts of a result."""
        if found.wish.kind == self.kind:
            self.room.divide(found)
            counted = Counted.of(found, is_reading=self._browser.live.is_reading)
            self._browser.layout.base.query_one(QueryBar).tell(counted)
            if self.kind == "memories":
                session = self._browser.session
                self.room.face.hide(
                    lacking(formats_seen(session.library, session.stores))
                )
            self.room.face.sorting = self.order.shown
            self._browser.status.tell()
            self._browser.call_after_refresh(self._seen, found)

    async def view(self, kind: str) -> None:
        """Show another kind of record; what narrows this view alone is left out."""
        self._browser.welcome.leave()
        if kind != self.kind:
            text = self.room.shared_query(self.text)
            self.trail.leave(self.spot)
            await self.come(Spot(kind, text, None))
        else:
            await self.show(kind)
        self._browser.layout.zoom("")
        self.table.sheet.focus()

    async def go_to_side(self, side: str) -> None:
        """Go to the memory at one end of an edge."""
        edge = self.table.at_cursor
        ref = edge and (edge.to if side == "to" else edge.from_)
        if ref:
            await self.go("memories", ref, "")

    async def go_back(self) -> None:
        """Go back to the previous place."""
        spot = self.trail.back(self.spot)
        if spot:
            await self.come(spot)

    async def go_forward(self) -> None:
        """Go forward to the next place."""
        spot = self.trail.forward(self.spot)
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

    async def stores_chosen(self) -> None:
        """Count records and changes after other stores were chosen."""
        await self._browser.session.count_all()
        await self._browser.plans.count_changes()
        self._browser.status.tell()

    def _seen(self, found: Found) -> None:
        """Open the record at the cursor, and related ones, once the rows are drawn."""
        if self.kind == found.wish.kind and self.listing.found is found:
            self._browser.reader.rest_over()
            self._browser.facets.result_shown(found)
            self._browser.news.result_shown(found)
