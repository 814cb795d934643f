"""The browser: the application that is composed of the parts around it."""

import os
from collections.abc import Callable, Sequence
from functools import cached_property
from inspect import isawaitable
from operator import attrgetter
from typing import TYPE_CHECKING, Any

from textual import events, on
from textual.await_complete import AwaitComplete
from textual.filter import LineFilter
from textual.message import Message

from store.library import Library
from store.machine import Places
from store.settings import Settings
from tui.browser.commands import Commands, Escape
from tui.browser.dialogs import Dialogs
from tui.browser.facets import Facets
from tui.browser.filters import Toggled
from tui.browser.layout import (
    CSS,
    HEIGHTS,
    IN_ASCII,
    PRINTABLE,
    TEXTUAL_THEMES,
    WIDTHS,
    Layout,
    Outfit,
    ParsedOnce,
    Reporting,
)
from tui.browser.links import Links
from tui.browser.lists import Lists
from tui.browser.live import Live, News
from tui.browser.plans import Plans
from tui.browser.query import Queries
from tui.browser.query_bar import QueryBar
from tui.browser.reader import RecordReader
from tui.browser.session import Session
from tui.browser.state import Kept
from tui.browser.status import Status
from tui.browser.transcript import OpenTranscript
from tui.browser.welcome import Welcome
from tui.commands.command import Command, Scope
from tui.commands.registry import NEEDED, REGISTRY
from tui.driver.driver import driver_class
from tui.keys import TABLE as KEYS_TABLE
from tui.keys import Keyboard, Keys, Remapped, remap, wanted_in
from tui.terminal.signals import leave_on_signals, let_go_of_lost_streams
from tui.terminal.streams import complain
from tui.themes import Chosen as ChosenLook
from tui.themes import Options, choose

if TYPE_CHECKING:
    from tui.browser.changes import Changes
    from tui.browser.edits import Edits
    from tui.browser.export import Export
    from tui.browser.fixes import Fixes
    from tui.browser.history import History, Past
    from tui.browser.relations import Relations
    from tui.browser.review import Review
    from tui.browser.undo import Undo
    from tui.browser.vault import Vault


class Parts:
    """The parts that are not needed before a command or another part uses them.

    Each is loaded here, and nowhere else, when it is first used; its module imports at
    its top what it needs.
    """

    def __init__(self, browser: "Browser") -> None:
        self._browser = browser

    @cached_property
    def changes(self) -> "Changes":
        """Pin, archive, delete, rename, tag, edit fields, set the status."""
        from tui.browser.changes import Changes

        on = self._browser
        return Changes(on.session, on.dialogs, on.plans, self.vault)

    @cached_property
    def edits(self) -> "Edits":
        """New records, editing as text, backups and drafts."""
        from tui.browser.edits import Edits

        on = self._browser
        return Edits(on.session, on.status, on.lists, on.dialogs, on.plans)

    @cached_property
    def export(self) -> "Export":
        """Copies to the clipboard and exports to files."""
        from tui.browser.export import Export

        return Export(self._browser)

    @cached_property
    def fixes(self) -> "Fixes":
        """Fixes for problems, ignored problems, derived files."""
        from tui.browser.fixes import Fixes

        on = self._browser
        return Fixes(on.session, on.status, on.lists, on.dialogs, on.plans, self.undo)

    @cached_property
    def history(self) -> "History":
        """Ways from a record to its versions, its writer and related records."""
        from tui.browser.history import History

        return History(self._browser)

    @cached_property
    def past(self) -> "Past":
        """The stores as they were."""
        from tui.browser.history import Past

        return Past(self._browser)

    @cached_property
    def relations(self) -> "Relations":
        """Links, merges, moves and copies; duplicates."""
        from tui.browser.relations import Relations

        on = self._browser
        return Relations(on.session, on.status, on.dialogs, on.plans)

    @cached_property
    def review(self) -> "Review":
        """A review: memories shown one by one."""
        from tui.browser.review import Review

        on = self._browser
        return Review(on.session, on.layout, on.status, on.lists, on.dialogs)

    @cached_property
    def undo(self) -> "Undo":
        """Undo, redo, the change log, and write access."""
        from tui.browser.undo import Undo

        on = self._browser
        return Undo(on.session, on.status, on.dialogs, on.plans, self.vault)

    @cached_property
    def vault(self) -> "Vault":
        """Conversations saved before they are deleted."""
        from tui.browser.vault import Vault

        on = self._browser
        return Vault(on.session, on.status, on.dialogs, on.plans)

    def method(self, path: str) -> Callable[..., Any]:
        """The method that a command is: of a part, or of what a part holds."""
        name, _, rest = path.partition(".")
        part = getattr(self, name, None) or getattr(self._browser, name)
        return attrgetter(rest)(part)

    def close(self) -> None:
        """Close what a loaded part has opened."""
        if "past" in vars(self):
            self.past.close()


class Browser(Keyboard, Reporting):
    """Composes the parts, and routes what happens on the screen to them."""

    CSS = CSS
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = None

    def __init__(
        self,
        library: Library,
        *,
        reads: bool = True,
        kept: Kept | None = None,
        outfit: Outfit | None = None,
    ) -> None:
        """`reads` is whether to sync the stores, or only show the index."""
        outfit = outfit or Outfit()
        colours = outfit.chosen or choose(os.environ, None, Options())
        super().__init__(
            outfit.keymap or REGISTRY.usual_keys,
            driver_class=outfit.driver_class,
            ansi_color=colours.has_own_colours or None,
        )
        for theme in TEXTUAL_THEMES.values():
            self.register_theme(theme)
        self.theme = colours.theme
        self.stylesheet = ParsedOnce(variables=self.get_css_variables())
        self.complaints = outfit.complaints
        """Errors in the settings."""
        self.session = Session(library, kept or Kept(), reads=reads)
        self.layout = Layout(self, colours)
        self.commands = Commands(self)
        self.escape = Escape(self)
        self.status = Status(self)
        self.lists = Lists(self)
        self.reader = RecordReader(self)
        self.links = Links(self)
        self.facets = Facets(self)
        self.live = Live(self)
        self.queries = Queries(self)
        self.dialogs = Dialogs(self)
        self.plans = Plans(self)
        self.transcript = OpenTranscript(
            self.session, self.layout, self.lists, self.links, self
        )
        self.news = News(self)
        self.welcome = Welcome(self)
        self.before_key = self.welcome.heed
        self.parts = Parts(self)
        """The parts that are loaded when they are first needed."""
        self.held.hold()

    @property
    def place(self) -> str:
        """The scope of key presses."""
        return Scope.WELCOME if self.welcome.takes_keys else self.commands.scope

    async def obey(self, command: str) -> None:
        """Run a command."""
        await self.commands.run(command)

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether a key press was intended."""
        return self.commands.is_meant(command, time, is_burst=is_burst)

    def meant_nothing(self, keys: Keys) -> None:
        """Report a key without a meaning."""
        self.commands.meant_nothing(keys)

    def follow_prefix(self) -> None:
        """Show the hints, or the continuations of the prefix."""
        self.status.show_hints()

    async def release_keys(self) -> None:
        """Send the held keys, unless a list or an operation is waited for."""
        if not (self.lists.is_waiting or self.dialogs.is_busy):
            await super().release_keys()

    async def settled(self) -> None:
        """Wait until nothing is running, or a question waits for its answer."""
        for _ in range(2):
            await self.lists.settled()
            await self.reader.settled()
            await self.dialogs.settled()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Filters that remove control characters from every line drawn."""
        in_ascii = (IN_ASCII,) if self.layout.colours.is_ascii else ()
        return [*super().get_line_filters(), PRINTABLE, *in_ascii]

    def on_load(self) -> None:
        """Handle signals from the very beginning."""
        leave_on_signals(self)

    async def on_ready(self) -> None:
        """Show what is in the index; the rest follows once that is visible."""
        with self.batch_update():
            await self.live.show_rows()
        await self.release_keys()
        self.call_after_refresh(self.live.rows_seen)

    async def on_unmount(self) -> None:
        """Save the state, and close what is open."""
        self.parts.close()
        await self.dialogs.close()
        await self.live.leave()

    def on_resize(self, event: events.Resize) -> None:
        """Fit links and facets to the new size."""
        self.links.resized(event)
        self.facets.resized(event)

    def pop_screen(self) -> AwaitComplete:
        """Close a popup and update the bars, because other keys are valid then."""
        self.call_later(self.status.tell)
        return super().pop_screen()

    async def carry_out(self, command: Command, arguments: Sequence[object]) -> None:
        """Run a command: a method of a part, or of what a part holds."""
        done = self.parts.method(command.method)(*arguments)
        if command.asks:
            self.plans.begin(done)
        elif isawaitable(done):
            await done

    def write_out(self, text: str) -> None:
        """Write to the terminal, past the screen."""
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()

    def action_redraw(self) -> None:
        """Redraw the screen."""
        redraw = getattr(self._driver, "redraw", None)
        if redraw is not None:
            redraw()
        self.refresh(layout=True)

    @on(QueryBar.Asked)
    @on(QueryBar.Left)
    @on(QueryBar.Missed)
    @on(QueryBar.Moved)
    @on(Toggled)
    def _query_changed(self, event: Message) -> None:
        """Pass on what the query bar reports, and a query that a facet has changed."""
        match event:
            case Toggled():
                self.queries.ask_for(event.text)
            case QueryBar.Asked():
                self.queries.asked(event)
            case QueryBar.Left():
                self.queries.left(event)
            case QueryBar.Missed():
                self.queries.missed(event)
            case QueryBar.Moved():
                self.queries.moved(event)
            case _:
                pass

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        """Update the hints for the newly focused pane; leave the welcome to type."""
        scope = self.commands.scope
        if scope is Scope.QUERY:
            self.welcome.leave()
        self.facets.focus_moved(is_here=scope is Scope.FACETS)
        self.status.tell()

    @on(events.DescendantBlur)
    def _pane_left(self) -> None:
        """Focus a visible pane if the focused one disappears."""
        self.call_after_refresh(self.layout.keep_focus)

    @on(events.TextSelected)
    def _selected(self) -> None:
        """Show the key that copies the text selected with the mouse."""
        told = self.commands.keyed.keys(
            self.commands.scope, REGISTRY.command("copy-selected")
        )
        if told and self.transcript.side.selected_text():
            self.status.message = f"{told[0]} copy selection"
            self.status.tell()


# Start of the browser with its keys, colours and driver.


def open_browser(
    library: Library,
    settings: Settings,
    places: Places,
    looks: Options,
    *,
    reads: bool,
) -> Browser:
    """Open the browser and return it when the user has closed it."""
    kept = Kept(settings, places)
    remapped = remap(REGISTRY.usual_keys, wanted_in(settings), NEEDED)
    remembered = kept.last(library.stores.chosen).theme or settings.theme
    chosen = choose(os.environ, remembered, looks)
    complaints = _complaints(settings, remapped, chosen)
    for complaint in complaints:
        complain(complaint)
    library.stores.keep_little()
    browser = Browser(
        library,
        reads=reads,
        kept=kept,
        outfit=Outfit(
            remapped.keymap,
            chosen,
            driver_class(frugal=looks.is_frugal),
            tuple(one.removeprefix(f"{settings.path.parent}/") for one in complaints),
        ),
    )
    browser.live.is_alone = True
    browser.run()
    let_go_of_lost_streams()
    return browser


def _complaints(
    settings: Settings, remapped: Remapped, chosen: ChosenLook
) -> Sequence[str]:
    """Complaints about the settings: syntax, keys and colours."""
    refused = (
        settings.complaint((KEYS_TABLE, problem.command), problem.sentence)
        for problem in remapped.problems
    )
    colours = [chosen.complaint] if chosen.complaint else []
    return [*settings.complaints, *refused, *colours]
