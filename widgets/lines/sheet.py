"""A sheet: lines that are drawn one by one as they come into view.

All panes are sheets, because a widget per line costs a thousand times as much.
"""

from collections.abc import Hashable, Iterable

from textual import events
from textual.cache import LRUCache
from textual.geometry import Offset, Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip

from widgets.lines.pieces import Pieces, broken, strip
from widgets.styles.brush import Brush
from widgets.styles.palette import DARK, NOWHERE, Palette

_STRIPS = 2000
"""Drawn lines that are kept."""

_WHEEL = 3
"""Lines that a turn of the wheel scrolls by."""


class Sheet(ScrollView, can_focus=True):
    """Lines beneath a head that stays; subclasses say how many and what they hold."""

    DEFAULT_CSS = """
    Sheet {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
    }
    """

    ALLOW_SELECT = False

    has_head = False
    """Whether a line stays above all others."""

    palette: reactive[Palette] = reactive(DARK)
    """What the tones of the lines look like."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002  # as every widget has it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._version = 0
        self._strips: LRUCache[Hashable, Strip] = LRUCache(_STRIPS)
        self._drawn: dict[int, Strip] = {}

    def count(self) -> int:
        """How many lines there are."""
        return 0

    def head(self, width: int) -> Pieces:
        """The line that stays above all others, where `has_head` says so."""
        del width
        return ()

    def line(self, position: int, width: int) -> Strip:
        """One line, drawn."""
        del position
        return Strip.blank(width, self.brush().base)

    @property
    def text_width(self) -> int:
        """How wide a line is: the column of the scrollbar is none of it."""
        return max(self.size.width - self.styles.scrollbar_size_vertical, 0)

    @property
    def head_height(self) -> int:
        """How many rows the head takes."""
        return int(self.has_head)

    @property
    def room(self) -> int:
        """How many lines are in view."""
        return max(self.size.height - self.head_height, 0)

    @property
    def first(self) -> int:
        """The position of the first line in view."""
        return self.scroll_offset.y

    def brush(self, cursor: str = NOWHERE) -> Brush:
        """What a line is painted with."""
        base = self.rich_style if self.palette.base is None else self.palette.base
        return Brush(self.palette, base, cursor)

    def render_line(self, y: int) -> Strip:
        """A row of the screen; one that cannot be drawn says so and harms no other."""
        drawn = self._drawn[y] = self._row(y)
        return drawn

    def redraw(self) -> None:
        """Paint the rows that look other than they did, and no others."""
        changed = [
            y
            for y in range(self.size.height)
            if y not in self._drawn or self._drawn[y] != self._row(y)
        ]
        for first, last in _runs(changed):
            self.refresh(Region(0, first, self.size.width, last - first))

    def forget(self) -> None:
        """Draw every line anew when it is next looked at."""
        self._version += 1
        self._strips.clear()

    def kept(self, *flags: Hashable) -> Hashable:
        """What a drawn line is kept under, where it depends on these."""
        return (self._version, self.text_width, *flags)

    def measure(self) -> None:
        """Take the number of lines over into the length that can be scrolled."""
        self.virtual_size = Size(0, self.count() + self.head_height)

    def scroll_lines(self, lines: int) -> None:
        """Scroll without anything else."""
        self.scroll_top(self.first + lines)

    def scroll_top(self, position: int) -> None:
        """Scroll until a line is the first in view, as far as there are lines."""
        if self.is_attached:
            self.scroll_to(y=max(position, 0), animate=False, force=True)

    def resized(self) -> None:
        """What is to be done when the sheet has another size."""
        self.measure()

    def clicked(self, position: int, x: int, times: int) -> None:
        """What is to be done when a line is clicked."""

    def head_clicked(self, x: int) -> None:
        """What is to be done when the head is clicked."""

    def watch_palette(self) -> None:
        """Everything looks otherwise now."""
        self.forget()
        self.refresh()

    def notify_style_update(self) -> None:
        """Lines lie upon other colours now."""
        super().notify_style_update()
        self.forget()

    def watch_show_vertical_scrollbar(self, is_shown: bool) -> None:  # noqa: FBT001  # as Textual calls it
        """A scrollbar that comes late begins where one is."""
        if is_shown:
            self.vertical_scrollbar.position = self.scroll_y

    def on_resize(self) -> None:
        """Another size."""
        self._drawn.clear()
        self.resized()

    def on_click(self, event: events.Click) -> None:
        """Tell what was clicked, and where in it."""
        at: Offset | None = event.get_content_offset(self)
        if at is None or at.x >= self.text_width:
            return
        position = at.y - self.head_height + self.first
        if at.y < self.head_height:
            self.head_clicked(at.x)
        elif position < self.count():
            self.clicked(position, at.x, event.chain)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down by a turn of the wheel."""
        self._wheel(event, _WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up by a turn of the wheel."""
        self._wheel(event, -_WHEEL)

    def _wheel(self, event: events.MouseEvent, lines: int) -> None:
        event.prevent_default()
        event.stop()
        self.scroll_lines(lines)

    def _row(self, y: int) -> Strip:
        """A row of the screen, whatever comes of drawing it."""
        width = self.text_width
        try:
            return self._row_of(y, width)
        except Exception as error:  # noqa: BLE001  # raised here it would end the program
            return broken(error, width, self.brush())

    def _row_of(self, y: int, width: int) -> Strip:
        """The head, a line, or nothing below the last."""
        if self.has_head and y == 0:
            return strip(self.head(width), width, self.brush())
        position = y - self.head_height + self.first
        if position < self.count():
            return self.line(position, width)
        return Strip.blank(width, self.brush().base)


def _runs(numbers: Iterable[int]) -> Iterable[tuple[int, int]]:
    """Numbers in order, put together where they follow upon one another."""
    run: tuple[int, int] | None = None
    for number in numbers:
        if run and run[1] == number:
            run = (run[0], number + 1)
        else:
            if run:
                yield run
            run = (number, number + 1)
    if run:
        yield run
