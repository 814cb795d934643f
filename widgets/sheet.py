"""A widget that draws lines one by one as they scroll into view."""

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from enum import Enum
from typing import Any, ClassVar, TypeVar, dataclass_transform

from rich.cells import cell_len, set_cell_size
from rich.color import Color
from rich.segment import Segment, Segments
from rich.style import Style
from textual import events
from textual.cache import LRUCache
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBarRender
from textual.selection import Selection
from textual.strip import Strip
from textual.types import Animatable, CallbackType

from store.clean import clean
from widgets.styles import DARK, NOWHERE, Brush, Palette

E = TypeVar("E", bound=Enum)

# Pieces: a line without colours yet, as texts with their tones.

Piece = tuple[str, str]
"""A text and its tone or tones."""

Pieces = Sequence[Piece]

CHARACTERS_PER_CELL = 10
"""The most characters per cell: a letter and its combining marks."""


def strip(pieces: Iterable[Piece], width: int, brush: Brush) -> Strip:
    """A line of exactly this width, whatever the pieces are.

    Text is cleaned in case the caller did not; pieces that look the same are merged,
    because every change of style costs bytes.
    """
    segments: list[Segment] = []
    left, styles = width, dict[str, Style]()
    for text, tones in pieces:
        if left <= 0:
            break
        shown = fitting(text, left)
        left -= cell_len(shown)
        style = styles.get(tones) or styles.setdefault(tones, brush.style(tones))
        _add(segments, brush.palette.spelt(shown), style)
    _add(segments, " " * left, brush.style(""))
    return Strip(segments, width)


def broken(error: Exception, width: int, brush: Brush) -> Strip:
    """Shown in place of a line that cannot be drawn."""
    told = f"✗ cannot be drawn: {type(error).__name__}"
    return strip([(told, "broken_row")], width, brush)


def fitting(text: str, width: int) -> str:
    """The part of a text that fits a width; a long text takes no longer."""
    shown = text[: width * CHARACTERS_PER_CELL]
    if not shown.isprintable():
        shown = clean(shown)
    return set_cell_size(shown, width) if cell_len(shown) > width else shown


def shortened(text: str, width: int) -> str:
    """A text cut to a width, with an ellipsis."""
    if cell_len(text) <= width:
        return text
    return f"{set_cell_size(text, max(width - 1, 0))}…"


def width_of(pieces: Iterable[Piece]) -> int:
    """The width of pieces in cells."""
    return sum(cell_len(text) for text, _ in pieces)


def text_of(pieces: Iterable[Piece]) -> str:
    """The text of pieces."""
    return "".join(text for text, _ in pieces)


def _add(segments: list[Segment], text: str, style: Style) -> None:
    """Append a segment, or extend the previous one if the style is the same."""
    if not text:
        return
    if segments and (segments[-1].style is style or segments[-1].style == style):
        text = segments.pop().text + text
    segments.append(Segment(text, style))


# Title lines: the heads of panes, drawn as rules.

PANE = "pane"
"""The tone of the name of a pane."""

BEFORE = 2
"""Cells before the name of a pane: a stroke and a blank."""

APART: Piece = ("   ", "")
"""What separates the parts of a title line: two blanks with a stroke between them."""

_LIGHT, _HEAVY = "─", "━"


def ruled(pieces: Pieces, width: int, *, has_focus: bool) -> Iterator[Piece]:
    """A head as a rule with its texts on it; heavy and coloured if keys go there."""
    pen = (_HEAVY, "focus") if has_focus else (_LIGHT, "rule")
    blank, before = 0, ""
    for text, tone in pieces:
        if not text.strip(" "):
            blank += len(text)
            continue
        yield from _stroke(blank, pen, before, " ")
        yield text, f"{tone} focus" if has_focus and tone == PANE else tone
        blank, before = 0, " "
    rest = max(width - width_of(pieces), 0)
    yield from _stroke(blank + rest, pen, before, "")


def _stroke(cells: int, pen: Piece, before: str, after: str) -> Iterator[Piece]:
    """A rule with a blank on each side that has a text beside it."""
    drawn = cells - len(before) - len(after)
    if drawn > 0:
        yield from ((before, ""), (pen[0] * drawn, pen[1]), (after, ""))
    else:
        yield " " * cells, ""


# Arithmetic of cursor positions, shared by all widgets.


def within(position: int, count: int) -> int:
    """A position limited to the number of rows; 0 without rows."""
    return max(0, min(position, count - 1))


def scrolled(first: int, room: int, position: int) -> int:
    """The first row in view after scrolling as little as needed to show a position."""
    if position < first or room <= 0:
        return position
    return max(first, position - room + 1)


def following(one: E) -> E:
    """The member of an enumeration after this one, cyclically."""
    members = list(type(one))
    return members[(members.index(one) + 1) % len(members)]


def runs(numbers: Iterable[int], near: int = 0) -> Iterator[range]:
    """Ranges of numbers that follow one another, with at most `near` between them."""
    run = range(0)
    for number in numbers:
        if run and number - run.stop <= near:
            run = range(run.start, number + 1)
        else:
            if run:
                yield run
            run = range(number, number + 1)
    if run:
        yield run


# The scroll bar, which takes half a column, so that there is air beside the text.

_BAR, _TRACK = "▐", " "


class ThinScrollBar(ScrollBarRender):
    """Draws whole cells only, so that small steps change nothing on the screen."""

    @classmethod
    def render_bar(  # noqa: PLR0913, PLR0917  # as in Textual
        cls,
        size: int = 25,
        virtual_size: float = 50,
        window_size: float = 20,
        position: float = 0,
        thickness: int = 1,
        vertical: bool = True,  # noqa: FBT001, FBT002  # the same
        back_color: Color = Color.parse("black"),  # noqa: B008  # the same
        bar_color: Color = Color.parse("white"),  # noqa: B008  # the same
    ) -> Segments:
        """The cells of the bar and of its track, each with what a click does."""
        if not vertical:
            return super().render_bar(
                size,
                virtual_size,
                window_size,
                position,
                thickness,
                vertical,
                back_color,
                bar_color,
            )
        first, last = _thumb(size, virtual_size, window_size, position)

        def cell(row: int) -> Segment:
            if first <= row < last:
                meta = {"@mouse.down": "grab"}
                style = Style(color=bar_color, bgcolor=back_color, meta=meta)
                return Segment(_BAR.rjust(thickness), style)
            meta = {"@mouse.down": "scroll_up" if row < first else "scroll_down"}
            return Segment(_TRACK * thickness, Style(bgcolor=back_color, meta=meta))

        return Segments(map(cell, range(size)), new_lines=True)


def _thumb(
    size: int, virtual_size: float, window_size: float, position: float
) -> tuple[int, int]:
    """The rows of the bar: at an end only if the text is."""
    beyond = virtual_size - window_size
    if not (window_size and size) or beyond <= 0:
        return 0, 0
    length = max(round(size * window_size / virtual_size), 1)
    room = size - length
    first = round(room * min(position / beyond, 1.0))
    if 0 < position < beyond and room > 1:
        first = max(1, min(first, room - 1))
    return first, first + length


# What panes report.


@dataclass_transform()
class Notice(Message):
    """A message with fields, defined in a twentieth of the time of a dataclass."""

    __match_args__: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:  # noqa: ANN401  # as in Textual
        super().__init_subclass__(**options)
        cls.__match_args__ = (*cls.__match_args__, *cls.__annotations__)

    def __init__(self, *given: object) -> None:
        vars(self).update(zip(self.__match_args__, given, strict=True))
        super().__init__()


# A sheet: lines that are drawn one by one as they come into view.
#
# All panes are sheets, because a widget per line costs a thousand times as much. A
# sheet scrolls and paints; what its lines show is up to its content.

_STRIPS = 120
"""The number of drawn lines that are cached, each of kilobytes: two large screens."""

_WHEEL = 3
"""Lines per step of the mouse wheel."""


class Content:
    """The lines of a sheet, and what happens to them; the defaults show nothing."""

    has_head = False
    """Whether there is a fixed line above all others."""

    def __init__(self, sheet: "Sheet") -> None:
        self.sheet = sheet
        sheet.content = self

    @property
    def height(self) -> int:
        """The number of lines."""
        return 0

    def head(self, width: int) -> Pieces:
        """The fixed line above all others, if `has_head` is set."""
        del width
        return ()

    def line(self, number: int, width: int) -> Strip:
        """One line, drawn; a blank after the last one."""
        del number
        return self.sheet.blank(width)

    def resized(self) -> None:
        """Adapt to a new size."""
        self.sheet.measure()

    def scroll(self, lines: int) -> None:
        """Scroll without other effects."""
        self.sheet.scroll_top(self.sheet.first + lines)

    def scrolled(self) -> None:
        """A hook called when other lines are in view."""

    def focused(self) -> None:
        """A hook called when the sheet knows that it has the focus."""

    def left(self) -> None:
        """A hook called when the focus has moved elsewhere."""

    def clicked(self, number: int, x: int, times: int) -> None:
        """A hook called when a line is clicked."""

    def head_clicked(self, x: int) -> None:
        """A hook called when the head is clicked."""

    def copied(self, selection: Selection) -> str:
        """The text of a selection."""
        del selection
        return ""


class Sheet(ScrollView, can_focus=True):
    """Scrolls and paints the lines of its content beneath a fixed head."""

    DEFAULT_CSS = """
    Sheet {
        height: 1fr;
        overflow-x: hidden;
        overflow-y: scroll;
        scrollbar-size-vertical: 1;
    }
    """

    ALLOW_SELECT = False

    virtual_size = reactive(Size(0, 0))
    """The size of all lines. As the scroll bar is always there, a change moves nothing.

    Textual would lay out the whole screen, which takes longer than drawing it."""

    palette: reactive[Palette] = reactive(DARK)
    """The styles of the tones."""

    def __init__(
        self,
        *,
        id: str | None = None,  # noqa: A002  # as in every widget
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.content = Content(self)
        """What it shows."""
        self._strips: LRUCache[Hashable, Strip] = LRUCache(_STRIPS)
        self._drawn: dict[int, Strip] = {}
        self._base: Style | None = None
        """The background, which costs a walk through all that is around the sheet."""
        self._drawn_on: Style | None = None

    @property
    def text_width(self) -> int:
        """The width of a line, without the column of the scrollbar."""
        return max(self.size.width - self.styles.scrollbar_size_vertical, 0)

    @property
    def head_height(self) -> int:
        """The number of rows that the head takes."""
        return int(self.content.has_head)

    @property
    def room(self) -> int:
        """The number of lines in view."""
        return max(self.size.height - self.head_height, 0)

    @property
    def first(self) -> int:
        """The first line in view."""
        return self.scroll_offset.y

    @property
    def is_in_view(self) -> bool:
        """Whether it is visible."""
        return all(node.display for node in self.ancestors_with_self)

    def brush(self, cursor: str = NOWHERE) -> Brush:
        """The brush for a line."""
        if self._base is None:
            base = self.palette.base
            self._base = self.rich_style if base is None else base
            if self._base != self._drawn_on:
                self._drawn_on = self._base
                self._strips.clear()
        return Brush(self.palette, self._base, cursor)

    def blank(self, width: int) -> Strip:
        """An empty line."""
        return Strip.blank(width, self.brush().base)

    def render_line(self, y: int) -> Strip:
        """A row of the screen; a drawing error is shown in it and affects no other."""
        drawn = self._drawn[y] = self._row(y)
        return drawn

    def redraw(self) -> None:
        """Repaint only the rows that have changed."""
        changed = [
            y
            for y in range(self.size.height)
            if y not in self._drawn or self._drawn[y] != self._row(y)
        ]
        for rows in runs(changed):
            self.refresh(Region(0, rows.start, self.size.width, len(rows)))

    def forget(self) -> None:
        """Discard the cache of drawn lines, and of what is behind them."""
        self._strips.clear()
        self._base = None

    def cached(self, draw: Callable[[], Strip], *flags: Hashable) -> Strip:
        """The drawn line that depends on these flags, from the cache or newly drawn."""
        key = (self.text_width, *flags)
        drawn = self._strips.get(key)
        if drawn is None:
            drawn = self._strips[key] = draw()
        return drawn

    def measure(self) -> None:
        """Update the scrollable length to the number of lines."""
        self.virtual_size = Size(0, self.content.height + self.head_height)

    def scroll_top(self, line: int) -> None:
        """Scroll until a line is the first in view, as far as there are lines."""
        if self.is_attached:
            self.scroll_to(y=max(line, 0), animate=False, force=True)

    def point(self, line: int) -> None:
        """Move the terminal's own cursor along, for magnifiers and screen readers."""
        row = line - self.first + self.head_height
        if self.has_focus and self.head_height <= row < self.size.height:
            at = self.content_region.offset + Offset(0, row)
            self.app.cursor_position = at  # pyright: ignore[reportUnknownMemberType]  # the app's type is unknown here

    def animate(
        self,
        attribute: str,
        value: float | Animatable,
        *,
        on_complete: CallbackType | None = None,
        **_how: object,
    ) -> None:
        """Set it at once: a click in the scrollbar moves no slower than a key.

        Textual fails if a scroll that it animates makes the widget scroll elsewhere.
        """
        setattr(self, attribute, value)
        if on_complete:
            self.call_next(on_complete)

    def watch_palette(self) -> None:
        """Redraw everything in the new palette."""
        self.forget()
        self.refresh()

    def notify_style_update(self) -> None:
        """Find out whether the background has changed when a row is drawn next."""
        super().notify_style_update()
        self._base = None

    def watch_virtual_size(self, size: Size) -> None:
        """Fit the scroll bar and the position to the number of lines."""
        if self.is_attached:
            self.vertical_scrollbar.window_virtual_size = size.height
            self.scroll_y = self.validate_scroll_y(self.scroll_y)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Tell the content what comes into view."""
        super().watch_scroll_y(old_value, new_value)
        self.content.scrolled()

    def on_resize(self) -> None:
        """Handle a new size."""
        self._drawn.clear()
        self._strips.clear()
        self.content.resized()

    def on_focus(self) -> None:
        """Tell the content, once the sheet knows that it has the focus."""
        self.call_next(self.content.focused)

    def on_blur(self) -> None:
        """Tell the content that the focus has moved elsewhere."""
        self.content.left()

    def on_click(self, event: events.Click) -> None:
        """Tell the content the clicked line and the column."""
        at: Offset | None = event.get_content_offset(self)
        if at is None or at.x >= self.text_width:
            return
        number = at.y - self.head_height + self.first
        if at.y < self.head_height:
            self.content.head_clicked(at.x)
        elif number < self.content.height:
            self.content.clicked(number, at.x, event.chain)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Scroll down by a step of the wheel."""
        event.prevent_default()
        event.stop()
        self.content.scroll(_WHEEL)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Scroll up by a step of the wheel."""
        event.prevent_default()
        event.stop()
        self.content.scroll(-_WHEEL)

    def _row(self, y: int) -> Strip:
        """The head or a line, even if drawing fails."""
        width, brush = self.text_width, self.brush()
        try:
            if self.content.has_head and y == 0:
                head = ruled(self.content.head(width), width, has_focus=self.has_focus)
                return strip(head, width, brush)
            return self.content.line(y - self.head_height + self.first, width)
        except Exception as error:  # noqa: BLE001  # raising here would end the program
            return broken(error, width, brush)


class TextSheet(Sheet):
    """A sheet whose text can be selected with the mouse."""

    ALLOW_SELECT = True

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text, with wrapped lines joined again."""
        return self.content.copied(selection), "\n"

    def selected_text(self) -> str:
        """The selected text; empty without a selection."""
        selection = self.text_selection
        return self.content.copied(selection) if selection else ""

    def selection_updated(self, selection: Selection | None) -> None:
        """Repaint the selected lines."""
        del selection
        self.redraw()
