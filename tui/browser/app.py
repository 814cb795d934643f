"""The browser: kinds of records on top, a list, and the record at the cursor."""

import asyncio
import signal
from contextlib import aclosing
from typing import ClassVar

from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from store.clean import clean
from store.errors import RecollectError
from store.library import Library, Record
from store.records.problem import Problem
from tui.browser.bar import KEYS, bar
from tui.browser.page import page, problem_page
from tui.browser.pages import Pages
from tui.browser.reading import Reading, read_stores
from tui.words import KINDS
from widgets.lines import Lines
from widgets.reader import Reader

_SIGNALLED = 128
"""What shells add to the number of the signal that ended a program."""

_HINTS = "j k move · 1–9 0 kinds · q leave · tab reader · g G ends"
"""The keys; those that one cannot do without stand where no terminal cuts them off."""


class Browser(App[None]):
    """Look at what is remembered; nothing is changed from here."""

    ENABLE_COMMAND_PALETTE = False

    CSS = """
    #heading { height: 1; text-style: bold; color: $text-muted; }
    #kinds, #hints { height: 1; padding: 0 1; background: $panel; }
    #hints { color: $text-muted; }
    Reader { border-top: solid $panel; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c", "quit", "quit", priority=True),
        *(Binding(key, f"kind('{kind}')", kind) for kind, key in KEYS.items()),
    ]

    def __init__(self, library: Library, *, reads: bool = True) -> None:
        """`reads` tells whether the stores are looked at, or only the catalogue."""
        super().__init__()
        self._library = library
        self._reads = reads
        self._kind = KINDS[0]
        self._is_chosen = False
        self._pages = Pages(library, self._kind, 0)
        self._progress = ""
        self._reading: asyncio.Task[None] | None = None

    @property
    def is_reading(self) -> bool:
        """Whether the child is still at it."""
        return self._reading is not None and not self._reading.done()

    def compose(self) -> ComposeResult:
        """Kinds, heading, list, reader, hints."""
        yield Static(id="kinds", markup=False)
        yield Static(id="heading", markup=False)
        yield Lines()
        yield Reader()
        yield Static(_HINTS, id="hints", markup=False)

    def on_mount(self) -> None:
        """Show what is known already, and have the rest read meanwhile."""
        loop = asyncio.get_running_loop()
        for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT):
            loop.add_signal_handler(number, self._leave, number)
        self.query_one(Lines).focus()
        if self._reads and self._library.chosen:
            self._reading = asyncio.create_task(self._read())

    async def on_unmount(self) -> None:
        """Let the child end before the browser does."""
        if self._reading:
            self._reading.cancel()
            await asyncio.gather(self._reading, return_exceptions=True)

    def on_lines_laid_out(self) -> None:
        """Columns depend on the width; the cursor stays where it was."""
        lines = self.query_one(Lines)
        position = lines.cursor
        self._show_kind()
        lines.cursor = position

    def action_kind(self, kind: str) -> None:
        """Show another kind of record."""
        self._kind = kind
        self._is_chosen = True
        self._show_kind()

    @on(Lines.Highlighted)
    def _open(self, event: Lines.Highlighted) -> None:
        """Show the record at the cursor."""
        reader = self.query_one(Reader)
        record = self._pages.record(event.position) if event.position >= 0 else None
        try:
            reader.show(self._page(record) if record else self._nothing())
        except RecollectError as error:
            reader.show(clean(str(error), multiline=True))

    def _page(self, record: Record) -> str:
        """The record in full, or the problem where it concerns none."""
        problem = record if isinstance(record, Problem) else None
        if not record.ref:
            return problem_page(problem) if problem else ""
        full = self._library.show(record.ref)
        return page(full, self._library.links(record.ref), problem)

    def _nothing(self) -> str:
        return "The stores are being read." if self._progress else "Nothing here."

    def _leave(self, number: int) -> None:
        """Go, and leave the terminal as it was."""
        self.exit(return_code=_SIGNALLED + number)

    async def _read(self) -> None:
        """Follow the child that reads, and show what it has read."""
        child = read_stores(self._library.path, self._library.chosen)
        async with aclosing(child) as readings:
            async for reading in readings:
                self._tell(reading)

    def _tell(self, reading: Reading) -> None:
        """Say how far the child is; show rows as soon as they fill the list."""
        left = f"reading {reading.done}/{reading.total}"
        self._progress = reading.failure if reading.finished else left
        lines = self.query_one(Lines)
        few = len(lines.lines) < lines.size.height
        if few or reading.moved:
            self.on_lines_laid_out()
        else:
            self._show_kinds()

    def _show_kind(self) -> None:
        """Fill the list; nobody is shown an empty one whom another would serve."""
        if not self._is_chosen and not self._progress:
            filled = (kind for kind in KINDS if self._library.count(kind))
            self._kind = next(filled, self._kind)
        lines = self.query_one(Lines)
        self._pages = Pages(self._library, self._kind, lines.text_width)
        self.query_one("#heading", Static).update(Content(self._pages.heading))
        lines.lines = self._pages
        self._show_kinds()

    def _show_kinds(self) -> None:
        """The kinds with their counts, and how far reading them is."""
        counts = {kind: self._library.count(kind) for kind in KINDS}
        kinds = self.query_one("#kinds", Static)
        kinds.update(bar(counts, self._kind, kinds.content_size.width))
        told = clean(f"{self._progress} · ") if self._progress else ""
        self.query_one("#hints", Static).update(Content(f"{told}{_HINTS}"))
