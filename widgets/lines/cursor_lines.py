"""Rows, as many as there may be, and a cursor that keeps its record.

Keys are no business of a list: the program binds them to what a list can do.
"""

from abc import abstractmethod
from collections.abc import Hashable, Iterable, Iterator
from typing import ClassVar, Generic, TypeVar

from textual.geometry import Offset
from textual.strip import Strip

from widgets.lines import reports
from widgets.lines.cursor import scrolled, within
from widgets.lines.pieces import Piece, Pieces, strip
from widgets.lines.rows import Held, Key, Rows
from widgets.lines.sheet import Sheet
from widgets.styles.palette import BLURRED, FOCUSED, NOWHERE

R = TypeVar("R")

GUTTER = 1
"""The column of marks, before all others."""

_WAITING: Pieces = (("…", "faint"),)
"""A row that is not at hand yet."""

_MARKED: Piece = ("✓", "marked")
_FRESH: Piece = ("•", "ok")
_NEW: Piece = ("•", "brand")
"""What stands before a row that is marked, one that has just changed, and one that came
since somebody looked last."""

_TWICE = 2


class CursorLines(Sheet, Generic[R]):
    """Shows rows, a row a line; subclasses say what a record looks like."""

    Highlighted: ClassVar = reports.Highlighted
    Chosen: ClassVar = reports.Chosen
    Wanted: ClassVar = reports.Wanted

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._rows: Rows[R] = Held[R]()
        self._cursor = 0
        self._is_moved = False
        self._asked = range(0)
        self._fresh: frozenset[Key] = frozenset()
        self._new: frozenset[Key] = frozenset()

    @abstractmethod
    def draw(self, record: R, width: int) -> Pieces:
        """What a record looks like; pieces in the tone `title` stand out at times."""

    @property
    def rows(self) -> Rows[R]:
        """What is shown."""
        return self._rows

    def set_rows(self, rows: Rows[R], *, keeps: bool = True) -> None:
        """Show other rows.

        With `keeps` the cursor stays with its record, and that where it is on the
        screen; where its record is gone, the cursor stays in its place. Otherwise all
        begins at the top.
        """
        before, line = self.cursor_key, self._cursor - self.first
        self._rows = rows
        self._asked = range(0)
        self.forget()
        self._is_moved = self._is_moved and keeps
        found = rows.find(before) if keeps and before is not None else None
        kept = self._cursor if keeps else 0
        self._cursor = within(kept if found is None else found, len(rows))
        self.measure()
        self.scroll_top(self._cursor - line if keeps else 0)
        self.settle()
        if self.cursor_key != before or not len(rows):
            self._report()

    def arrived(self) -> None:
        """Draw the rows whose records were brought meanwhile."""
        self._asked = range(0)
        self.forget()
        self.settle()

    def count(self) -> int:
        """How many rows there are."""
        return len(self._rows)

    def key(self, position: int) -> Key:
        """The key of a row."""
        return self._rows.key(position)

    def row(self, position: int, width: int) -> Pieces:
        """What a row looks like, as far as it is known."""
        record = self.record(position)
        return _WAITING if record is None else self.draw(record, width)

    def record(self, position: int) -> R | None:
        """The record of a row; None where it is not at hand."""
        page = self._rows.page(position, position + 1)
        return page[0] if page else None

    @property
    def cursor(self) -> int:
        """The position of the cursor."""
        return self._cursor

    @property
    def cursor_key(self) -> Key | None:
        """The key of the row at the cursor; None where there is no row."""
        return self.key(self._cursor) if self._cursor < self.count() else None

    @property
    def at_cursor(self) -> R | None:
        """The record at the cursor, where there is one and it is at hand."""
        return self.record(self._cursor) if self._cursor < self.count() else None

    @property
    def is_moved(self) -> bool:
        """Whether the cursor was put anywhere since all began at the top."""
        return self._is_moved

    def to(self, position: int) -> None:
        """Put the cursor on a row, or on the one that is nearest to it."""
        self._is_moved = True
        before, self._cursor = self._cursor, within(position, self.count())
        self.moved()
        self.settle()
        if self._cursor != before:
            self._report()

    def to_key(self, key: Key) -> bool:
        """Put the cursor on the row with a key; tells whether there is one."""
        found = self._rows.find(key)
        if found is not None:
            self.to(found)
        return found is not None

    def move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self.to(self._cursor + rows)

    def page(self, pages: int) -> None:
        """Move the cursor by what is in view, one row of it left for the eye."""
        self.move(pages * max(self.room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Move the cursor by half of what is in view."""
        self.move(pages * max(self.room // 2, 1))

    def top(self) -> None:
        """Move the cursor to the first row."""
        self.to(0)

    def bottom(self) -> None:
        """Move the cursor to the last row."""
        self.to(self.count() - 1)

    def choose(self) -> None:
        """Ask for the row at the cursor to be opened."""
        key = self.cursor_key
        if key is not None:
            self.post_message(reports.Chosen(self, key, self._cursor))

    def moved(self) -> None:
        """What else is to be done when the cursor has moved."""

    def set_fresh(self, keys: Iterable[Key]) -> None:
        """Let rows stand out that are new or other than they were."""
        self._fresh = frozenset(keys)
        self.redraw()

    def set_new(self, keys: Iterable[Key]) -> None:
        """Tell which rows came since somebody looked last, until others are told."""
        self._new = frozenset(keys)
        self.redraw()

    def is_marked(self, key: Key) -> bool:
        """Whether a row stands out even without the cursor."""
        del key
        return False

    def line(self, position: int, width: int) -> Strip:
        """One row, drawn, or as it was drawn before."""
        key, state = self.key(position), self._state(position)
        marked = self.is_marked(key)
        fresh, new = key in self._fresh, key in self._new
        kept: Hashable = self.kept(key, marked, fresh, new, state)
        drawn = self._strips.get(kept)
        if drawn is None:
            sign = _MARKED if marked else _FRESH if fresh else _NEW if new else None
            pieces = self._composed(position, width, state, sign)
            drawn = strip(pieces, width, self.brush(state))
            self._strips[kept] = drawn
        return drawn

    def _composed(
        self, position: int, width: int, state: str, sign: Piece | None
    ) -> Iterator[Piece]:
        """The sign, and the row; its title stands out where the row does."""
        if sign:
            yield sign
        else:
            is_bare = self.palette.is_flat and state == BLURRED
            yield ("▌", "edge") if is_bare else (" ", "")
        stands_out = sign or state
        for text, tone in self.row(position, max(width - GUTTER, 0)):
            yield text, f"{tone} strong" if stands_out and "title" in tone else tone

    def _state(self, position: int) -> str:
        if position != self._cursor:
            return NOWHERE
        return FOCUSED if self.has_focus else BLURRED

    def resized(self) -> None:
        """Keep the cursor in view."""
        self.measure()
        self.settle()

    def clicked(self, position: int, x: int, times: int) -> None:
        """One click moves the cursor, two open."""
        del x
        self.to(position)
        if times == _TWICE:
            self.choose()

    def on_focus(self) -> None:
        """The terminal's own cursor comes along, once the list knows of its focus."""
        self.call_next(self._point)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Look ahead for what comes into view."""
        super().watch_scroll_y(old_value, new_value)
        self._look_ahead()
        self._point()

    def settle(self) -> None:
        """Bring the cursor into view, and the screen up to date."""
        top = scrolled(self.first, self.room, self._cursor)
        if top != self.first and self.room:
            self.scroll_top(top)
        self._look_ahead()
        self.redraw()
        self._point()

    def _look_ahead(self) -> None:
        """Ask for the records that are missing in view, and a view before and after.

        Where nothing is in view, the one at the cursor is read elsewhere.
        """
        first, last = max(self.first - self.room, 0), self.first + 2 * self.room
        if not self.room:
            first, last = self._cursor, self._cursor + 1
        page = self._rows.page(first, last)
        missing = [at for at, record in enumerate(page, first) if record is None]
        asked = self._asked
        if missing and not (missing[0] in asked and missing[-1] in asked):
            self._asked = range(missing[0], missing[-1] + 1)
            wanted = reports.Wanted(self, self._asked.start, self._asked.stop)
            self.post_message(wanted)

    def _point(self) -> None:
        """Let the terminal's own cursor follow, for magnifiers and screen readers."""
        row = self._cursor - self.first + self.head_height
        if self.has_focus and self.head_height <= row < self.size.height:
            at = self.content_region.offset + Offset(0, row)
            self.app.cursor_position = at  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here

    def _report(self) -> None:
        highlighted = reports.Highlighted(self, self.cursor_key, self._cursor)
        self.post_message(highlighted)
