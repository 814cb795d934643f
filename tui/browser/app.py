"""The browser: kinds of records on top, a list, and the record at the cursor."""

from contextlib import aclosing
from typing import ClassVar

from textual import on, work
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widgets import Static

from store.errors import RecollectError
from store.library import Library
from tui.browser.page import page
from tui.browser.pages import Pages
from tui.browser.reading import Reading, read_stores
from tui.cli.words import KINDS
from widgets.lines import Lines
from widgets.reader import Reader


class Browser(App[None]):
    """Look at what is remembered; nothing is changed from here."""

    ENABLE_COMMAND_PALETTE = False

    CSS = """
    #kinds, #hints { height: 1; padding: 0 1; background: $panel; }
    #hints { color: $text-muted; }
    Reader { border-top: solid $panel; }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+c", "quit", "quit", priority=True),
        *(
            Binding(str(number), f"kind('{kind}')", kind)
            for number, kind in enumerate(KINDS, start=1)
        ),
    ]

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._kind = KINDS[0]
        self._progress = ""

    def compose(self) -> ComposeResult:
        """Kinds, list, reader, hints."""
        yield Static(id="kinds", markup=False)
        yield Lines()
        yield Reader()
        yield Static(
            "j k move · g G ends · tab reader · 1–5 kinds · q leave",
            id="hints",
            markup=False,
        )

    def on_mount(self) -> None:
        """Show what is known already, and have the rest read meanwhile."""
        self.query_one(Lines).focus()
        self._show_kind()
        self._read()

    def on_resize(self) -> None:
        """Columns depend on the width."""
        self._show_kind()

    def action_kind(self, kind: str) -> None:
        """Show another kind of record."""
        self._kind = kind
        self._show_kind()

    @on(Lines.Highlighted)
    def _open(self, event: Lines.Highlighted) -> None:
        """Show the record at the cursor."""
        reader = self.query_one(Reader)
        if not event.key:
            reader.show("Nothing here.")
            return
        try:
            key = event.key
            reader.show(page(self._library.show(key), self._library.links(key)))
        except RecollectError as error:
            reader.show(str(error))

    @work(exclusive=True)
    async def _read(self) -> None:
        """Follow the child that reads, and show what it has read."""
        child = read_stores(self._library.path, self._library.chosen)
        async with aclosing(child) as readings:
            async for reading in readings:
                self._tell(reading)

    def _tell(self, reading: Reading) -> None:
        """Say how far the child is; show all rows when it is done."""
        left = f"reading {reading.done}/{reading.total}"
        self._progress = "" if reading.finished else left
        self._show_kinds()
        if reading.finished and reading.total:
            self._show_kind()

    def _show_kind(self) -> None:
        """Fill the list."""
        lines = self.query_one(Lines)
        lines.lines = Pages(self._library, self._kind, self.size.width)
        self._show_kinds()

    def _show_kinds(self) -> None:
        """The kinds with their counts; the one that is shown stands out."""
        parts: list[tuple[str, str]] = [("recollect  ", "bold")]
        for number, kind in enumerate(KINDS, start=1):
            style = "reverse" if kind == self._kind else ""
            parts.append((f" {number} {kind} {self._library.count(kind)} ", style))
        parts.append((f"  {self._progress}", "dim"))
        self.query_one("#kinds", Static).update(Content.assemble(*parts))
