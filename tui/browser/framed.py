"""The app without anything to look at: its panes and bars, its colours and its keys."""

import os
from collections.abc import Sequence
from typing import Any

from msgspec import Struct
from textual.await_complete import AwaitComplete
from textual.containers import Container
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen
from textual.widgets import ContentSwitcher

from tui.browser.asking.query_bar import QueryBar
from tui.browser.asking.query_input import QueryInput
from tui.browser.first.strip import FirstStrip
from tui.browser.frame import CSS, DENSE, HEIGHTS, SPLITS, WIDTHS
from tui.browser.panes import LinksPane, ReadingPane, SeenPane
from tui.browser.strip import PrefixStrip
from tui.browser.telling import keys_told
from tui.commands.command import Group
from tui.commands.following import following
from tui.commands.hints import hints
from tui.commands.keyed import Keyed
from tui.commands.obeying import obey
from tui.commands.registry import REGISTRY
from tui.commands.scopes import Scope
from tui.commands.situation import Situation
from tui.driver.in_ascii import InAscii
from tui.driver.printable import Printable
from tui.keys.keyboard import Keyboard
from tui.keys.keymap import Keymap
from tui.keys.names import Keys, shown
from tui.manners.crash import Reporting
from tui.manners.leaving import leave_on_signals
from tui.themes.choice import Chosen, Options, choose
from tui.themes.stylesheet import ParsedOnce
from tui.themes.themes import TEXTUAL_THEMES, palette_of
from widgets.bars.bar import Bar
from widgets.bars.items import Items
from widgets.lines.sheet import Sheet
from widgets.styles.palette import Palette

_PRINTABLE = Printable()
_IN_ASCII = InAscii()

_CONFIRMS = "choose"
_GIVES_UP = "escape"
_TOO_FAST = "Too fast to be meant: nothing was done. Press it again."

_PAINTED = (Sheet, Bar, QueryBar, PrefixStrip, FirstStrip)
_PAINTED_BY_NAME = ", ".join(kind.__name__ for kind in _PAINTED)
"""What draws with the palette of the theme."""

SCOPES = {
    "reader": Scope.READER,
    "transcript": Scope.TRANSCRIPT,
    "links": Scope.LINKS,
    "seen": Scope.LINKS,
    "facets": Scope.FACETS,
}
"""The scope of each pane that is no list, by its id."""


class Outfit(Struct, frozen=True):
    """How the browser is equipped; what is left out is as it usually is."""

    keymap: Keymap | None = None
    """Which keys mean what."""
    chosen: Chosen | None = None
    """Colours and glyphs."""
    driver_class: type[Driver] | None = None
    """What draws."""
    complaints: tuple[str, ...] = ()
    """What is wrong with the settings."""


class Framed(Keyboard, Reporting):
    """Panes and bars; who inherits fills them."""

    CSS = CSS
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    AUTO_FOCUS = None

    def __init__(self, outfit: Outfit | None = None) -> None:
        outfit = outfit or Outfit()
        self.chosen = outfit.chosen or choose(os.environ, None, Options())
        self.complaints = outfit.complaints
        """What is wrong with the settings."""
        super().__init__(
            outfit.keymap or REGISTRY.usual_keys,
            driver_class=outfit.driver_class,
            ansi_color=self.chosen.has_own_colours or None,
        )
        for theme in TEXTUAL_THEMES.values():
            self.register_theme(theme)
        self.theme = self.chosen.theme
        self.stylesheet = ParsedOnce(variables=self.get_css_variables())
        self.message = ""
        """What happened last, for the status line."""
        self.is_wrong = False
        """Whether that is something which went wrong."""
        self.zoomed = ""
        """The pane that has the whole screen, if one has."""
        self.split = 0
        """How list and reader share the screen: the more, the larger the list."""

    @property
    def palette(self) -> Palette:
        """What widgets draw with."""
        return palette_of(self.theme, is_ascii=self.chosen.is_ascii)

    @property
    def keyed(self) -> Keyed:
        """The commands with their keys of today."""
        return Keyed(REGISTRY, self.chords.keymap, self.chosen.is_ascii)

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Whatever draws a line, nothing in it acts on the terminal."""
        in_ascii = (_IN_ASCII,) if self.chosen.is_ascii else ()
        return [*super().get_line_filters(), _PRINTABLE, *in_ascii]

    async def furnish(self) -> None:
        """Tabs, query, list beside reader and links, status, hints.

        They come when there is something to show: a screen that is laid out and drawn
        without any of it costs every start as much as the one with rows.
        """
        around = Container(LinksPane(id="links"), SeenPane(id="seen"), id="around")
        side = Container(ReadingPane(id="reader"), around, id="side")
        await self.mount(
            Bar(id="small"),
            Bar(id="tabs"),
            QueryBar(id="query"),
            Container(ContentSwitcher(id="lists"), side, id="body"),
            FirstStrip(id="first"),
            Bar(id="status"),
            PrefixStrip(id="strip"),
            Bar(id="hints"),
        )
        self.paint()

    def on_load(self) -> None:
        """Leave as one should, whatever asks for it, from the very beginning."""
        leave_on_signals(self)
        self.report_stray_errors()

    def paint(self) -> None:
        """Let everything be drawn with the palette of the theme."""
        palette = self.palette
        for pane in self.base.query(_PAINTED_BY_NAME).results():
            if isinstance(pane, _PAINTED):
                pane.palette = palette

    def divide(self, split: int) -> None:
        """Move the border between list and reader, as far as it goes."""
        usual = len(SPLITS) // 2
        self.split = max(-usual, min(split, usual))
        body = self.base.query_one("#body", Container)
        body.remove_class(*filter(None, SPLITS))
        if self.split:
            body.add_class(SPLITS[usual + self.split])

    def zoom(self, pane: str) -> None:
        """Give a pane the whole screen, by its class; nothing takes it back."""
        body = self.base.query_one("#body", Container)
        body.remove_class("zoom-lists", "zoom-side")
        self.zoomed = pane
        self.zoom_text(is_zoomed=pane == "zoom-side")
        if pane:
            body.add_class(pane)

    def zoom_text(self, *, is_zoomed: bool) -> None:
        """Show more of what is read, or less."""
        self.base.query_one(ReadingPane).zoom(is_zoomed=is_zoomed)

    @property
    def base(self) -> Screen[Any]:
        """The screen with the panes, whatever lies over it."""
        return self.screen_stack[0]

    @property
    def situation(self) -> Situation:
        """How things stand."""
        return Situation()

    @property
    def place(self) -> str:
        """The scope that keys are pressed in."""
        return self.scope

    @property
    def scope(self) -> Scope:
        """The scope of the pane that has the focus."""
        over = getattr(self.screen, "holding", None)
        if isinstance(over, Scope):
            return over
        focused = self.base.focused
        if isinstance(focused, QueryInput):
            return Scope.QUERY
        return SCOPES.get(focused.id or "", Scope.LIST) if focused else Scope.APP

    async def obey(self, command: str) -> None:
        """Carry a command out; where it is not possible, the status line says why."""
        self.message, self.is_wrong = "", False
        why_not = await obey(self, REGISTRY.command(command), self.situation)
        if why_not:
            self.refuse(why_not)
        self.tell()

    def refuse(self, why_not: str) -> None:
        """Say why something is not possible."""
        self.message = why_not

    def is_meant(self, command: str, time: float, *, is_burst: bool) -> bool:
        """Nothing is confirmed or changed by keys that came too fast to be meant.

        Neither by one that was pressed before one could see what it answers.
        """
        is_early = time < getattr(self.screen, "shown_at", 0.0)
        is_grave = REGISTRY.command(command).group is Group.CHANGING
        if (is_burst or is_early) and (is_grave or command == _CONFIRMS):
            self.message, self.is_wrong = _TOO_FAST, True
            self.tell()
            return False
        return True

    def meant_nothing(self, keys: Keys) -> None:
        """Say so where nothing is typed, and where one finds what has a meaning."""
        if self.is_typing or keys[-1] == _GIVES_UP:
            return
        looks = self.keyed.look(keys)
        self.message, self.is_wrong = f"{looks} does nothing here.", False
        told = self.keyed.keys(self.scope, REGISTRY.command("keys"))
        if told and self.screen is self.base:
            self.message += f" {told[0]} tells every key."
        self.tell()

    def pop_screen(self) -> AwaitComplete:
        """Whatever closes what is open, a click too: other keys hold from then on."""
        self.call_later(self.tell)
        return super().pop_screen()

    def tell(self) -> None:
        """Bring the bars up to date."""
        self.follow_prefix()

    def follow_prefix(self) -> None:
        """Show the keys that help, or what may follow the one that was pressed."""
        prefix = self.chords.prefix
        told = following(self.keyed, self.scope, self.situation, prefix)
        looks = shown(prefix, in_ascii=self.chosen.is_ascii) if prefix else ""
        self.base.query_one(PrefixStrip).show(looks, told if prefix else ())
        self.base.query("#status, #hints").set_class(bool(prefix), "away")
        self.base.query_one("#hints", Bar).items = self.hints_told(self.size.width)

    def hints_told(self, width: int) -> Items:
        """The keys that help, as far as there is room."""
        return keys_told(hints(self.keyed, self.scope, self.situation, max(width, 0)))

    @property
    def is_dense(self) -> bool:
        """Whether one bar tells what status and hints do."""
        return self.size.height < DENSE
