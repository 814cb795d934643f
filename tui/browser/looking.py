"""What is looked at: a list of records, the record at the cursor, what it leads to."""

import asyncio
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from textual import events, on
from textual.timer import Timer
from textual.widgets import ContentSwitcher

from store.errors import GivenUpError
from store.library import Library, Record, sorts
from store.records.memory import Memory
from tui.browser.asking.query_bar import QueryBar
from tui.browser.asking.verdict import Counted
from tui.browser.data.desk import Desk
from tui.browser.data.formats import formats_seen
from tui.browser.data.found import RELEVANCE, Found, Wish, asks_for_words
from tui.browser.first.access import READ_ONLY
from tui.browser.first.keeps import fades, lacking
from tui.browser.framed import Framed, Outfit
from tui.browser.kept import Kept
from tui.browser.listing import Listing
from tui.browser.panes import LinksPane, ReadingPane, SeenPane
from tui.browser.rooms.opening import room_of
from tui.browser.rooms.room import Room
from tui.browser.telling import Happening, place, state, tabs
from tui.browser.trail import Spot, Trail, spot_of
from tui.browser.views import VIEWS
from tui.commands.scopes import Scope
from tui.commands.situation import Situation
from widgets.bars.bar import Bar
from widgets.bars.items import Items, plain
from widgets.columns.memories import MemoryTable
from widgets.columns.table import Sorting, Table
from widgets.graph.graph import NOBODY
from widgets.lines.reports import Highlighted, Wanted

if TYPE_CHECKING:
    from tui.browser.data.opened import Opened
    from tui.browser.live.reading import Reading
    from widgets.reader.page import Page

Answer = TypeVar("Answer")

_REST = 0.06
"""Seconds that the cursor rests before its record is opened: who runs by waits for
nothing, and sends no bytes for it."""


class Looking(Framed):
    """Shows records; commands are for who inherits."""

    def __init__(
        self,
        library: Library,
        *,
        reads: bool = True,
        kept: Kept | None = None,
        outfit: Outfit | None = None,
    ) -> None:
        """`reads` tells whether the stores are looked at, or only the catalogue."""
        super().__init__(outfit)
        self.library = library
        self.kept = kept or Kept()
        self.trail = Trail()
        self.text = ""
        """The query."""
        self.without_archived: set[str] = set()
        self.kind = VIEWS[0].kind
        """The kind of record that is listed."""
        self.opened: Opened | None = None
        """The record in the reader."""
        self._reads = reads
        self._finding = Desk(library)
        self._opening = Desk(library)
        self.stores: frozenset[str] = frozenset()
        """The stores that are looked at; all of them, where none is named."""
        self.names: Mapping[str, str] = {}
        """What stores are called, by their paths."""
        self._listings: dict[str, Listing] = {}
        self._rooms: dict[str, Room] = {}
        self._sorts: dict[str, Sorting] = {}
        self._counts: Mapping[str, int] = {}
        self.knows_values = False
        """Whether the query bar was told of the values that there are."""
        self.has_chosen_theme = False
        """Whether the user has chosen the theme just now, and not the terminal."""
        self._access = READ_ONLY
        self._progress: Reading | None = None
        self.is_reading = reads and bool(library.chosen)
        """Whether the stores are still to be read."""
        self._rest: Timer | None = None
        self._open_task: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[None] | None = None
        self.hold_keys()

    @property
    def now(self) -> int:
        """Microseconds since 1970."""
        return self.library.now

    @property
    def listing(self) -> Listing:
        """What fills the list that is shown."""
        return self._listings[self.kind]

    @property
    def room(self) -> Room:
        """The room that is shown."""
        return self._rooms[self.kind]

    @property
    def table(self) -> Table[Any]:
        """The list that is shown."""
        return self.listing.table

    async def settled(self) -> None:
        """Until nothing is being looked for or opened."""
        listing = self._listings.get(self.kind)
        if listing is not None:
            await listing.settled()
        if self._rest is not None:
            self._rest_over()
        if self._open_task is not None:
            await asyncio.gather(self._open_task, return_exceptions=True)

    async def show(self, kind: str, ref: str | None = None) -> None:
        """Show a kind of record, and one of them at the cursor where it is named."""
        self.kind = kind
        switcher = self.base.query_one("#lists", ContentSwitcher)
        if kind not in self._listings:
            await self._enter(kind, switcher)
        switcher.current = self.room.id
        self.base.query_one(QueryBar).ask_about(kind)
        self.knows_values = False
        focused = self.base.focused
        if focused is None or isinstance(focused, Table):
            self.table.focus()
        await self.looked(keeps=ref is None)
        if ref is not None:
            await self.listing.go_to(ref)

    async def _enter(self, kind: str, switcher: ContentSwitcher) -> None:
        """Enter a room for the first time."""
        room = self._rooms[kind] = room_of(kind)
        if isinstance(room.table, MemoryTable):
            room.table.now = self.now
        self._listings[kind] = Listing(self._finding, room.table, self._found)
        await switcher.mount(room)
        self.paint()

    async def ask(self, question: Callable[[Library], Answer]) -> Answer:
        """Put a question to the library, away from the screen."""
        return await self._opening.ask(question)

    def look(self, *, keeps: bool = True) -> asyncio.Task[None]:
        """Look for what is wished for now."""
        return self.listing.wish(self._wish(), keeps=keeps)

    async def looked(self, *, keeps: bool = True) -> None:
        """Look, until that is shown, or given up because something else is wished for.

        Who waits is not given up with it.
        """
        task = self.look(keeps=keeps)
        await asyncio.wait([task])
        if not task.cancelled():
            task.result()

    def sort(self, name: str | None, *, reverse: bool = False) -> None:
        """Sort the list by something else; None for what is usual."""
        if name is None:
            self._sorts.pop(self.kind, None)
        else:
            self._sorts[self.kind] = Sorting(name, reverse)
        self.look(keeps=True)

    @property
    def sorting(self) -> Sorting | None:
        """What the list was asked to be sorted by."""
        return self._sorts.get(self.kind)

    @property
    def sorted_by(self) -> str:
        """What the list is sorted by, asked for or not."""
        return self._wish().sort or sorts(self.kind)[0]

    @property
    def desk(self) -> Desk:
        """Where questions are put that no list waits for."""
        return self._opening

    def _wish(self) -> Wish:
        sorting = self._sorts.get(self.kind)
        return Wish(
            self.kind,
            self.text,
            sorting.name if sorting else self._usual,
            is_reversed=bool(sorting and sorting.is_reversed),
            has_archived=self.kind not in self.without_archived,
            stores=self.stores,
        )

    @property
    def _usual(self) -> str | None:
        """The order that fits: what was meant most, or what is strongest, first."""
        if not self.room.is_by_time and asks_for_words(self.text, self.kind):
            return RELEVANCE
        seen = formats_seen(self.library, self.stores)
        fade = self.kind == "memories" and bool(seen) and all(map(fades, seen))
        return "strength" if fade else None

    @property
    def spot(self) -> Spot:
        """Where one is."""
        listing = self._listings.get(self.kind)
        record = listing.table.at_cursor if listing else None
        return spot_of(self.kind, self.text, record)

    async def go(self, kind: str, ref: str | None, text: str | None = None) -> None:
        """Go to another place; one can come back."""
        self.trail.leave(self.spot, ref)
        await self.come(Spot(kind, self.text if text is None else text, ref))

    async def come(self, spot: Spot) -> None:
        """Come to a place that is on the trail already."""
        self.text = spot.text
        self.base.query_one(QueryBar).text = spot.text
        await self.show(spot.kind, spot.ref)

    @property
    def situation(self) -> Situation:
        """How things stand."""
        listing = self._listings.get(self.kind)
        table = listing.table if listing else None
        record = table.at_cursor if table else None
        reader = self.base.query_one(ReadingPane)
        return Situation(
            rows=table.count() if table else 0,
            has_record=record is not None,
            is_memory=isinstance(record, Memory),
            is_append_only=self.kind == "episodes",
            marked=len(table.marks) if table else 0,
            links=len(self.opened.links) if self.opened else 0,
            leads=len(reader.laid.links) + (not reader.laid.is_done),
            hits=len(reader.laid.hits) if self.text else 0,
            query=self.text,
            behind=self.trail.behind,
            ahead=self.trail.ahead,
            stores=len(self.library.chosen),
            has_file=bool(getattr(record, "path", None)),
            is_journal=self.scope is Scope.JOURNALS,
        )

    @property
    def scope(self) -> Scope:
        """The scope of the pane that has the focus; lists have their own keys."""
        scope = super().scope
        is_own = scope is Scope.LIST and self.kind in self._rooms
        return self.room.holding if is_own else scope

    @on(Highlighted)
    def _highlighted(self, event: Highlighted) -> None:
        """Open the record once the cursor rests; the bars follow at once."""
        if event.sheet is not self.table:
            return
        if self._rest:
            self._rest.stop()
        self._rest = self.set_timer(_REST, self._open)
        self.tell()

    @on(events.DescendantFocus)
    def _turned(self) -> None:
        """Other keys help in another pane."""
        self.tell()

    @on(Wanted)
    async def _wanted(self, event: Wanted) -> None:
        """Bring the records that come into view."""
        if event.sheet is self.table:
            self.run_worker(
                self.listing.fetch(event.first, event.last),
                group="records",
                exit_on_error=True,
            )

    def _open(self) -> None:
        if self._open_task is not None and not self._open_task.done():
            self._open_task.cancel()
            self._opening.give_up()
        opening = self.listing.hand_on(self._opened_record)
        self._open_task = asyncio.create_task(opening)

    async def _opened_record(self, record: Record | None) -> None:
        """Show a record in the reader."""
        from tui.browser.around import around
        from tui.browser.data.opened import open_record

        reader = self.base.query_one(ReadingPane)
        is_bare = record is None and self.room.needs_list
        self.base.query_one("#body").set_class(is_bare, "bare")
        if record is None:
            self.opened = None
            reader.show(self._nothing())
            self.base.query_one(LinksPane).show(NOBODY, ())
            self.base.query_one(SeenPane).show(())
            return
        try:
            opened = await self._opening.ask_once(
                lambda library: open_record(library, record)
            )
        except GivenUpError:
            return
        reader.seek(self.listing.sought)
        self.read(opened)
        self.base.query_one(LinksPane).show(*around(opened))
        self.record_shown(opened)
        self.tell()

    def read(self, opened: "Opened") -> None:
        """Show an opened record."""
        from tui.browser.pages import page

        self.opened = opened
        place = f"{self.table.cursor + 1}/{self.table.count()}"
        way = self.trail.way(opened.record.ref)
        self.base.query_one(ReadingPane).show(page(opened, self.now, place, way))

    async def _found(self, found: Found) -> None:
        """What was found is shown; the bars tell how much that is."""
        if found.wish.kind == self.kind:
            self.room.divide(found)
            self.base.query_one(QueryBar).tell(Counted.of(found))
            if self.kind == "memories":
                self.table.lacks = lacking(formats_seen(self.library, self.stores))
            self.table.sorting = Sorting(self.sorted_by, found.wish.is_reversed)
            self.tell()
            self.call_after_refresh(self._seen, found)

    def _seen(self, found: Found) -> None:
        """What was found is on the screen: open a record of it, and look around."""
        if self.kind == found.wish.kind and self.listing.found is found:
            self._rest_over()
            self.result_shown(found)

    def _rest_over(self) -> None:
        """Open what is at the cursor now."""
        if self._rest:
            self._rest.stop()
            self._rest = None
        self._open()

    def _nothing(self) -> "Page":
        """What the reader says where there is no record."""
        from tui.browser.first.empty import Emptiness, out_of_reach
        from tui.browser.first.page import empty_page

        found = self.listing.found
        complaints = found.query.complaints if found else ()
        reason = complaints[0].reason if complaints else out_of_reach(found)
        reading = self._progress if self.is_reading else None
        formats = tuple(self.library.formats)
        return empty_page(Emptiness(self.kind, formats, self.text, reason, reading))

    @property
    def states(self) -> Mapping[str, int]:
        """How many of what is listed are in each state."""
        return {}

    @property
    def happening(self) -> Happening:
        """What goes on, apart from what is listed."""
        from tui.browser.first.progress import progress

        job = progress(self._progress) if self._progress else ""
        return Happening(self.message, job, is_wrong=self.is_wrong)

    def result_shown(self, found: Found) -> None:
        """What else is to be done once another result is shown."""

    def record_shown(self, opened: "Opened") -> None:
        """What else is to be done once another record is read."""

    def tell(self) -> None:
        """Bring the bars up to date."""
        where = place(self.stores or self.library.chosen, self.names)
        views = tabs(self._counts, self.kind, where, self._access)
        self.base.query_one("#tabs", Bar).items = views
        listing = self._listings.get(self.kind)
        found = listing.found if listing else None
        marked = len(listing.table.marks) if listing else 0
        told = state(found, self.states, marked, self.happening)
        if self.is_dense:
            told = Items(told.left, self.hints_told(0).right)
        self.base.query_one("#status", Bar).items = told
        small = f"too small · {self.size.width}x{self.size.height}"
        self.base.query_one("#small", Bar).items = Items((plain(small, "warning", 0),))
        super().tell()
