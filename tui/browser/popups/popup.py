"""A popup: an input line and the choices below it."""

from abc import abstractmethod
from collections.abc import Awaitable, Callable, Hashable, Sequence
from contextlib import suppress
from typing import Any, ClassVar, Generic, TypeVar

from msgspec import Struct
from rich.cells import cell_len
from textual import events, on
from textual._styles_cache import StylesCache
from textual.app import ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.errors import NoWidget
from textual.screen import ModalScreen
from textual.widgets import Input

from store.clean import clean
from store.search.fuzzy import Names
from tui.browser.query_input import LineInput
from tui.commands.command import Scope
from widgets import lines as reports
from widgets.bars import Bar, Item, Items
from widgets.lines import Face
from widgets.rows import Arrangement, Held, Key, Rows
from widgets.sheet import Pieces, Sheet, shortened, width_of
from widgets.styles import FOCUSED, Palette
from widgets.table import fit, told

# Screens shown above the browser.

V = TypeVar("V")


class InputRow(Horizontal):
    """An input line with a sign before it."""

    DEFAULT_CSS = """
    InputRow { height: 1; background: $panel; }
    InputRow > Bar { width: 2; }
    """

    def __init__(self, line: LineInput) -> None:
        prompt = Bar()
        prompt.items = Items((Item(([("> ", "brand")],)),))
        super().__init__(prompt, line)


class Over(ModalScreen[V | None], Generic[V]):
    """A framed modal screen that closes only once, even after two quick clicks."""

    DEFAULT_CSS = """
    Over > Vertical { border: round $secondary; border-title-color: $accent; }
    Over.-ascii > Vertical { border: ascii $secondary; }
    Over.-small > Vertical { border: none; }
    """

    def __init__(self, title: str, palette: Palette) -> None:
        super().__init__()
        self._title = title
        self._palette = palette

    @abstractmethod
    def framed(self) -> ComposeResult:
        """The widgets in the frame, from top to bottom."""

    def compose(self) -> ComposeResult:
        """The frame."""
        with Vertical() as box:
            box.border_title = Content(self._title)
            yield from self.framed()

    def on_mount(self) -> None:
        """Draw everything as the terminal can."""
        self.set_class(self._palette.is_ascii, "-ascii")
        for part in self.query("Sheet, Bar").results():
            if isinstance(part, Sheet | Bar):
                part.palette = self._palette

    def dismiss(self, result: V | None = None) -> AwaitComplete:
        """Close with a result, unless it is already closed, and free what was drawn.

        Textual keeps the lines of 1 024 widgets that are gone, as keys of a cache of
        colours (its issue 6665); in hours of use that comes to a hundred megabytes.
        """
        if not self.is_current:
            return AwaitComplete.nothing()
        StylesCache.get_inner_outer.cache_clear()
        return super().dismiss(result)

    def on_click(self, event: events.Click) -> None:
        """Close on a click outside the frame, not on one where the screen has ended."""
        with suppress(NoWidget):
            if self.get_widget_at(event.screen_x, event.screen_y)[0] is self:
                self.dismiss(None)

    def action_step_back(self) -> None:
        """Close without a choice."""
        self.dismiss(None)

    action_stop = action_step_back

    def action_keys(self) -> None:
        """Do nothing, because nothing opens above a popup."""


# The rows of a menu: choices, and headings between them.

ROWS_V = TypeVar("ROWS_V", bound=Hashable)


class Heading(Struct, frozen=True):
    """The heading of the choices below it; it cannot be chosen."""

    title: str


class Choice(Struct, Generic[ROWS_V], frozen=True):
    """A row that can be chosen."""

    value: ROWS_V
    """The result of choosing it; unique within a menu."""
    title: str
    """Its text."""
    aside: str = ""
    """A note beside the title."""
    before: Pieces = ()
    """The text before the title; equally wide in every row."""
    right: Pieces = ()
    """The text at the right edge."""
    detail: str = ""
    """A sentence shown while the cursor is on it."""
    why_not: str | None = None
    """Why it cannot be chosen; None if it can."""


# Rows under headings; the cursor skips headings.

R = TypeVar("R")


class UnderHeading(Arrangement):
    """One line per row; the first that can be chosen is below a heading."""

    def __init__(self, count: int, first: int) -> None:
        super().__init__(count)
        self.first = first

    def span(self, row: int) -> range:
        """The row; the first one with all lines above it."""
        return range(0 if row == self.first else row, row + 1)


class Sections(Face[R | Heading], Generic[R]):
    """A list with headings; the cursor is always on a row that is not a heading."""

    def reached(self, row: int, before: int) -> int:
        """Skip headings in the direction of movement."""
        step = -1 if row < before else 1
        found = self.seek(row, step)
        if found is None:
            found = self.seek(row, -step)
        return row if found is None else found

    def arranged(self, rows: Rows[R | Heading]) -> Arrangement:
        """Show the heading above the first row together with it."""
        page = enumerate(rows.page(0, len(rows)))
        first = (at for at, row in page if not isinstance(row, Heading))
        return UnderHeading(len(rows), next(first, 0))

    @property
    def chosen(self) -> R | None:
        """The row at the cursor; None for a heading."""
        row = self.lines.at_cursor
        return None if isinstance(row, Heading) else row

    def clicked(self, line: int, row: int, x: int, times: int) -> None:
        """Ignore clicks on headings."""
        if not isinstance(self.lines.record(row), Heading):
            super().clicked(line, row, x, times)

    def seek(self, row: int, step: int) -> int | None:
        """The nearest row in one direction that is not a heading."""
        while 0 <= row < self.lines.count():
            if not isinstance(self.lines.record(row), Heading):
                return row
            row += step
        return None


# The list of a popup, which never takes the focus from the input line.

_GAP = 2
_ASIDE = 8
"""Minimum columns for the note beside the title."""


class ChoiceList(Sections[Choice[Any]]):
    """Choices, one per row."""

    def __init__(self) -> None:
        super().__init__(Sheet())
        self.lines.sheet.can_focus = False

    title_width = 0
    """The width of titles that have a note beside them."""
    right_width = 0
    """The maximum width of the text at the right edge."""

    def draw(self, record: Choice[Any] | Heading, width: int) -> Pieces:
        """Draw the title, the note, and the key or count."""
        if isinstance(record, Heading):
            return fit([(told(record.title), "heading")], width)
        wide = min(self.right_width, width // 2)
        room = width - width_of(record.before) - (wide + 1 if wide else 0)
        return [
            *record.before,
            *_middle(record, room, self.title_width),
            (" ", ""),
            *fit(record.right, wide, is_right=True),
        ]

    def cursor_state(self) -> str:
        """The cursor looks focused although the input line is."""
        return FOCUSED


def _middle(choice: Choice[Any], room: int, title_width: int) -> Pieces:
    """The title and the note, within the available width."""
    room = max(room, 0)
    title = [(told(choice.title), "faint" if choice.why_not else "title")]
    aside = choice.why_not or choice.aside
    width = min(title_width, room)
    if not aside or room - width - _GAP < _ASIDE:
        return fit(title, room)
    beside = [(told(aside), "faint" if choice.why_not else "muted")]
    return [*fit(title, width), (" " * _GAP, ""), *fit(beside, room - width - _GAP)]


# A popup: an input line, choices, and a sentence about the current choice.

Row = Choice[Any] | Heading

_WIDEST_TITLE = 30
_LONGEST_TITLE = 70
WIDTHS = [(0, "-small"), (60, "-roomy"), (112, "-vast")]
HEIGHTS = [(0, "-low"), (30, "-high"), (44, "-tall")]
_AROUND_ROWS = 4
"""Lines besides the rows: the input line, the sentence, the border."""


_SHORT = 20
"""The most rows of a menu in which letters move the cursor."""


def _is_walked(rows: Sequence[Row]) -> bool:
    """Whether letters move the cursor: in a few rows of which none begins with them."""
    names = [row.title[:1].casefold() for row in rows]
    return len(names) <= _SHORT and not {"j", "k"} & {*names}


def titled(title: str) -> str:
    """The title of a popup, cut to its width."""
    return shortened(clean(title[: 2 * _LONGEST_TITLE]), _LONGEST_TITLE)


class Popup(Over[V]):
    """Returns a choice or None; only one popup is open at a time."""

    is_menu: ClassVar[bool] = False
    """Whether letters move the cursor in a few rows, as long as nothing is typed."""

    verb: str = "select"
    """What enter does with a row."""

    other: V | None = None
    """The result of the key for another project; None if it has no meaning."""

    is_fitting: ClassVar[bool] = False
    """Whether its height fits its initial rows, because no rows are added later."""

    is_wide: ClassVar[bool] = False
    """Whether it is larger on large screens, because every row contains a sentence."""

    AUTO_FOCUS = "LineInput"
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    DEFAULT_CSS = """
    Popup { align: center middle; background: transparent; }
    Popup > Vertical {
        width: 76;
        height: 20;
        max-width: 100%;
        max-height: 20;
        background: $background;
    }
    Popup.-high > Vertical { height: 24; max-height: 24; }
    Popup.-wide.-tall > Vertical { height: 36; max-height: 36; }
    Popup.-wide.-roomy > Vertical { width: 96%; max-width: 108; }
    Popup.-wide.-vast > Vertical { width: 108; }
    Popup.-small > Vertical {
        width: 100%;
        height: 100%;
        min-height: 100%;
        max-height: 100%;
    }
    """

    def __init__(self, title: str, hint: str, palette: Palette) -> None:
        super().__init__(titled(title), palette)
        self._line = LineInput(hint)
        self._list = ChoiceList()
        self._detail = Bar()

    @property
    def holding(self) -> Scope:
        """The scope of keys while it is open."""
        if self.other is not None:
            return Scope.PROJECT
        is_walked = self.is_menu and not self.typed and _is_walked(self.rows(""))
        return Scope.MENU if is_walked else Scope.POPUP

    @abstractmethod
    def rows(self, typed: str) -> Sequence[Row]:
        """The choices for the typed text."""

    def framed(self) -> ComposeResult:
        """The input line, the rows, and a sentence about one of them."""
        yield InputRow(self._line)
        yield self._list.lines.sheet
        yield self._detail

    def on_mount(self) -> None:
        """Show the initial rows."""
        self.set_class(self.is_wide, "-wide")
        if self.is_fitting:
            self.query_one(Vertical).styles.height = self.most_rows + _AROUND_ROWS
            self._list.lines.sheet.display = self.most_rows > 0
        self.fill()
        self.opened()

    @property
    def most_rows(self) -> int:
        """The maximum number of rows."""
        return len(self.rows(""))

    def opened(self) -> None:
        """Called once it is open."""

    def changed(self) -> None:
        """Called when the typed text changes."""
        self.fill()

    @property
    def typed(self) -> str:
        """The typed text."""
        return self._line.value

    @property
    def nothing(self) -> str:
        """The message if there are no choices."""
        return "No matches."

    def fill(self, *, keeps: bool = False, at: Key | None = None) -> None:
        """Update the rows; the cursor keeps its choice, or moves to `at`."""
        rows = self.rows(self.typed)
        choices = [row for row in rows if isinstance(row, Choice)]
        titles = [cell_len(one.title) for one in choices if one.aside or one.why_not]
        rights = [width_of(one.right) for one in choices]
        self._list.title_width = min(max(titles, default=0), _WIDEST_TITLE)
        self._list.right_width = max(rights, default=0)
        self._list.lines.set_rows(Held(rows, key=_key), keeps=keeps)
        if at is not None:
            self._list.lines.to_key((at,))
        self._tell()

    def chose(self, choice: Choice[V]) -> None:
        """Close with a choice, if it can be chosen."""
        if choice.why_not is None:
            self.dismiss(choice.value)

    def action_choose(self) -> None:
        """Choose the row at the cursor."""
        choice = self._list.chosen
        if choice is not None:
            self.chose(choice)

    def action_other_project(self) -> None:
        """Close, to choose another project."""
        self.dismiss(self.other)

    def action_choice(self, rows: int) -> None:
        """Move the cursor."""
        self._list.lines.move(rows)

    def action_choice_page(self, pages: int) -> None:
        """Move the cursor by a page."""
        self._list.lines.page(pages)

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.changed()

    @on(reports.Highlighted)
    def _highlighted(self, event: reports.Highlighted) -> None:
        event.stop()
        self._tell()

    @on(reports.Chosen)
    def _clicked_twice(self, event: reports.Chosen) -> None:
        event.stop()
        self.action_choose()

    def _tell(self) -> None:
        """Show the sentence about the choice at the cursor."""
        choice = self._list.chosen
        if choice is None:
            told, tone = self.nothing, "warning"
        elif choice.why_not:
            told, tone = choice.why_not, "warning"
        else:
            told, tone = choice.detail, "muted"
        self._detail.items = Items((Item(([(f" {clean(told)}", tone)],)),))


def _key(row: Row) -> Key:
    """The key of a row: the value of a choice, the title of a heading."""
    return row.title if isinstance(row, Heading) else (row.value,)


# A picker: one of several choices, found by a part of its name.


class Picker(Popup[ROWS_V]):
    """Returns the value of a choice."""

    is_fitting = is_menu = True
    DEFAULT_CSS = "Picker.-vast > Vertical { width: 108; }"

    def __init__(
        self,
        title: str,
        rows: Sequence[Choice[ROWS_V] | Heading],
        palette: Palette,
        *,
        current: ROWS_V | None = None,
        nothing: str = "",
    ) -> None:
        """`current` gets the cursor; `nothing` is shown if there are no choices."""
        super().__init__(title, "type to search", palette)
        self._current = current
        self.offer(rows, nothing)

    def offer(self, rows: Sequence[Choice[ROWS_V] | Heading], nothing: str) -> None:
        """Use these rows from now on."""
        self._nothing = nothing
        self._rows = rows
        self._choices = [row for row in rows if isinstance(row, Choice)]
        self._names = Names(f"{one.title}\n{one.aside}" for one in self._choices)

    @property
    def nothing(self) -> str:
        """The message if there are no choices."""
        return super().nothing if self._choices else self._nothing or super().nothing

    def rows(self, typed: str) -> Sequence[Choice[ROWS_V] | Heading]:
        """All rows, or the choices that match the typed text, best first."""
        words = typed.split()
        if not words:
            return self._rows
        near = self._names.similar(words, len(self._choices))
        return [self._choices[one.position] for one in near]

    def opened(self) -> None:
        """Move the cursor to the current choice."""
        if self._current is not None:
            self.fill(at=self._current)


class LatePicker(Picker[ROWS_V]):
    """Returns the value of a choice; the rows come once they are found."""

    is_fitting = is_menu = False

    def __init__(
        self,
        title: str,
        asking: str,
        find: Callable[[], Awaitable[tuple[Sequence[Choice[ROWS_V] | Heading], str]]],
        palette: Palette,
    ) -> None:
        """`asking` is shown meanwhile; `find` gives the rows, or why none."""
        super().__init__(title, (), palette, nothing=asking)
        self._find = find

    def opened(self) -> None:
        """Begin to look for the rows."""
        self.run_worker(self._fill)

    async def _fill(self) -> None:
        self.offer(*await self._find())
        self.fill()
