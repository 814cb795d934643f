"""The widgets around the panes, the strip of first hints, and files in a pager."""

import os
import shlex
import stat
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Protocol

from rich.cells import cell_len
from textual import on
from textual.app import SuspendNotSupported
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget
from textual.widgets import ContentSwitcher

from store.clean import clean
from store.errors import UnreadableError
from store.records.answers import Lead
from tui.browser.display import Display
from tui.browser.record import kind_of
from tui.browser.rooms.room import Room
from widgets.bars import Bar, Picture
from widgets.graph import Graph, Sightings, SightingSheet
from widgets.lines import Chosen, Highlighted, Marked, Wanted
from widgets.reader import Reader
from widgets.sheet import Pieces
from widgets.table import Table, fit, told
from widgets.transcript_cursor import EntriesWanted, Followed, WholeWanted

if TYPE_CHECKING:
    from tui.browser.lists import Lists
    from tui.terminal.programs import Clipboard

# Files in the user's pager.

_USUAL = "less"

_ONLY_SHOWS = {"LESS": "", "LESSOPEN": "", "LESSSECURE": "1"}
"""Environment that disables commands and filters of the pager."""

_KNOW_LINES = frozenset({"less", "more", "most"})
"""Pagers that accept a starting line."""

_AT_ONCE = 1 << 16
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def show_file(display: Display, store: str, path: str, line: int | None = None) -> str:
    """Show a file of a store in the pager; returns an error message or nothing.

    The pager gets cleaned text, because some pagers pass control characters through.
    """
    try:
        command = shlex.split(os.environ.get("PAGER", "")) or [_USUAL]
    except ValueError:
        return "Invalid PAGER: unclosed quote."
    if line is not None and Path(command[0]).name in _KNOW_LINES:
        command.append(f"+{line}")
    try:
        with _opened(Path(store), path) as file:
            return _shown(display, command, file)
    except UnreadableError as error:
        return str(error)
    except SuspendNotSupported:
        return str(Path(store) / path)


def _shown(display: Display, command: list[str], file: BinaryIO) -> str:
    """Run the pager in the terminal until the user quits it."""
    with display.handed_over():
        try:
            pager = subprocess.Popen(  # noqa: S603  # the user's own pager
                command, stdin=subprocess.PIPE, env={**os.environ, **_ONLY_SHOWS}
            )
        except OSError as error:
            return f"Can't run {command[0]}: {error.strerror}."
        with suppress(BrokenPipeError), pager:
            if pager.stdin is not None:
                pager.stdin.writelines(_parts(file))
    return ""


def _opened(store: Path, path: str) -> BinaryIO:
    """Open a regular file inside a store, without following links out or blocking."""
    real = os.path.realpath(store / path)
    if not Path(real).is_relative_to(os.path.realpath(store)):
        raise UnreadableError(f"{path} is outside its store.")
    try:
        handle = os.open(real, _FLAGS)
    except OSError as error:
        raise UnreadableError(f"Can't read {path}: {error.strerror}.") from error
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise UnreadableError(f"{path} is not a regular file.")
    return os.fdopen(handle, "rb")


def _parts(file: BinaryIO) -> Iterator[bytes]:
    """The cleaned lines of a file; very long lines are split."""
    while raw := file.readline(_AT_ONCE):
        yield clean(raw.decode("utf-8", "replace"), multiline=True).encode()


# The strip of hints for new users above the bars.

BETWEEN = " · "
"""The separator between parts of a line; the last parts are dropped if too long."""


class FirstStrip(Picture):
    """A few lines of text; hidden without lines."""

    DEFAULT_CSS = """
    FirstStrip { height: 3; background: $panel; display: none; }
    FirstStrip.filled { display: block; }
    """

    _lines: Sequence[str] = ()
    _tone = ""

    def show(self, lines: Sequence[str], tone: str = "muted") -> None:
        """Show these lines; none hides the strip."""
        self._lines, self._tone = lines, tone
        self.set_class(bool(lines), "filled")
        self.styles.height = len(lines)
        self.refresh()

    def rows(self, width: int) -> Sequence[Pieces]:
        """The lines, each as far as it fits."""
        shown = (_shortened(told(line), width - 1) for line in self._lines)
        return [fit([(f" {line}", self._tone)], width) for line in shown]


def _shortened(line: str, width: int) -> str:
    """A line without the last parts that do not fit."""
    while cell_len(line) > width and BETWEEN in line:
        line = line.rpartition(BETWEEN)[0]
    return line


# The widgets around the panes, which pass on what the panes report.


class Reports(Protocol):
    """What takes the reports of panes: where keys are handled, one after another."""

    def from_list(self, event: Message) -> None:
        """Take what a list reports."""
        ...

    def from_side(self, event: Message) -> None:
        """Take what a pane beside the list reports."""
        ...

    def from_tab(self, name: str) -> None:
        """Take a click on a tab."""
        ...

    def from_hint(self, name: str) -> None:
        """Take a click on a hint or on the counts."""
        ...


class Rooms(ContentSwitcher):
    """The lists of all kinds of record, one of which is shown."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(id="lists")
        self._reports = reports

    @on(Room.Asked)
    @on(Table.SortAsked)
    @on(Highlighted)
    @on(Wanted)
    @on(Marked)
    @on(Chosen)
    def _reported(self, event: Message) -> None:
        self._reports.from_list(event)


class Side(Container):
    """The panes for the record at the cursor: text, links, mentions, transcript."""

    def __init__(self, reports: Reports, *panes: Widget) -> None:
        super().__init__(*panes, id="side")
        self._reports = reports

    @on(Graph.Followed)
    @on(Graph.WentBack)
    @on(Graph.BeyondAsked)
    @on(Graph.MoreAsked)
    @on(SightingSheet.Shown)
    @on(Sightings.Followed)
    @on(Reader.TabShown)
    @on(Reader.Followed)
    @on(EntriesWanted)
    @on(WholeWanted)
    @on(Followed)
    def _reported(self, event: Message) -> None:
        self._reports.from_side(event)


class TabBar(Bar):
    """The views; a click shows one."""

    def __init__(self, reports: Reports) -> None:
        super().__init__(id="tabs")
        self._reports = reports

    @on(Bar.Clicked)
    def _clicked(self, event: Bar.Clicked) -> None:
        self._reports.from_tab(event.name)


class HintBar(Bar):
    """Hints; a click runs the command of one."""

    def __init__(self, reports: Reports, *, id: str) -> None:  # noqa: A002  # as in every widget
        super().__init__(id=id)
        self._reports = reports

    @on(Bar.Clicked)
    def _clicked(self, event: Bar.Clicked) -> None:
        self._reports.from_hint(event.name)


async def follow(
    lead: Lead, display: Display, lists: "Lists", clipboard: "Clipboard"
) -> str:
    """Go to a record or file; returns what to say about it.

    A path outside the stores is copied, never opened.
    """
    if lead.ref:
        await lists.go(kind_of(lead.ref), lead.ref, "")
        return ""
    if lead.path:
        return show_file(display, lead.store, lead.path, lead.line)
    if lead.outside:
        is_address = "://" in lead.outside
        named = lead.outside if is_address else shlex.quote(lead.outside)
        told = clipboard.copied_command(named)
        return f"{clean(lead.outside)} is outside the stores · {told}"
    return "Nothing to open."
