"""The record at the cursor, opened in the reader."""

import asyncio
import math
from time import monotonic
from typing import TYPE_CHECKING

from msgspec.structs import replace
from textual.timer import Timer

from store.errors import GivenUpError
from store.kinds.conversations import Conversation
from store.kinds.messages import Message
from store.library import Record
from store.search.edit import written
from store.search.tree import Named
from tui.browser.pages import BLAME, HISTORY, READ, SEEN, VERSION, page
from tui.browser.panes import show_file
from tui.browser.record import (
    around,
    file_of,
    is_address,
    kind_of,
    leads_to,
    open_record,
)
from tui.browser.welcome import Emptiness, empty_page, out_of_reach
from widgets.graph import NOBODY
from widgets.reader import Reader

if TYPE_CHECKING:
    from tui.browser.app import Browser
    from tui.browser.record import Opened
    from widgets.page import Page

_REST = 0.06
"""Seconds that the cursor must rest before its record is opened while keys repeat, so
that passing over rows costs neither time nor bytes."""

_REPEATED = 0.12
"""Seconds within which a move of the cursor follows another one if a key is held."""


class Pace:
    """Whether the cursor moves step by step, or passes over rows."""

    _last = -math.inf

    def is_passing(self, now: float) -> bool:
        """Whether a move of the cursor at this time, in seconds, follows another."""
        before, self._last = self._last, now
        return now - before < _REPEATED


class RecordReader:
    """Opens records, and moves in what is open."""

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser
        self.opened: Opened | None = None
        """The record in the reader."""
        self._rest: Timer | None = None
        self._pace = Pace()
        self.task: asyncio.Task[None] | None = None
        """The task that opens a record."""

    def highlighted(self) -> None:
        """Open the record: at once, or if keys repeat, once the cursor rests."""
        if self._rest:
            self._rest.stop()
            self._rest = None
        is_passing = self._pace.is_passing(monotonic())
        if is_passing or not self._browser.lists.table.is_moved:
            self._rest = self._browser.set_timer(_REST, self.open)
        else:
            self.open()
        self._browser.status.tell()

    def open(self) -> None:
        """Open the record at the cursor."""
        if self.task is not None and not self.task.done():
            self.task.cancel()
            self._browser.session.worker.give_up()
        opening = self._browser.lists.listing.hand_on(self.show_record)
        self.task = asyncio.create_task(opening)

    def rest_over(self) -> None:
        """Open the record at the cursor without waiting."""
        if self._rest:
            self._rest.stop()
            self._rest = None
        self.open()

    def read(self, opened: "Opened") -> None:
        """Show an opened record."""
        self.opened = opened
        lists = self._browser.lists
        place = f"{lists.table.cursor + 1}/{lists.table.count()}"
        way = lists.trail.way(opened.record.ref)
        self._browser.layout.reader.show(
            page(opened, self._browser.session.now, place, way)
        )

    def _nothing(self) -> "Page":
        """The reader's page if there is no record."""
        found = self._browser.lists.listing.found
        complaints = found.query.complaints if found else ()
        reason = complaints[0].reason if complaints else out_of_reach(found)
        reading = self._browser.live.now_reading
        formats = tuple(self._browser.session.library.stores.formats)
        return empty_page(
            Emptiness(
                self._browser.lists.kind,
                formats,
                self._browser.lists.text,
                reason,
                reading,
            )
        )

    def add_to(self, opened: "Opened", **found: object) -> bool:
        """Show what was found about a record; False if it is not open any more."""
        now = self.opened
        if (
            now is None
            or now.record is not opened.record
            or now.full is not opened.full
        ):
            return False
        self.read(replace(now, **found))
        return True

    def scroll(self, lines: int) -> None:
        """Scroll the reader while the list keeps the focus."""
        self._browser.transcript.side.content.scroll(lines)

    def tab(self, tabs: int) -> None:
        """Show another tab of the reader."""
        self._browser.transcript.show(is_shown=False)
        self._browser.layout.reader.turn(tabs)

    def hit(self, step: int) -> None:
        """Go to another hit."""
        if self._browser.transcript.pane is not None:
            self._browser.transcript.commands.hit(step)
        else:
            self._tell_hit(self._browser.layout.reader, step)

    def _tell_hit(self, reader: Reader, step: int) -> None:
        """Go to another hit in the text and show its number."""
        reader.next_hit(step)
        if reader.hit:
            number, known = reader.hit
            more = "" if reader.laid.is_done else "+"
            self._browser.status.message = f"hit {number} of {known}{more}"

    def follow_link(self) -> None:
        """Follow the link at the cursor, or move to the first one."""
        reader = self._browser.layout.reader
        if reader.link is None:
            reader.next_link()
        else:
            reader.follow()

    def copy_selected(self) -> None:
        """Copy the text selected in the reader."""
        text = self._browser.transcript.side.selected_text()
        self._browser.status.message = self._browser.parts.export.copied(text)

    async def show_file(self) -> None:
        """Show the record's file in a pager, or that of a call in a transcript."""
        if self._browser.transcript.is_focused:
            await self._browser.transcript.commands.show_file()
            return
        record = self._browser.lists.table.at_cursor
        if record is not None:
            self._browser.status.message = show_file(
                self._browser, record.store, file_of(record)
            )

    async def follow(self, event: Reader.Followed) -> None:
        """Go to the target of a link in the text."""
        target = event.target
        if target.kind == "tag":
            await self._browser.lists.go(
                "memories", None, written(Named("tags", (target.text,)))
            )
            return
        if target.kind == VERSION:
            self._browser.parts.history.show_version(int(target.text))
            return
        ref = None
        if is_address(target):
            self._browser.status.message = (
                f"{target.text} · {self._browser.parts.export.copied(target.text)}"
            )
        else:
            opened = self.opened
            ref = await self._browser.session.ask(
                lambda library: leads_to(library, opened, target)
            )
            self._browser.status.message = (
                "" if ref else f"{target.text}: no such record in these stores."
            )
        self._browser.status.tell()
        if ref is not None:
            await self._browser.lists.go(kind_of(ref), ref, "")

    async def settled(self) -> None:
        """Wait until no record is being opened."""
        if self._rest is not None:
            self.rest_over()
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)

    async def show_record(self, record: Record | None) -> None:
        """Show a record; a conversation before other facts about it are loaded."""
        talk, reader = (
            self._browser.transcript,
            self._browser.layout.reader,
        )
        try:
            is_talk = await talk.is_read(record)
        except GivenUpError:
            return
        talk.show(is_shown=is_talk and reader.tab in {"", READ})
        await self._show_in_reader(record)

    async def _show_in_reader(self, record: Record | None) -> None:
        """Show a record in the reader."""
        reader = self._browser.layout.reader
        is_bare = record is None and self._browser.lists.room.needs_list
        self._browser.layout.base.query_one("#body").set_class(is_bare, "bare")
        if record is None:
            self.opened = None
            reader.show(self._nothing())
            self._browser.layout.links.show(NOBODY, ())
            self._browser.layout.seen.show(())
            return
        try:
            opened = await self._browser.session.worker.ask_once(
                lambda library: open_record(library, record)
            )
        except GivenUpError:
            return
        reader.seek(self._browser.lists.listing.sought)
        self.read(opened)
        self._browser.layout.links.show(*around(opened))
        self.shown(opened)
        self._browser.status.tell()

    def shown(self, opened: "Opened") -> None:
        """Find mentions and similar memories if something shows them."""
        self._browser.links.look_beside(opened)
        self.tab_shown(self._browser.layout.reader.tab, opened)

    def tab_shown(self, tab: str, opened: "Opened") -> None:
        """Load what a tab shows of a record; either may be new."""
        if tab == SEEN and opened.seen is None:
            self._browser.links.look_around(opened)
        if tab in {HISTORY, BLAME}:
            self._browser.parts.history.load(opened)

    def tab_turned(self, event: Reader.TabShown) -> None:
        """Show the tab that was chosen: the graph, a transcript, or a page."""
        self._browser.links.show_graph()
        if self.opened is not None:
            self.tab_shown(event.name, self.opened)
        is_talk = isinstance(
            self._browser.lists.table.at_cursor, Conversation | Message
        )
        if event.name == READ and is_talk:
            self._browser.transcript.show(is_shown=True)
