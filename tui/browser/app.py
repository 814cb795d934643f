"""The browser's application, and how it is opened."""

import os
from collections.abc import Sequence
from functools import partial
from inspect import isawaitable

from textual import events, on
from textual.await_complete import AwaitComplete
from textual.filter import LineFilter
from textual.message import Message

from store.library import Library
from store.machine import Places
from store.settings import Settings
from tui.browser.display import Display
from tui.browser.filters import Toggled
from tui.browser.layout import (
    CSS,
    HEIGHTS,
    IN_ASCII,
    PRINTABLE,
    TEXTUAL_THEMES,
    WIDTHS,
    Outfit,
    ParsedOnce,
    Reporting,
)
from tui.browser.parts import Parts
from tui.browser.query_bar import QueryBar
from tui.browser.session import Kept, Session
from tui.commands.command import Command, Scope
from tui.commands.registry import NEEDED, REGISTRY, obey
from tui.driver.driver import driver_class
from tui.keys import TABLE as KEYS_TABLE
from tui.keys import Keyboard, Keys, Remapped, remap, wanted_in
from tui.terminal.programs import Clipboard
from tui.terminal.signals import leave_on_signals, let_go_of_lost_streams
from tui.terminal.streams import complain
from tui.themes import Chosen as ChosenLook
from tui.themes import Options, choose


class Browser(Keyboard, Reporting):
    """The application: shows what the parts compose, and hands them what happens."""

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
        self._colours = outfit.chosen or choose(os.environ, None, Options())
        super().__init__(
            outfit.keymap or REGISTRY.usual_keys,
            driver_class=outfit.driver_class,
            ansi_color=self._colours.has_own_colours or None,
        )
        for theme in TEXTUAL_THEMES.values():
            self.register_theme(theme)
        self.theme = self._colours.theme
        self.stylesheet = ParsedOnce(variables=self.get_css_variables())
        self.parts = Parts(
            Display(self),
            Session(library, kept or Kept(), reads=reads),
            self._colours,
            self.chords,
            outfit.complaints,
            Clipboard(self._write_out),
            partial(obey, self),
        )
        """The parts that the browser is composed of."""
        self.before_key = self.parts.welcome.heed
        self.held.hold()

    @property
    def place(self) -> str:
        """The scope of key presses."""
        parts = self.parts
        return Scope.WELCOME if parts.welcome.takes_keys else parts.focus.scope

    async def obey(self, command: str) -> None:
        """Run a command."""
        await self.parts.commands.run(command)

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Whether a key press was intended."""
        return self.parts.commands.is_meant(command, time, is_burst=is_burst)

    def meant_nothing(self, keys: Keys) -> None:
        """Report a key without a meaning."""
        self.parts.commands.meant_nothing(keys)

    def follow_prefix(self) -> None:
        """Show the hints, or the continuations of the prefix."""
        self.parts.bars.show_hints()

    async def release_keys(self) -> None:
        """Send the held keys, unless a list or an operation is waited for."""
        if not (self.parts.lists.is_waiting or self.parts.dialogs.is_busy):
            await super().release_keys()

    async def settled(self) -> None:
        """Wait until nothing is running, or a question waits for its answer."""
        await self.parts.settled()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Filters that remove control characters from every line drawn."""
        in_ascii = (IN_ASCII,) if self._colours.is_ascii else ()
        return [*super().get_line_filters(), PRINTABLE, *in_ascii]

    def on_load(self) -> None:
        """Handle signals from the very beginning."""
        leave_on_signals(self)

    async def on_ready(self) -> None:
        """Show what is in the index; the rest follows once that is visible."""
        with self.batch_update():
            await self.parts.layout.furnish(self.parts.router)
            await self.parts.live.show_rows()
        self.call_later(self.release_keys)  # once the list has the focus
        self.call_after_refresh(self.parts.rows_seen)

    async def on_unmount(self) -> None:
        """Save the state, and close what is open."""
        await self.parts.close()

    def on_resize(self, event: events.Resize) -> None:
        """Fit links and facets to the new size."""
        self.parts.links.resized(event)
        self.parts.facets.resized(event)
        self.call_after_refresh(self.parts.reader.resized)

    def pop_screen(self) -> AwaitComplete:
        """Close a popup and update the bars, because other keys are valid then."""
        self.call_later(self.parts.status.tell)
        return super().pop_screen()

    async def carry_out(self, command: Command, arguments: Sequence[object]) -> None:
        """Run a command: a method of a part, or of what a part holds."""
        done = self.parts.method(command.method)(*arguments)
        if command.asks:
            self.parts.plans.begin(done)
        elif isawaitable(done):
            await done

    def action_redraw(self) -> None:
        """Redraw the screen."""
        redraw = getattr(self._driver, "redraw", None)
        if redraw is not None:
            redraw()
        self.refresh(layout=True)

    def _write_out(self, text: str) -> None:
        """Write to the terminal, past the screen."""
        if self._driver is not None:
            self._driver.write(text)
            self._driver.flush()

    @on(QueryBar.Asked)
    @on(QueryBar.Left)
    @on(QueryBar.Missed)
    @on(QueryBar.Moved)
    @on(Toggled)
    def _query_changed(self, event: Message) -> None:
        """Pass on what the query bar and the filters report."""
        self.parts.queries.take(event)

    @on(events.DescendantFocus)
    def _focus_moved(self) -> None:
        """Update the hints for the newly focused pane; leave the welcome to type."""
        parts, scope = self.parts, self.parts.focus.scope
        if scope is Scope.QUERY:
            parts.welcome.leave()
        parts.facets.focus_moved()
        parts.status.tell()

    @on(events.DescendantBlur)
    def _pane_left(self) -> None:
        """Focus a visible pane if the focused one disappears."""
        self.call_after_refresh(self.parts.focus.keep)

    @on(events.TextSelected)
    def _selected(self) -> None:
        """Show the key that copies the text selected with the mouse."""
        key = self.parts.possible.key("copy-selected")
        if key and self.parts.transcript.side.selected_text():
            self.parts.status.say(f"{key} copy selection")


# Start of the browser with its keys, colours and driver.


def open_browser(
    library: Library, settings: Settings, places: Places, looks: Options, *, reads: bool
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
    browser.parts.live.is_alone = True
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
