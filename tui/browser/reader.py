"""The record at the cursor: opened in the reader, with its links and mentions."""

import asyncio
import math
from collections.abc import Callable
from functools import partial
from time import monotonic

from msgspec import field
from msgspec.structs import replace
from textual import events
from textual.geometry import Size
from textual.message import Message as Event
from textual.timer import Timer

from store.errors import GivenUpError
from store.kinds.conversations import Conversation
from store.kinds.messages import Message
from store.library import Record
from store.search.edit import written
from store.search.tree import All, Named
from tui.browser.bars import BY_KIND
from tui.browser.display import Display, Part
from tui.browser.layout import HIGH, LINKED, WIDE, Layout
from tui.browser.lists import Lists
from tui.browser.panes import show_file
from tui.browser.record import (
    READ,
    Opened,
    around,
    beyond,
    file_of,
    is_address,
    kind_of,
    leads_to,
    open_record,
    seen,
)
from tui.browser.session import Session
from tui.browser.status import Status
from tui.browser.transcript import OpenTranscript
from tui.browser.welcome import Emptiness, empty_page, out_of_reach, why_empty
from tui.output.reports import title
from tui.terminal.programs import Clipboard
from widgets.graph import NOBODY, Graph, Sightings, SightingSheet
from widgets.lines import said
from widgets.page import Page
from widgets.reader import Reader
from widgets.rows import Key

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


class RecordReader(Part):
    """Opens records, and moves in what is open."""

    display: Display
    session: Session
    layout: Layout
    status: Status
    lists: Lists
    transcript: OpenTranscript
    clipboard: Clipboard
    shown: Callable[[str, Opened], None]
    """Is called with the tab and the record that it shows; either may be new."""
    opened: Opened | None = None
    """The record in the reader."""
    task: asyncio.Task[None] | None = None
    """The task that opens a record."""
    _tabs: dict[type[Record], str] = field(default_factory=dict[type[Record], str])
    """The tab that was open last for each type of record; the current type is last."""
    _rest: Timer | None = None
    _asked: tuple[int, Key | None] = (0, None)
    """The list and the key of the record that was opened last."""
    _pace: Pace = field(default_factory=Pace)

    def highlighted(self) -> None:
        """Open the record: at once, or if keys repeat, once the cursor rests."""
        self._end_rest()
        is_passing = self._pace.is_passing(monotonic())
        if self._asked == self._wanted:
            pass  # the list opened it, as it came with its rows
        elif is_passing or not self.lists.table.is_moved:
            self._rest = self.display.set_timer(_REST, self._has_rested)
        else:
            self.open()
        self.status.tell()

    def _has_rested(self) -> None:
        """Open the record without waiting for it.

        The app would wait for a task that a timer returns, and would end without a
        word once a list that arrives cancels the task.
        """
        self.open()

    def open(self) -> asyncio.Task[None]:
        """Open the record at the cursor."""
        self._end_rest()
        if self.task is not None and not self.task.done():
            self.task.cancel()
            self.session.worker.give_up()
        self._asked = self._wanted
        opening = self.lists.listing.hand_on(self.show_record)
        self.task = asyncio.create_task(opening)
        return self.task

    @property
    def _wanted(self) -> tuple[int, Key | None]:
        """What the list shows, and where the cursor is."""
        listing = self.lists.listing
        return id(listing.found), listing.table.cursor_key

    def _end_rest(self) -> None:
        if self._rest:
            self._rest.stop()
            self._rest = None

    async def close(self) -> None:
        """Open no more records."""
        if self.task is not None:
            self.task.cancel()
            await asyncio.gather(self.task, return_exceptions=True)

    def read(self, opened: Opened) -> None:
        """Show an opened record."""
        self.opened = opened
        lists = self.lists
        place = f"{lists.table.cursor + 1}/{lists.table.count()}"
        review = self.session.review
        if review and (here := review.here):
            place = review.place
            if opened.record.ref == here.memory.ref and review.trouble:
                opened = replace(opened, doubt=review.trouble)
        way = lists.trail.way(opened.record.ref)
        from tui.browser.pages import page  # noqa: PLC0415  # after the first rows

        self.layout.reader.show(page(opened, self.session.now, place, way))

    def _show_nothing(self) -> None:
        """Say why there is no record: in the list, or here if it has no room."""
        self.lists.table.face.nothing = why_empty(self._emptiness())
        self.lists.table.sheet.redraw()
        self.resized()
        self.display.call_after_refresh(self.resized)

    def resized(self) -> None:
        """Say why there is no record where there is room for it now."""
        lists, reader = self.lists, self.layout.reader
        if lists.kind not in lists.listings or self.opened or lists.table.count():
            return
        sheet, empty = lists.table.sheet, self._emptiness()
        lines = len(said(lists.table.face.nothing, sheet.text_width))
        is_said = lines <= sheet.room and self.layout.zoomed != "zoom-side"
        reader.seek(())
        reader.show(Page(None, ()) if is_said and empty.formats else empty_page(empty))

    def _emptiness(self) -> Emptiness:
        found = self.lists.listing.found
        complaints = found.query.complaints if found else ()
        reason = complaints[0].reason if complaints else out_of_reach(found)
        return Emptiness(
            self.lists.kind,
            tuple(self.session.library.stores.formats),
            self.lists.text,
            reason,
            self.session.now_reading,
            BY_KIND[self.lists.kind].none,
            elsewhere=found.elsewhere if found else {},
            in_other_stores=found.in_other_stores if found else 0,
            similar=found.similar if found else {},
        )

    def add_to(self, opened: Opened, **found: object) -> bool:
        """Show what was found about a record; False if it is not open any more."""
        now = self.opened
        if not now or now.record is not opened.record or now.full is not opened.full:
            return False
        self.read(replace(now, **found))
        return True

    def scroll(self, lines: int) -> None:
        """Scroll the reader while the list keeps the focus."""
        self.transcript.side.content.scroll(lines)

    def tab(self, tabs: int) -> None:
        """Show another tab of the reader."""
        self.transcript.show(is_shown=False)
        self.layout.reader.turn(tabs)

    def hit(self, step: int) -> None:
        """Go to another hit."""
        if self.transcript.pane is not None:
            self.transcript.commands.hit(step)
        else:
            self._tell_hit(self.layout.reader, step)

    def _tell_hit(self, reader: Reader, step: int) -> None:
        """Go to another hit in the text and show its number."""
        reader.next_hit(step)
        if reader.hit:
            number, known = reader.hit
            more = "" if reader.laid.is_done else "+"
            self.status.message = f"hit {number} of {known}{more}"

    def copy_selected(self) -> None:
        """Copy the text selected in the reader."""
        text = self.transcript.side.selected_text()
        self.status.message = self.clipboard.copied(text)

    async def show_file(self) -> None:
        """Show the record's file in a pager, or that of a call in a transcript."""
        if self.transcript.is_focused:
            await self.transcript.commands.show_file()
            return
        record = self.lists.table.at_cursor
        if record is not None:
            self.status.message = show_file(self.display, record.store, file_of(record))

    async def follow(self, event: Reader.Followed) -> None:
        """Go to the target of a link in the text."""
        target = event.target
        if target.kind == "tag":
            await self.lists.go(
                "memories", None, written(Named("tags", (target.text,)))
            )
            return
        ref = None
        if is_address(target):
            self.status.message = (
                f"{target.text} · {self.clipboard.copied(target.text)}"
            )
        else:
            opened = self.opened
            ref = await self.session.ask(
                lambda library: leads_to(library, opened, target)
            )
            self.status.message = (
                "" if ref else f"{target.text}: no such record in these stores."
            )
        self.status.tell()
        if ref is not None:
            await self.lists.go(kind_of(ref), ref, "")

    async def settled(self) -> None:
        """Wait until no record is being opened."""
        if self._rest is not None:
            self.open()
        if self.task is not None:
            await asyncio.gather(self.task, return_exceptions=True)

    async def show_record(self, record: Record | None) -> None:
        """Show a record; a conversation before other facts about it are loaded."""
        talk, reader = (self.transcript, self.layout.reader)
        try:
            is_talk = await talk.is_read(record)
        except GivenUpError:
            return
        if record is not None:
            self._keep_tab(type(record))
        talk.show(is_shown=is_talk and reader.tab in {"", READ})
        await self._show_in_reader(record)

    def _keep_tab(self, kind: type[Record]) -> None:
        """Before a record of another type, go back to the tab last open for those.

        A transcript is always shown first, as the keys of its commands need it.
        """
        reader, tabs = self.layout.reader, self._tabs
        before = next(reversed(tabs), kind)
        if kind is not before:
            tabs[before] = reader.tab
            last = tabs.pop(kind, "")
            reader.tab = "" if kind in {Conversation, Message} else last
        tabs[kind] = ""

    async def _show_in_reader(self, record: Record | None) -> None:
        """Show a record in the reader."""
        reader = self.layout.reader
        if record is None:
            self.opened = None
            self._show_nothing()
            self.layout.links.show(NOBODY, ())
            self.layout.seen.show(())
            return
        try:
            opened = await self.session.worker.ask_once(
                lambda library: open_record(library, record)
            )
        except GivenUpError:
            return
        reader.seek(self.lists.listing.sought)
        self.read(opened)
        self.layout.links.show(*around(opened))
        self.shown(reader.tab, opened)
        self.status.tell()

    def tab_turned(self, event: Reader.TabShown) -> None:
        """Show the tab that was chosen: a transcript or a page."""
        if self.opened is not None:
            self.shown(event.name, self.opened)
        is_talk = isinstance(self.lists.table.at_cursor, Conversation | Message)
        if event.name == READ and is_talk:
            self.transcript.show(is_shown=True)


# Links and mentions around the record.


_REFRESHES = 100
"""The most refreshes to wait for the links to be displayed."""


class Links(Part):
    """The links of the record, its mentions, and walks along them."""

    display: Display
    session: Session
    layout: Layout
    lists: Lists
    reader: RecordReader
    transcript: OpenTranscript
    _lacks_room: bool = False
    """Whether links are shown in a tab because there is no room beside the text."""

    async def take(self, event: Event) -> None:
        """Take what the graph and the mentions report."""
        match event:
            case Graph.Followed() | Sightings.Followed():
                await self.walk(event)
            case Graph.WentBack():
                await self.walk_back()
            case Graph.BeyondAsked():
                await self.grow(event)
            case Graph.MoreAsked():
                await self.more(event)
            case SightingSheet.Shown():
                self.seen_shown()
            case _:
                pass

    def seen_shown(self) -> None:
        """Fill the pane after it became visible."""
        opened = self.reader.opened
        if opened is not None and opened.seen is None:
            self.look_beside(opened)

    def look_beside(self, opened: Opened) -> None:
        """Find mentions if their pane is in view."""
        pane = self.layout.seen
        if pane.lines.sheet.is_in_view:
            pane.show(())
            self.look_around(opened)

    def show_graph(self) -> None:
        """Replace the text by the graph while its tab is open."""
        reader, graph = self.layout.reader, self.layout.links
        is_shown = reader.tab == graph.TAB
        if is_shown is (self.layout.graph is not None):
            return
        sheet = reader.text.sheet
        had_keys = self.display.focused in (sheet, graph.lines.sheet)
        self.display.body.set_class(is_shown, LINKED)
        sheet.can_focus = not is_shown
        if had_keys:
            self.display.call_after_refresh(self._read_on)

    def _read_on(self) -> None:
        """Focus the graph or the text, whichever is shown."""
        graph = self.layout.graph
        (graph.lines.sheet if graph else self.layout.reader.text.sheet).focus()

    def look_around(self, opened: Opened) -> None:
        """Find mentions and similar memories."""
        self.display.run_worker(
            partial(self._tell_seen, opened), group="seen", exclusive=True
        )

    async def _tell_seen(self, opened: Opened) -> None:
        """Show mentions and similar memories if the record is still open."""
        found = await self.session.count_worker.ask(
            lambda library: seen(library, opened)
        )
        if self.reader.add_to(opened, seen=found):
            self.layout.seen.show(found)

    def into_links(self) -> None:
        """Focus the links; without room for their pane, show them in a tab."""
        pane = self.layout.links
        if pane.lines.sheet.is_in_view:
            pane.lines.sheet.focus()
            return
        self._lacks_room = True
        self.transcript.show(is_shown=False)
        self.layout.reader.to_tab(pane.TAB)
        self.layout.zoom("zoom-side")
        self.show_graph()
        self.display.held.hold()
        self.display.call_after_refresh(self._turn_to_links)

    def follow_link(self) -> None:
        """Follow the link at the cursor, or move to the first one that is no tag.

        Without one, focus the links of the record.
        """
        reader, opened = self.layout.reader, self.reader.opened
        if reader.link is not None:
            reader.follow()
        elif not reader.first_link() and opened is not None and opened.links:
            self.into_links()
        elif reader.link is None:
            reader.next_link()

    def _turn_to_links(self) -> None:
        """Focus the links and send them the keys pressed meanwhile."""
        self.layout.links.lines.sheet.focus()
        self.display.call_later(self.display.release_keys)

    def _make_room(self) -> None:
        """Show list and text beside the links, which keep the focus."""
        if not _has_room(self.display.size):
            self._lacks_room = True
            return
        if not _has_room(self.display.base.size):
            # The screen takes a new size a moment later than the program.
            self.display.call_after_refresh(self._make_room)
            return
        reader = self.layout.reader
        reader.to_tab(READ)
        self.layout.zoom("")
        self.show_graph()
        self.display.call_after_refresh(self._focus_links, _REFRESHES)

    def _focus_links(self, refreshes: int) -> None:
        """Focus the links once they are displayed, for which styles have to follow."""
        links = self.layout.links.lines.sheet
        if all(node.display for node in links.ancestors_with_self) or not refreshes:
            links.focus()
        else:
            self.display.call_after_refresh(self._focus_links, refreshes - 1)

    def back(self) -> None:
        """Go back from the links to the previous record."""
        if self._is_on_graph:
            self.layout.links.back()

    def unfold(self) -> None:
        """Expand or collapse the links of the record at the cursor."""
        if self._is_on_graph:
            self.layout.links.toggle()

    @property
    def _is_on_graph(self) -> bool:
        return self.display.focused is self.layout.links.lines.sheet

    async def walk(self, event: Graph.Followed | Sightings.Followed) -> None:
        """Go to a linked record, keeping the focus, or to one that mentions this."""
        await self.lists.go(kind_of(event.ref), event.ref, "")
        if isinstance(event, Graph.Followed):
            self.layout.links.lines.sheet.focus()

    async def walk_back(self) -> None:
        """Go back; at the start of the trail, focus the list."""
        if self.lists.trail.behind:
            await self.lists.go_along(-1)
            self.layout.links.lines.sheet.focus()
        else:
            self.lists.focus()

    async def grow(self, event: Graph.BeyondAsked) -> None:
        """Show the links of a linked record."""
        found = await self.session.ask(lambda library: beyond(library, event.ref))
        self.layout.links.grow(event.ref, found)

    async def more(self, event: Graph.MoreAsked) -> None:
        """List all links of one type."""
        side = "to" if event.comes_in else "from"
        record = self.lists.table.at_cursor
        name = title(record) if record else ""
        await self.lists.go(
            "edges",
            None,
            written(All((Named("type", (event.kind,)), Named(side, (name,))))),
        )

    def resized(self, event: events.Resize) -> None:
        """Move links from their tab to a pane beside the text once there is room."""
        if self._lacks_room and _has_room(event.size):
            self._lacks_room = False
            if self.layout.graph is not None and self.layout.zoomed:
                self.display.call_after_refresh(self._make_room)


def _has_room(size: Size) -> bool:
    """Whether list, text and links fit beside each other."""
    return size.width >= WIDE and size.height >= HIGH
