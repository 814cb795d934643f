"""A list of any length: only the lines in view are ever asked for or drawn."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from rich.cells import set_cell_size
from rich.segment import Segment
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip


@dataclass(frozen=True, slots=True)
class Line:
    """One row, fit to show."""

    text: str
    """What it says, controls made visible already."""


class Lines(ScrollView, can_focus=True):
    """Shows a sequence of lines with a cursor; reports where the cursor is."""

    DEFAULT_CSS = """
    Lines {
        height: 1fr;
        overflow-x: hidden;
        scrollbar-size-vertical: 1;
        &> .lines--cursor { background: $block-cursor-blurred-background; }
        &:focus > .lines--cursor {
            color: $block-cursor-foreground;
            background: $block-cursor-background;
        }
    }
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"lines--cursor"}

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j,down", "move(1)", "down"),
        Binding("k,up", "move(-1)", "up"),
        Binding("ctrl+d,pagedown", "page(1)", "page down"),
        Binding("ctrl+u,pageup", "page(-1)", "page up"),
        Binding("g,home", "first", "first"),
        Binding("G,end", "last", "last"),
    ]

    lines: reactive[Sequence[Line]] = reactive[Sequence[Line]]((), always_update=True)
    """What is shown; asked for by position, as it comes into view."""

    cursor: reactive[int] = reactive(0)
    """The position of the cursor."""

    @dataclass
    class Highlighted(Message):
        """The cursor came to a line; -1 where there is no line."""

        position: int

    @dataclass
    class LaidOut(Message):
        """The list has another width than before."""

        width: int

    @property
    def text_width(self) -> int:
        """How wide a line can be."""
        return max(self.size.width - self.styles.scrollbar_size_vertical, 0)

    def on_resize(self) -> None:
        """Say so: whoever fills the list lays its columns out."""
        self.post_message(self.LaidOut(self.text_width))

    def watch_lines(self) -> None:
        """Begin at the top of what is new."""
        self.virtual_size = Size(self.size.width, len(self.lines))
        self.cursor = 0
        self.scroll_to(y=0, animate=False)
        self.refresh()
        self._report()

    def validate_cursor(self, cursor: int) -> int:
        """Keep to the lines that there are."""
        return max(0, min(cursor, len(self.lines) - 1))

    def watch_cursor(self, before: int, now: int) -> None:
        """Draw the two lines that changed, and bring the cursor into view."""
        for position in (before, now):
            self.refresh(Region(0, position - self.scroll_offset.y, self.size.width, 1))
        self.scroll_to_region(
            Region(0, now, self.size.width, 1), animate=False, force=True
        )
        self._report()

    def render_line(self, y: int) -> Strip:
        """One line of the screen."""
        position = y + self.scroll_offset.y
        width = self.size.width
        if position >= len(self.lines):
            return Strip.blank(width, self.rich_style)
        at_cursor = position == self.cursor
        style = (
            self.get_component_rich_style("lines--cursor")
            if at_cursor
            else self.rich_style
        )
        text = set_cell_size(self.lines[position].text, width)
        return Strip([Segment(text, style)], width)

    def action_move(self, lines: int) -> None:
        """Move the cursor by some lines."""
        self.cursor += lines

    def action_page(self, pages: int) -> None:
        """Move the cursor by what is in view."""
        self.cursor += pages * max(self.size.height - 1, 1)

    def action_first(self) -> None:
        """Move the cursor to the first line."""
        self.cursor = 0

    def action_last(self) -> None:
        """Move the cursor to the last line."""
        self.cursor = len(self.lines) - 1

    def _report(self) -> None:
        """Say where the cursor is."""
        self.post_message(self.Highlighted(self.cursor if self.lines else -1))
