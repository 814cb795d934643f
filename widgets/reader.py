"""A page of text to be read, every character of it fit to show."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

_MOST = 2000
"""Lines that are laid out at most: a page longer than that is not read in a pane."""


class Reader(VerticalScroll):
    """Shows one page."""

    DEFAULT_CSS = """
    Reader {
        height: 1fr;
        padding: 0 1;
        scrollbar-size-vertical: 1;
    }
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "scroll_down", "down"),
        Binding("k", "scroll_up", "up"),
        Binding("g", "scroll_home", "first"),
        Binding("G", "scroll_end", "last"),
        Binding("ctrl+d", "page_down", "page down"),
        Binding("ctrl+u", "page_up", "page up"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._page = Static(markup=False)

    def on_mount(self) -> None:
        """Put the page in place."""
        self.mount(self._page)

    def show(self, text: str) -> None:
        """Show a page from its top; of a very long one only the beginning."""
        lines = text.split("\n")
        if len(lines) > _MOST:
            lines = [*lines[:_MOST], f"… and {len(lines) - _MOST} lines more"]
        self._page.update(Content("\n".join(lines)))
        self.scroll_to(y=0, animate=False)
