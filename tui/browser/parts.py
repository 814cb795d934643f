"""The parts that the browser is composed of, and which part works with which.

A part knows only the parts that are composed before it. What it reports to later ones
is a function that it is given here.
"""

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from functools import cached_property, partial
from importlib import import_module
from operator import attrgetter
from typing import TYPE_CHECKING, Any, TypeVar

from textual.message import Message

from store.records.intents import Intent
from tui.browser.bars import VIEWS
from tui.browser.commands import Commands, Escape, Focus, Possible
from tui.browser.dialogs import Dialogs
from tui.browser.display import Display, Part
from tui.browser.layout import Layout
from tui.browser.lists import Lists
from tui.browser.live import Live, News
from tui.browser.plans import Plans
from tui.browser.query import Facets, Queries
from tui.browser.reader import Links, RecordReader
from tui.browser.record import BLAME, HISTORY, SEEN, VERSION, Opened
from tui.browser.rooms.room import (
    EdgeRoom,
    Given,
    HealthRoom,
    MemoryRoom,
    MessageRoom,
    Room,
)
from tui.browser.session import Journal, Session
from tui.browser.status import Bars, Status
from tui.browser.transcript import OpenTranscript, TalkCommands, TalkPane
from tui.browser.welcome import Welcome
from tui.browser.worker import Found
from tui.commands.command import Command, Situation
from tui.commands.registry import REGISTRY, Keyed
from tui.keys import Chords
from tui.terminal.programs import Clipboard
from tui.themes import Chosen
from widgets.bars import STAGE, STATE
from widgets.lines import Chosen as RowChosen
from widgets.lines import Highlighted, Marked, Report, Wanted
from widgets.reader import Reader
from widgets.table import Table
from widgets.transcript_cursor import EntriesWanted, Followed, WholeWanted

if TYPE_CHECKING:
    from tui.browser.agents import AgentView
    from tui.browser.changes import Changes, Fixes, Vault
    from tui.browser.edits import Edits
    from tui.browser.export import Export
    from tui.browser.history import History, Past
    from tui.browser.menus import Menus
    from tui.browser.relations import Relations
    from tui.browser.reports import Reports
    from tui.browser.review import Review
    from tui.browser.undo import Undo


Made = TypeVar("Made", bound=Part)

Perform = Callable[[Command, Situation], Awaitable[str | None]]


_LATER = {
    "changes": "tui.browser.changes.Changes",
    "edits": "tui.browser.edits.Edits",
    "export": "tui.browser.export.Export",
    "fixes": "tui.browser.changes.Fixes",
    "agents": "tui.browser.agents.AgentView",
    "history": "tui.browser.history.History",
    "past": "tui.browser.history.Past",
    "relations": "tui.browser.relations.Relations",
    "reports": "tui.browser.reports.Reports",
    "review": "tui.browser.review.Review",
    "undo": "tui.browser.undo.Undo",
    "vault": "tui.browser.changes.Vault",
    "menus": "tui.browser.menus.Menus",
}
"""The parts that are loaded when they are first used."""


class Parts:
    """All parts: those that each start needs, and those that are loaded when used."""

    changes: "Changes"
    """Pin, archive, delete, rename, tag, edit fields, set the status."""
    edits: "Edits"
    """New records, editing as text, backups and drafts."""
    export: "Export"
    """Copies to the clipboard and exports to files."""
    fixes: "Fixes"
    """Fixes for problems, ignored problems, derived files."""
    agents: "AgentView"
    """What agents read at their start, and what they would recall."""
    history: "History"
    """Ways from a record to its versions, its writer and related records."""
    past: "Past"
    """The stores as of a date."""
    relations: "Relations"
    """Links, merges, moves and copies; duplicates."""
    reports: "Reports"
    """Reports: their list, parameters and tables."""
    review: "Review"
    """A review: memories shown one by one."""
    undo: "Undo"
    """Undo, redo, the change log, and write access."""
    vault: "Vault"
    """Conversations saved before they are deleted."""
    menus: "Menus"
    """What is chosen from a list: commands, stores, orders, queries, themes."""

    def __init__(
        self,
        display: Display,
        session: Session,
        colours: Chosen,
        chords: Chords,
        complaints: tuple[str, ...],
        clipboard: Clipboard,
        perform: Perform,
    ) -> None:
        """`perform` runs a command in the focused pane or in a part."""
        self.display, self.session = display, session
        self.clipboard, self.chords = clipboard, chords
        self.keyed = Keyed(REGISTRY, chords.keymap, colours.is_ascii)
        self.layout = Layout(display, colours)
        self.status = Status(display, self._later("bars.tell"))
        self.journal = Journal(session)
        self.look_back = self._later("past.choose_day")
        self.welcome = self._made(Welcome, complaints=complaints)
        self.lists = self._made(Lists, room_of=self._room, shown=self._listed)
        talk = self._made(TalkPane, text=self.layout.transcript)
        talking = self._made(TalkCommands, pane=talk)
        self.transcript = self._made(OpenTranscript, talk=talk, commands=talking)
        self.reader = self._made(RecordReader, shown=self._tab_shown)
        self.links = self._made(Links)
        self.facets = self._made(Facets)
        self.dialogs = self._made(Dialogs, has_decided=self._later("undo.has_decided"))
        self.live = self._made(
            Live, note_unwritable=self._later("past.note_unwritable")
        )
        self.plans = self._made(
            Plans,
            look_again=self.live.look_again,
            reviewed=self._reviewed,
            allow_changes=self._later("undo.allow_changes"),
        )
        self.queries = self._made(Queries)
        self.news = self._made(News)
        self.focus = self._made(Focus)
        self.possible = self._made(Possible)
        self.commands = self._made(Commands, perform=perform)
        self.bars = self._made(Bars)
        self.router = self._made(
            Router, show_version=self._later("history.show_version")
        )

    def _made(self, kind: type[Made], **own: object) -> Made:
        """A part, given the parts that its fields name, and what is its own."""
        asked = kind.__struct_fields__[: -len(kind.__struct_defaults__) or None]
        shared = {name: getattr(self, name) for name in asked if name not in own}
        return kind(**shared, **own)

    def _later(self, path: str) -> Callable[..., Any]:
        """A method of a part that is not composed yet."""
        return lambda *given: self.method(path)(*given)  # noqa: PLW0108  # found when called

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Part:
            """Load and compose a part that is used for the first time."""
            if name not in _LATER:
                raise AttributeError(name)
            module, _, kind = _LATER[name].rpartition(".")
            part = self._made(getattr(import_module(module), kind))
            setattr(self, name, part)
            return part

    @cached_property
    def escape(self) -> Escape:
        """Closes or clears the nearest thing."""
        return self._made(
            Escape,
            end_review=lambda: self.plans.begin(self.review.end()),
            back_to_now=self._later("past.back_to_now"),
            show_all_stores=self._later("menus.show_all_stores"),
        )

    def method(self, path: str) -> Callable[..., Any]:
        """The method that a command is: of a part, or of what a part holds."""
        return attrgetter(path)(self)

    async def settled(self) -> None:
        """Wait until nothing is running, or a question waits for its answer."""
        for _ in range(2):
            await self.lists.settled()
            await self.reader.settled()
            await self.dialogs.settled()

    async def rows_seen(self) -> None:
        """Start what can wait until the first rows are visible."""
        await self.live.rows_seen()
        recall = partial(self.plans.recall, self.possible.key("drafts"))
        self.display.run_worker(recall, group="changes")

    async def close(self) -> None:
        """Save the state, and close what is open, also if a part of it fails.

        A thread that went on after the end would write its failure to the terminal.
        """
        async with AsyncExitStack() as rest:
            rest.push_async_callback(self.session.close)
            rest.push_async_callback(self.reader.close)
            rest.push_async_callback(self.live.leave)
            rest.push_async_callback(self.dialogs.close)
            if "menus" in vars(self):
                rest.callback(self.menus.hang_up)
            if "past" in vars(self):
                rest.callback(self.past.close)

    # What parts report to those that are composed after them.

    def _room(self, kind: str) -> Room:
        """The room of a kind; or a plain list."""
        given = Given(self.display, self.session, self.layout, self.status, self.lists)
        plain = {
            "memories": MemoryRoom,
            "edges": EdgeRoom,
            "messages": MessageRoom,
            "problems": HealthRoom,
        }
        match kind:
            case "episodes":
                from tui.browser.rooms.episodes import EpisodeRoom

                return EpisodeRoom(kind, given)
            case "conversations":
                from tui.browser.rooms.timeline import TimelineRoom

                return TimelineRoom(kind, given)
            case "measures" | "events" | "agents":
                from tui.browser.rooms.journals import JournalRoom

                return JournalRoom(kind, given, self.clipboard)
            case _:
                return plain.get(kind, Room)(kind, given)

    def _listed(self, found: Found) -> None:
        """Open the record at the cursor, and count the result, if it is still shown."""
        if self.lists.listing.found is found:
            opening = self.reader.open()
            counting = self.facets.result_shown(found)
            self.display.frame.wait_for(opening, *counting)
            self.news.result_shown(found)

    def _tab_shown(self, tab: str, opened: Opened) -> None:
        """Load what a tab shows of a record, and its mentions if they are in view."""
        self.links.look_beside(opened)
        if tab == SEEN and opened.seen is None:
            self.links.look_around(opened)
        if tab in {HISTORY, BLAME}:
            self.history.load(opened)

    async def _reviewed(self, intent: Intent) -> None:
        if self.session.review:
            await self.review.changed_by(intent)


_FILTERED = {"memories": STAGE, "conversations": "status"}
"""The field that a click on a count in the status bar filters by."""


class Router(Part):
    """Hands what panes report to the part that it is for.

    That happens where keys are handled: by the application, one after another.
    """

    display: Display
    layout: Layout
    lists: Lists
    transcript: OpenTranscript
    reader: RecordReader
    links: Links
    queries: Queries
    commands: Commands
    show_version: Callable[[int], None]

    def from_list(self, event: Message) -> None:
        """Take what a list reports."""
        self.display.call_later(self._of_list, event)

    def from_side(self, event: Message) -> None:
        """Take what a pane beside the list reports."""
        self.display.call_later(self._of_side, event)

    def from_tab(self, name: str) -> None:
        """Show the view of a clicked tab; on the state, allow or forbid edits."""
        kinds = {view.key: view.kind for view in VIEWS}
        if name == STATE:
            self.display.call_later(self.commands.run, "allow-changes")
        elif name in kinds:
            self.display.call_later(self.lists.view, kinds[name])

    def from_hint(self, name: str) -> None:
        """Run the command of a clicked hint; filter by a clicked stage."""
        field, _, stage = name.partition(":")
        if field == STAGE and self.lists.kind in _FILTERED:
            asked = _FILTERED[self.lists.kind]
            self.display.call_later(self.queries.filter_by, asked, stage)
        elif command := self.commands.hinted(name):
            self.display.call_later(self.commands.run, command)

    def _of_list(self, event: Message) -> None:
        match event:
            case Room.Asked():
                self.lists.ask_for(event.text)
            case Table.SortAsked():
                self.queries.sort_asked(event)
            case Report() if event.sheet is not self.lists.table.sheet:
                pass  # the other lists are not on the screen
            case Highlighted():
                self.reader.highlighted()
            case Wanted():
                self.lists.wanted(event)
            case Marked():
                self.lists.marked()
            case RowChosen():
                self.layout.zoom("zoom-side")
                self.transcript.read_in.focus()
            case _:
                pass

    async def _of_side(self, event: Message) -> None:
        match event:
            case Reader.TabShown():
                self.links.show_graph()
                self.reader.tab_turned(event)
            case Reader.Followed() if event.target.kind == VERSION:
                self.show_version(int(event.target.text))
            case Reader.Followed():
                await self.reader.follow(event)
            case EntriesWanted() | WholeWanted() | Followed():
                await self.transcript.take(event)
            case _:
                await self.links.take(event)
