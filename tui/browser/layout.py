"""The layout of panes and bars by terminal size; themes."""

import asyncio
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace
from rich.cells import cell_len
from rich.console import RenderableType
from textual.app import App
from textual.containers import Container
from textual.css.stylesheet import Stylesheet
from textual.driver import Driver
from textual.scrollbar import ScrollBar
from textual.theme import BUILTIN_THEMES, Theme

from store.clean import clean
from store.errors import RecollectError
from tui.browser.display import Body, Display, Part
from tui.browser.panes import FirstStrip, HintBar, Reports, Rooms, Side, TabBar
from tui.browser.query_bar import QueryBar
from tui.commands.command import Scope
from tui.commands.registry import Following
from tui.driver.driver import InAscii
from tui.driver.screen import Printable
from tui.keys import Keymap
from tui.terminal.streams import report_unexpected
from tui.themes import ANSI, CONTRAST, DARK, LIGHT, NONE, Chosen
from widgets.bars import Bar, Picture
from widgets.graph import Graph, Sightings, SightingSheet
from widgets.reader import Reader
from widgets.sheet import (
    Piece,
    Pieces,
    Sheet,
    TextSheet,
    ThinScrollBar,
    text_of,
    width_of,
)
from widgets.styles import HUES, PALETTES, Palette
from widgets.table import fit
from widgets.transcript import Transcript

# Themes: colours of Textual's own parts that match the palettes of our widgets.
#
# The colours are the hues of these palettes. Styles can use each by name (`$hue-gold`);
# widgets that draw with a palette do not need them.

_DEFAULT = "ansi_default"

_TRACKS = (
    "scrollbar-background",
    "scrollbar-background-hover",
    "scrollbar-background-active",
    "scrollbar-corner-color",
)
"""What lies behind a scroll bar: nothing that differs from the text beside it."""

_PARTS = BUILTIN_THEMES["ansi-dark"].variables
"""What else Textual colours if the terminal's own colours are used."""

_PARTS_BY_STYLE = {
    **dict.fromkeys((*_PARTS, "border", "scrollbar", "scrollbar-background"), _DEFAULT),
    "block-cursor-text-style": "reverse",
    "block-cursor-blurred-text-style": "bold",
    "input-cursor-text-style": "reverse",
}
"""The same without any colours: the cursor is shown by text style."""


def _coloured(name: str, column: int, foreground: str, background: str) -> Theme:
    """A theme with the colours from one column of the hues."""
    hue = {name: hues[column] for name, hues in HUES.items()}
    return Theme(
        name=name,
        primary=hue["blue"],
        secondary=hue["slate"],
        accent=hue["gold"],
        warning=hue["orange"],
        error=hue["red"],
        success=hue["green"],
        foreground=foreground,
        background=background,
        surface=background,
        panel=hue["well"],
        dark=name != LIGHT,
        variables={f"hue-{name}": colour for name, colour in hue.items()}
        | {
            "scrollbar": hue["cold"],
            "scrollbar-hover": hue["slate"],
            "scrollbar-active": hue["grey"],
        }
        | dict.fromkeys(_TRACKS, background),
    )


def _with_own_colours(
    name: str, colours: Mapping[str, str], parts: Mapping[str, str]
) -> Theme:
    """A theme with the terminal's own colours."""
    return Theme(
        name=name,
        **dict.fromkeys(("primary", "secondary", "accent"), colours["accent"]),
        warning=colours["warning"],
        error=colours["error"],
        success=colours["success"],
        **dict.fromkeys(("foreground", "background"), _DEFAULT),
        **dict.fromkeys(("surface", "panel", "boost"), _DEFAULT),
        ansi=True,
        variables=dict(parts)
        | {f"hue-{name}": colours.get(name, _DEFAULT) for name in HUES},
    )


_SIXTEEN = {
    "accent": "ansi_cyan",
    "warning": "ansi_yellow",
    "error": "ansi_red",
    "success": "ansi_green",
    "gold": "ansi_bright_yellow",
    "green": "ansi_green",
    "amber": "ansi_yellow",
    "blue": "ansi_blue",
    "sky": "ansi_cyan",
    "red": "ansi_red",
    "orange": "ansi_yellow",
}
_WITHOUT: dict[str, str] = dict.fromkeys(
    ("accent", "warning", "error", "success"), _DEFAULT
)

TEXTUAL_THEMES = {
    theme.name: theme
    for theme in (
        _coloured(DARK, 0, "#d7dde6", "#12171f"),
        _coloured(LIGHT, 1, "#1c2430", "#fbfcfd"),
        _coloured(CONTRAST, 2, "#ffffff", "#000000"),
        _with_own_colours(ANSI, _SIXTEEN, _PARTS),
        _with_own_colours(NONE, _WITHOUT, _PARTS_BY_STYLE),
    )
}
"""The Textual themes, by name."""


def palette_of(theme: str, *, is_ascii: bool) -> Palette:
    """The palette of a theme, for widgets."""
    palette = PALETTES[theme]
    return palette.in_ascii() if is_ascii else palette


# The stylesheet, parsed once: Textual would parse it again when the app starts.


class ParsedOnce(Stylesheet):
    """A stylesheet that is parsed again only if its colours change."""

    _is_other = False

    def set_variables(self, variables: dict[str, str]) -> None:
        """Use these colours from now on."""
        if variables != self._variables:
            super().set_variables(variables)
            self._is_other = True

    def reparse(self) -> None:
        """Parse the stylesheet again if its colours have changed."""
        if self._is_other:
            super().reparse()
            self._is_other = False


# Unexpected errors in the browser: a sentence and a crash report, but no traceback.
#
# Textual prints tracebacks with the values of all variables, which may contain text of
# memories. There is no public way to change that; of the private methods `_fatal_error`
# is the narrowest, because it does nothing else. While the app closes, running tasks
# find their widgets gone. That is no error, and `_handle_exception` ignores it.


class Reporting(App[None]):
    """An application that ends with a sentence instead of a traceback."""

    failure = ""
    """The error to show to the user; empty if there is none."""

    def panic(self, *renderables: RenderableType) -> None:
        """Exit without printing `renderables`, which may be a traceback."""
        del renderables
        self._report(sys.exception())
        super().panic()

    def on_load(self) -> None:
        """Report errors in tasks that nothing awaits, from the very beginning."""

        def report(
            _loop: asyncio.AbstractEventLoop, context: Mapping[str, Any]
        ) -> None:
            if self.return_code is None:
                self._report(context.get("exception"))
                self.exit(return_code=1)

        asyncio.get_running_loop().set_exception_handler(report)

    def _handle_exception(self, error: Exception) -> None:
        """Ignore errors while the app closes."""
        if self.return_code is None:
            super()._handle_exception(error)

    def _fatal_error(self) -> None:
        self.panic()

    def _report(self, error: BaseException | None) -> None:
        """Report the first error; later ones are its consequences.

        The program's own errors are sentences already.
        """
        if self.failure:
            return
        known = error if isinstance(error, Exception) else self._exception
        self.failure = (
            str(known)
            if isinstance(known, RecollectError)
            else report_unexpected(known or RuntimeError())
        )


def report_stray_error(task: asyncio.Task[None]) -> None:
    """Report the error of a finished task that nothing awaits."""
    error = None if task.cancelled() else task.exception()
    if error is not None:
        context = {"message": "A task was interrupted.", "exception": error}
        task.get_loop().call_exception_handler(context)


# The frame: where the panes are, depending on the size of the terminal.

WIDTHS = [
    (0, "-speck"),
    (20, "-slim"),
    (60, "-narrow"),
    (100, "-wide"),
    (150, "-wider"),
    (180, "-widest"),
]
"""The screen's class by minimum width."""

HEIGHTS = [
    (0, "-sliver"),
    (4, "-shallow"),
    (10, "-dense"),
    (14, "-flat"),
    (18, "-low"),
    (24, "-tall"),
    (30, "-high"),
]
"""The screen's class by minimum height."""

WIDE, HIGH = 100, 30
"""Minimum columns and rows to show links below the text; otherwise they replace it."""

DENSE = 14
"""With fewer rows, one bar shows both status and hints."""

BESIDE = 120
"""Minimum columns for filters beside the list; otherwise they are a page of their own.
"""

ROOMY = 150
"""Minimum columns to show filters by default."""

APART = 160
"""Minimum columns for list and reader side by side, and filters beside them."""

CSS = """
Screen { layout: vertical; }
#tabs, #status, #hints, #small { height: 1; background: $panel; }
#query { height: 1; }
#small { display: none; }
Bar.away { display: none; }
#body { height: 1fr; layout: vertical; layers: default over; }
#lists { height: 9fr; }
#side { height: 11fr; }
#around { display: none; height: 11; layout: horizontal; }
#links { width: 5fr; height: 1fr; }
#seen { display: none; width: 4fr; height: 1fr; border-left: solid $panel; }
#transcript { display: none; }
#body.talk #reader { display: none; }
#body.talk #transcript { display: block; }

Screen.-wide #body, Screen.-wider #body, Screen.-widest #body { layout: horizontal; }
Screen.-wide #lists, Screen.-wider #lists, Screen.-widest #lists {
    width: 1fr; height: 1fr;
}
Screen.-wide #lists { width: 6fr; }
Screen.-wide #side, Screen.-wider #side, Screen.-widest #side {
    width: 1fr; height: 1fr; border-left: solid $panel;
}
Screen.-wide #side { width: 5fr; }
Screen.-wide.-high #around, Screen.-wider.-high #around, Screen.-widest.-high #around {
    display: block;
}
Screen.-wider #around, Screen.-widest #around { height: 16; }
Screen.-widest #seen { display: block; }
#facets {
    display: none; width: 30; height: 1fr; border-right: solid $panel;
    dock: left; background: $background;
}
#body.facets #facets { display: block; }
#body.alone #facets { width: 100%; border-right: none; layer: over; }
Screen.-wider #facets, Screen.-widest #facets { width: 34; }
Screen #body.stacked { layout: vertical; }
#body.stacked > #lists { width: 1fr; height: 9fr; }
#body.stacked > #side { width: 1fr; height: 11fr; border-left: none; }
#body.stacked > #side > #around { height: 7; }
#body.stacked.by-ends > #side > #around { height: 1fr; }
#welcome {
    width: 100%; height: 100%; layer: over; dock: top; background: $background;
}

Screen.-wide .by-time > #lists, Screen.-wider .by-time > #lists,
Screen.-widest .by-time > #lists { width: 13fr; }
Screen.-wide .by-time > #side, Screen.-wider .by-time > #side,
Screen.-widest .by-time > #side { width: 12fr; }
#body.list-up #lists { height: 4fr; }
#body.list-up #side { height: 2fr; }
#body.list-down #lists { height: 1fr; }
#body.list-down #side { height: 4fr; }
Screen.-wide .list-up > #lists, Screen.-wider .list-up > #lists,
Screen.-widest .list-up > #lists, Screen.-wide .list-down > #side,
Screen.-wider .list-down > #side, Screen.-widest .list-down > #side { width: 3fr; }
Screen.-wide .list-up > #side, Screen.-wider .list-up > #side,
Screen.-widest .list-up > #side, Screen.-wide .list-down > #lists,
Screen.-wider .list-down > #lists, Screen.-widest .list-down > #lists { width: 2fr; }

#calendar { display: none; dock: top; height: 1; }
#body.by-days #calendar { display: block; }
Screen.-tall #calendar, Screen.-high #calendar { height: 9; }
Screen.-shallow #body.by-days #calendar { display: none; }
#body.by-days #side #around { display: none; }
Screen.-narrow #body.by-days #side { display: none; }
Screen.-narrow #body.by-days.list-down #side { display: block; }

Screen.-narrow #body.by-time #side { display: none; }
Screen.-narrow #body.by-time.list-down #side { display: block; }

Screen.-narrow #body.by-figures #side { display: none; }
Screen.-narrow #body.by-figures.list-down #side { display: block; }
Screen.-wide #body.by-figures, Screen.-wider #body.by-figures,
Screen.-widest #body.by-figures { layout: vertical; }
Screen .by-figures > #lists { width: 1fr; height: 9fr; }
Screen .by-figures > #side { width: 1fr; height: 5fr; border-left: none; }
Screen .by-figures > #side > #around { display: none; }
Screen.-widest #body.by-figures Histogram { width: 98; }
Screen.-widest #body.by-figures Distribution { display: block; }

Screen.-wide #body.by-ends, Screen.-wider #body.by-ends,
Screen.-widest #body.by-ends { layout: vertical; }
Screen.-wide .by-ends > #lists, Screen.-wider .by-ends > #lists,
Screen.-widest .by-ends > #lists { width: 1fr; height: 9fr; }
Screen.-wide .by-ends > #side, Screen.-wider .by-ends > #side,
Screen.-widest .by-ends > #side {
    width: 1fr; height: 5fr; layout: horizontal; border-left: none;
}
Screen .by-ends > #side > #reader { width: 1fr; }
Screen.-wide .by-ends > #side > #around, Screen.-wider .by-ends > #side > #around,
Screen.-widest .by-ends > #side > #around {
    width: 1fr; height: 1fr; border-left: solid $panel;
}
Screen .by-ends > #side > #around > #seen { display: none; }
Screen #body.by-text > #side > #around { display: none; }

Screen.-slim #side, Screen.-speck #side { display: none; }
Screen.-flat #side, Screen.-dense #side, Screen.-shallow #side { display: none; }
Screen.-slim #lists, Screen.-flat #lists, Screen.-dense #lists, Screen.-shallow #lists {
    height: 1fr; width: 1fr;
}
Screen.-flat JournalRoom > .charts, Screen.-dense JournalRoom > .charts,
Screen.-shallow JournalRoom > .charts, Screen.-dense JournalRoom > .sections,
Screen.-shallow JournalRoom > .sections, Screen.-dense TimelineRoom > ActivityBar,
Screen.-shallow TimelineRoom > ActivityBar, Screen.-dense HealthRoom > .score,
Screen.-shallow HealthRoom > .score, Screen.-flat EdgeRoom > .types,
Screen.-dense EdgeRoom > .types, Screen.-shallow EdgeRoom > .types { display: none; }
Screen.-dense #hints, Screen.-shallow #hints { display: none; }
Screen.-slim #first, Screen.-dense #first, Screen.-shallow #first { display: none; }
Screen.-shallow #tabs { display: none; }

#body.zoom-lists #side { display: none; }
#body.zoom-lists #lists { height: 1fr; }
#body.zoom-side #lists { display: none; }
#body.zoom-side #side { display: block; height: 1fr; width: 1fr; border: none; }
#body.by-days.zoom-lists #calendar, #body.by-days.zoom-side #calendar { display: none; }
Screen.-narrow #body.by-days.zoom-side #side { display: block; }
Screen.-narrow #body.by-time.zoom-side #side { display: block; }
Screen.-narrow #body.by-figures.zoom-side #side { display: block; }
#body.zoom-side #around { display: none; }
Screen.-wide.-high #body.zoom-side #around { display: block; height: 9; }
Screen.-wide #body.by-text.zoom-side #around,
Screen.-wide #body.by-ends.zoom-side #around,
Screen.-wide #body.by-time.zoom-side #around,
Screen.-wide #body.by-days.zoom-side #around,
Screen.-wide #body.by-figures.zoom-side #around { display: none; }

#body.linked #side { layout: vertical; }
#body.linked #reader { height: 1; }
#body.linked #side #around { display: block; height: 1fr; }

Screen.-speck #small, Screen.-sliver #small { display: block; }
Screen.-speck #tabs, Screen.-sliver #tabs { display: none; }
Screen.-speck #query, Screen.-sliver #query { display: none; }
Screen.-speck #body, Screen.-sliver #body { display: none; }
Screen.-speck #status, Screen.-sliver #status { display: none; }
Screen.-speck #hints, Screen.-sliver #hints { display: none; }
Screen.-speck #strip, Screen.-sliver #strip { display: none; }
Screen.-speck #first, Screen.-sliver #first { display: none; }
"""

SPLITS = ("list-down", "", "list-up")
"""The positions of the split, from large reader to large list."""


# The strip with the continuations of a chord, shown while the next key is awaited.

_GAP = 2
_ROWS = 2
_LONGEST = (99, 24, 20, 16, 12)
"""Maximum characters of each word, tried in turn until all entries fit."""


class PrefixStrip(Picture):
    """Two rows of continuations; possible commands come first, and the rest is cut."""

    DEFAULT_CSS = """
    PrefixStrip { height: 2; background: $panel; display: none; }
    """

    _prefix = ""
    _entries: Sequence[Following] = ()

    def show(self, prefix: str, entries: Sequence[Following]) -> None:
        """Show the continuations of a prefix; an empty prefix hides the strip."""
        self._prefix, self._entries = prefix, entries
        self.display = bool(prefix)
        self.refresh()

    def rows(self, width: int) -> Sequence[Pieces]:
        """The rows that there is room for."""
        return _fitting(self._prefix, self._entries, width)[:_ROWS]


def _fitting(prefix: str, entries: Sequence[Following], width: int) -> Sequence[Pieces]:
    """The rows; shorter words replace titles that do not fit."""
    rows = list(_rows(prefix, entries, width))
    for longest in _LONGEST:
        if len(rows) <= _ROWS:
            break
        rows = list(_rows(prefix, [_cut(one, longest) for one in entries], width))
    return rows


def _cut(entry: Following, longest: int) -> Following:
    word = entry.word or entry.title
    title = text_of(fit([(word, "")], min(longest, cell_len(word))))
    return replace(entry, title=title)


def _rows(prefix: str, entries: Iterable[Following], width: int) -> Iterator[Pieces]:
    """The entries side by side, in as many rows as they need."""
    margin = f"{clean(prefix)} "
    row: list[Piece] = [(margin, "strong")]
    for entry in sorted(entries, key=lambda one: one.why_not is not None):
        told = _entry(entry)
        if width_of(row) + width_of(told) > width and len(row) > 1:
            yield row
            row = [(" " * len(margin), "")]
        row += [*told, (" " * _GAP, "")]
    yield row


def _entry(entry: Following) -> list[Piece]:
    is_possible = entry.why_not is None
    return [
        (entry.key, "key" if is_possible else "faint"),
        (f" {entry.title}", "muted" if is_possible else "faint"),
    ]


# The app without content: its panes, bars, colours and keys.

ScrollBar.renderer = ThinScrollBar

PRINTABLE = Printable()
IN_ASCII = InAscii()


_PAINTED = (Sheet, Bar, QueryBar)
"""Widgets that draw with the theme's palette."""

SCOPES = {
    "reader": Scope.READER,
    "transcript": Scope.TRANSCRIPT,
    "links": Scope.LINKS,
    "seen": Scope.LINKS,
    "facets": Scope.FACETS,
}
"""The scopes of the panes that are not lists, by id."""


class Outfit(Struct, frozen=True):
    """The setup of the browser; fields left out use defaults."""

    keymap: Keymap | None = None
    """The keys."""
    chosen: Chosen | None = None
    """The colours and glyphs."""
    driver_class: type[Driver] | None = None
    """The terminal driver."""
    complaints: tuple[str, ...] = ()
    """Errors in the settings."""


COVERING = "alone"
"""The class of the body while filters cover the list."""

LINKED = "linked"
"""The class of the body while the graph replaces the text."""


class Layout(Part):
    """The panes and bars, and how they share the terminal."""

    display: Display
    colours: Chosen
    """The colours and glyphs."""
    zoomed: str = ""
    """The pane that fills the screen, if any."""
    reader: Reader = field(default_factory=lambda: Reader(TextSheet(id="reader")))
    """The record at the cursor as a page."""
    links: Graph = field(default_factory=lambda: Graph(Sheet(id="links")))
    """Its links."""
    seen: Sightings = field(default_factory=lambda: Sightings(SightingSheet(id="seen")))
    """Its mentions, and similar records."""
    transcript: Transcript = field(
        default_factory=lambda: Transcript(TextSheet(id="transcript"))
    )
    """Its conversation, which is mounted when the first one is opened."""
    split: int = 0
    """The split between list and reader: larger values enlarge the list."""
    chosen_theme: str | None = None
    """The theme that the user has chosen in this session."""

    @property
    def query(self) -> QueryBar:
        """The query bar."""
        return self.display.base.query_one(QueryBar)

    @property
    def palette(self) -> Palette:
        """The palette of widgets."""
        return palette_of(self.display.theme, is_ascii=self.colours.is_ascii)

    @property
    def is_dense(self) -> bool:
        """Whether one bar shows both status and hints."""
        return self.display.size.height < DENSE

    @property
    def graph(self) -> Graph | None:
        """The graph, while it replaces the text."""
        return self.links if self.display.body.has_class(LINKED) else None

    async def furnish(self, reports: Reports) -> None:
        """Mount tabs, query bar, list, reader, links, status and hints.

        They are mounted once there is something to show: laying out and drawing an
        empty screen first would cost every start as much as the screen with rows.
        """
        links, seen = self.links.lines.sheet, self.seen.lines.sheet
        around = Container(links, seen, id="around")
        side = Side(reports, self.reader.text.sheet, around)
        await self.display.mount(
            Bar(id="small"),
            TabBar(reports),
            QueryBar(id="query"),
            Body(Rooms(reports), side, id="body"),
            FirstStrip(id="first"),
            HintBar(reports, id="status"),
            PrefixStrip(id="strip"),
            HintBar(reports, id="hints"),
        )
        self.paint()

    def paint(self) -> None:
        """Give the theme's palette to all widgets."""
        palette = self.palette
        for pane in self.display.base.walk_children():
            if isinstance(pane, _PAINTED):
                pane.palette = palette

    def choose_theme(self, theme: str) -> None:
        """Use a theme from now on, and when the browser is opened again."""
        self.display.theme = self.chosen_theme = theme
        self.paint()

    def divide(self, split: int) -> None:
        """Move the border between list and reader, within its limits."""
        usual = len(SPLITS) // 2
        self.split = max(-usual, min(split, usual))
        body = self.display.body
        with body.changing():
            body.remove_class(*filter(None, SPLITS))
            if self.split:
                body.add_class(SPLITS[usual + self.split])

    def move_border(self, step: int) -> None:
        """Move the border between list and reader."""
        self.divide(self.split + step)

    def zoom(self, pane: str) -> None:
        """Show one pane on the whole screen; an empty name shows all again."""
        body = self.display.body
        is_new, self.zoomed = pane != self.zoomed, pane
        if is_new:
            with body.changing():
                body.remove_class("zoom-lists", "zoom-side")
                if pane:
                    body.add_class(pane)
        for text in (self.reader, self.transcript):
            text.zoom(is_zoomed=pane == "zoom-side")
