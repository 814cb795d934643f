"""The list: rows with a cursor, marks, and the messages that it sends."""

import textwrap
from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any, Generic, TypeVar

from textual.message import Message
from textual.strip import Strip

from widgets.rows import Arrangement, Held, Key, Keys, Rows
from widgets.sheet import (
    Content,
    Notice,
    Piece,
    Pieces,
    Sheet,
    runs,
    scrolled,
    strip,
    within,
)
from widgets.styles import BLURRED, FOCUSED, NOWHERE

R = TypeVar("R")

# Marks: the rows that an action applies to, by key, whatever is in view.


class Marks(AbstractSet[Key]):
    """The keys of the marked rows of a list, in view or not."""

    def __init__(self, lines: "Lines[Any]") -> None:
        self._lines = lines
        self._keys: set[Key] = set()
        self._before: set[Key] | None = None
        self._takes = False
        self._anchor: int | None = None
        """The start of the range that is being selected; None without one."""

    def __contains__(self, key: object) -> bool:
        return key in self._keys

    def __iter__(self) -> Iterator[Key]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def toggle(self) -> None:
        """Toggle the mark of the row at the cursor, and move to the next."""
        if self._lines.cursor_key is not None:
            self.toggle_key(self._lines.cursor_key)
            self._lines.move(1)

    def toggle_key(self, key: Key) -> None:
        """Toggle the mark of a row."""
        self.end()
        keys = set(self._lines.face.keys.stands_for(key))
        self._keys = self._keys - keys if keys <= self._keys else self._keys | keys
        self._report()

    def holds(self, key: Key) -> bool:
        """Whether all records of a row are marked."""
        return bool(self._keys) and self._keys.issuperset(
            self._lines.face.keys.stands_for(key)
        )

    def select(self, takes: bool = False) -> None:  # noqa: FBT001, FBT002  # as in the command's action
        """Start a range at the cursor, or finish the current one.

        With `takes`, the range removes marks.
        """
        if self._anchor is None and self._lines.count():
            self._before = set(self._keys)
            self._takes = takes
            self._anchor = self._lines.cursor
            self.follow()
        else:
            self.end()
        self._lines.sheet.redraw()

    def toggle_all(self) -> None:
        """Mark all rows, or none if all are marked."""
        keys = self._listed()
        self.replace(set() if keys <= self._keys else keys | self._keys)

    def invert(self) -> None:
        """Mark the rows that are not marked, and no other."""
        self.replace(self._keys ^ self._listed())

    def replace(self, keys: Iterable[Key]) -> None:
        """Mark only these rows."""
        self.end()
        self._keys = set(keys)
        self._report()

    def follow(self) -> None:
        """Extend the current range to the cursor."""
        laid, before = self._lines.laid, self._before
        if self._anchor is None or before is None or laid is None:
            return
        rows = laid.between(self._anchor, self._lines.cursor)
        keys = self._keys_of(rows)
        self._keys = before - keys if self._takes else before | keys
        self._report()

    def end(self) -> None:
        """Finish the range."""
        self._before = self._anchor = None

    def _listed(self) -> set[Key]:
        return self._keys_of(range(self._lines.count()))

    def _keys_of(self, rows: Iterable[int]) -> set[Key]:
        lines = self._lines
        return {
            key for row in rows for key in lines.face.keys.stands_for(lines.key(row))
        }

    def _report(self) -> None:
        self._lines.sheet.redraw()
        self._lines.sheet.post_message(Marked(self._lines.sheet, len(self)))


# The reports of a list: requests, never actions.


class Report(Notice):
    """A report of a list."""

    sheet: Sheet
    """The widget that shows the list."""

    @property
    def control(self) -> Sheet:
        """The widget, for the selectors of handlers."""
        return self.sheet


class Highlighted(Report, namespace="lines"):
    """The cursor moved to a row; without a key if there are no rows."""

    key: Key | None
    position: int

    def can_replace(self, message: Message) -> bool:
        """Only the latest position matters."""
        return isinstance(message, Highlighted) and message.sheet is self.sheet


class Chosen(Report, namespace="lines"):
    """The row at the cursor should be opened."""

    key: Key
    position: int


class Marked(Report, namespace="lines"):
    """The marked rows changed."""

    count: int

    def can_replace(self, message: Message) -> bool:
        """Only the latest count matters."""
        return isinstance(message, Marked) and message.sheet is self.sheet


class Wanted(Report, namespace="lines"):
    """Rows in view, or soon to be, have no records yet."""

    first: int
    last: int
    """The end, exclusive."""


# How a list looks, and what happens in it beyond moving and marking.

GUTTER = 1
"""The column of marks, before all others."""

_WAITING: Pieces = (("…", "faint"),)
"""A row that is not loaded yet."""


def said(told: Iterable[str], width: int) -> list[str]:
    """The lines of paragraphs that are shown in place of rows."""
    room = max(width - 2 * GUTTER, 1)
    return [line for one in told for line in textwrap.wrap(one, room)]


class Face(Generic[R]):
    """Draws the records of a list; subclasses say how."""

    has_head = False
    """Whether there is a fixed line above all rows."""

    can_mark = False
    """Whether a click beside a row marks it."""

    opens_at_end = False
    """Whether other rows are shown from their end."""

    nothing: Sequence[str] = ()
    """What is said without any row, in paragraphs."""

    def __init__(self, sheet: Sheet) -> None:
        self.keys: Keys[R] = Keys()
        """The records behind the keys of rows."""
        self.lines: Lines[R] = Lines(sheet, self)
        """The list."""

    @abstractmethod
    def draw(self, record: R, width: int) -> Pieces:
        """Draw a record; pieces in the tone `title` may be highlighted."""

    def draw_row(self, row: int, record: R, width: int) -> Pieces:
        """Draw the record of a row, where its position matters."""
        del row
        return self.draw(record, width)

    def draw_beside(self, line: int, row: int, width: int) -> Pieces:
        """Draw a line of a row other than the one with the cursor."""
        del line, row, width
        return ()

    def draw_after(self, line: int, width: int) -> Pieces:
        """Draw a line after the last row."""
        told = () if self.lines.count() else said(self.nothing, width)
        return [(f" {one}", "muted") for one in told[line : line + 1]]

    def cursor_state(self) -> str:
        """How the row at the cursor is shown."""
        return FOCUSED if self.lines.sheet.has_focus else BLURRED

    def head(self, width: int) -> Pieces:
        """The fixed line above all rows, if `has_head` is set."""
        del width
        return ()

    def arranged(self, rows: Rows[R]) -> Arrangement | None:
        """How other rows lie on lines; None until `lay` sets it."""
        return Arrangement(len(rows))

    def reached(self, row: int, before: int) -> int:
        """Where the cursor goes that should go to a row."""
        del before
        return row

    def viewed(self) -> None:
        """A hook called when other rows may be in view."""

    def resized(self) -> None:
        """A hook called when the size has changed."""

    def choose(self, key: Key, row: int) -> None:
        """Request opening the row at the cursor."""
        sheet = self.lines.sheet
        sheet.post_message(Chosen(sheet, key, row))

    def clicked(self, line: int, row: int, x: int, times: int) -> None:
        """Move the cursor on a click, open on a double click, mark beside the row."""
        del line
        self.lines.to(row)
        if times == _TWICE:
            self.lines.choose()
        if self.can_mark and x < GUTTER and times == 1:
            self.lines.marks.toggle_key(self.lines.key(row))

    def head_clicked(self, x: int) -> None:
        """A hook called when the head is clicked."""

    def renew(self) -> None:
        """Draw all rows again."""
        self.lines.sheet.forget()
        self.lines.sheet.redraw()


# The signs before rows, and the lines that show them.

_MARKED: Piece = ("✓", "marked")
_FRESH: Piece = ("•", "ok")
_NEW: Piece = ("•", "brand")
"""The sign before a row that is marked, just changed, or new since the last session."""

_TWICE = 2


class Signs:
    """What is shown before the rows of a list."""

    def __init__(self, lines: "Lines[Any]") -> None:
        self._lines = lines
        self._fresh: frozenset[Key] = frozenset()
        self._new: frozenset[Key] = frozenset()

    def set_fresh(self, keys: Iterable[Key]) -> None:
        """Highlight rows that are new or changed."""
        self._fresh = frozenset(keys)
        self._lines.sheet.redraw()

    def set_new(self, keys: Iterable[Key]) -> None:
        """Mark the rows that are new since the last session."""
        self._new = frozenset(keys)
        self._lines.sheet.redraw()

    def of(self, key: Key) -> Piece | None:
        """The sign of a row, if it has one."""
        if self._lines.marks.holds(key):
            return _MARKED
        return _FRESH if key in self._fresh else _NEW if key in self._new else None


class Drawing(Content):
    """The lines of a list on its sheet."""

    def __init__(self, sheet: Sheet, lines: "Lines[Any]") -> None:
        super().__init__(sheet)
        self._lines = lines
        self.has_head = lines.face.has_head

    @property
    def height(self) -> int:
        """The number of lines, as far as they are known."""
        return self._lines.laid.lines if self._lines.laid is not None else 0

    def head(self, width: int) -> Pieces:
        """The head of the list."""
        return self._lines.face.head(width)

    def line(self, number: int, width: int) -> Strip:
        """One line of a row."""
        laid = self._lines.laid
        if laid is None or number >= laid.lines:
            after = self._lines.face.draw_after(number, width)
            brush = self.sheet.brush()
            return strip(after, width, brush) if after else self.sheet.blank(width)
        row = laid.row_at(number)
        face = self._lines.face
        key, place = self._lines.key(row), number - laid.own_line(row)
        state = face.cursor_state() if row == self._lines.cursor else NOWHERE
        sign = self._lines.signs.of(key) if not place else None

        def drawn() -> Strip:
            if place:
                inner = face.draw_beside(number, row, max(width - GUTTER, 0))
                return strip([(" " * GUTTER, ""), *inner], width, self.sheet.brush())
            pieces = self._own_line(row, width, state, sign)
            return strip(pieces, width, self.sheet.brush(state))

        return self.sheet.cached(drawn, key, place, state, sign)

    def resized(self) -> None:
        """Keep the cursor in view."""
        self._lines.face.resized()
        self.sheet.measure()
        self._lines.settle()

    def scroll(self, lines: int) -> None:
        """Scroll without other effects."""
        if self._lines.laid is not None:
            self.sheet.scroll_top(self._lines.laid.top(self.sheet.first + lines))

    def scrolled(self) -> None:
        """Load ahead what comes into view."""
        self._lines.look_ahead()
        self.focused()

    def focused(self) -> None:
        """Point the terminal's own cursor to the row at the cursor."""
        if self._lines.laid is not None:
            self.sheet.point(self._lines.laid.own_line(self._lines.cursor))

    def left(self) -> None:
        """Finish the range of marks when the focus moves elsewhere."""
        self._lines.marks.end()

    def clicked(self, number: int, x: int, times: int) -> None:
        """Pass a click on with its row."""
        if self._lines.laid is not None:
            row = self._lines.laid.row_at(number)
            self._lines.face.clicked(number, row, x, times)

    def head_clicked(self, x: int) -> None:
        """Pass a click on."""
        self._lines.face.head_clicked(x)

    def _own_line(
        self, row: int, width: int, state: str, sign: Piece | None
    ) -> Iterator[Piece]:
        """The sign and the record; the title is highlighted with the row."""
        if sign:
            yield sign
        else:
            is_bare = self.sheet.palette.is_flat and state == BLURRED
            yield ("▌", "edge") if is_bare else (" ", "")
        record, room = self._lines.record(row), max(width - GUTTER, 0)
        face = self._lines.face
        pieces = _WAITING if record is None else face.draw_row(row, record, room)
        for text, tone in pieces:
            stands_out = (sign or state) and "title" in tone
            yield text, f"{tone} strong" if stands_out else tone


# Any number of rows, and a cursor that stays with its record.

_NEAR = 8
"""The most loaded rows between missing ones that are requested together."""


class Lines(Generic[R]):
    """A list; key bindings are not part of it, as the program binds them.

    Until the arrangement of other rows is known, the previous lines stay on the screen
    and moves of the cursor wait.
    """

    def __init__(self, sheet: Sheet, face: Face[R]) -> None:
        self.sheet = sheet
        self.face = face
        self.marks = Marks(self)
        self.signs = Signs(self)
        self.is_moved = False
        """Whether the cursor was moved since the list started at the top."""
        self.is_sought = False
        """Whether the cursor went to a row before the lines of the rows were known."""
        self.laid: Arrangement | None = Arrangement(0)
        """The lines of the rows; None until they are known."""
        self.rows: Rows[R] = Held[R]()
        """The rows shown; others are shown by `set_rows`."""
        self.cursor = 0
        """The position of the cursor, which `to` moves."""
        self._stays_at: int | None = None
        """The row of the screen in which the cursor should stay."""
        self._moves: list[Callable[[Arrangement], int]] = []
        self._asked: frozenset[int] = frozenset()
        self.drawing = Drawing(sheet, self)

    def set_rows(self, rows: Rows[R], *, keeps: bool = True) -> None:
        """Show other rows.

        With `keeps`, the cursor stays on its record, at the same place on the screen,
        or at its position if the record is gone. Otherwise it starts at the top. Marks
        stay with their records, in view or not.
        """
        self.marks.end()
        before = self.cursor_key
        if not keeps or before is None:
            self._stays_at = None
        elif self.laid is not None:
            self._stays_at = self.laid.own_line(self.cursor) - self.sheet.first
        laid = self.face.arranged(rows)
        self.rows, self.laid = rows, laid
        self._asked = frozenset()
        self._moves.clear()
        self.is_sought, self.is_moved = False, self.is_moved and keeps
        found = rows.find(before) if keeps and before is not None else None
        kept = self.cursor if keeps else 0
        self.cursor = within(kept if found is None else found, len(rows))
        if laid is not None:
            self.cursor = self.face.reached(self.cursor, self.cursor)
            self.lay(laid)
        if self.cursor_key != before or not len(rows):
            self._report()

    def lay(self, laid: Arrangement, cursor: int | None = None) -> None:
        """Show the rows on their lines; the cursor stays in its row of the screen.

        Without its row among the lines, it goes to `cursor`.
        """
        before = self.cursor
        self.cursor = before if cursor is None else cursor
        self.laid = laid
        self.sheet.forget()
        self.sheet.measure()
        if self._stays_at is not None:
            first = laid.own_line(self.cursor) - self._stays_at
        else:
            first = laid.lines if self.face.opens_at_end else 0
        self.sheet.scroll_top(laid.top(first))
        moves, self._moves = self._moves, []
        for move in moves:
            self._go(move)
        self.settle()
        if cursor is not None and cursor != before:
            self._report()

    def lay_again(self, laid: Arrangement) -> None:
        """Change the lines of the same rows."""
        if self.laid is not None:
            self._stays_at = self.laid.own_line(self.cursor) - self.sheet.first
        self.lay(laid)

    def arrived(self) -> None:
        """Draw rows whose records have arrived."""
        self._asked = frozenset()
        self.sheet.forget()
        self.settle()

    def count(self) -> int:
        """The number of rows."""
        return len(self.rows)

    def key(self, position: int) -> Key:
        """The key of a row."""
        return self.rows.key(position)

    def record(self, position: int) -> R | None:
        """The record of a row; None if it is not loaded."""
        page = self.rows.page(position, position + 1)
        return page[0] if page else None

    @property
    def cursor_key(self) -> Key | None:
        """The key of the row at the cursor; None if there are no rows."""
        return self.key(self.cursor) if self.cursor < self.count() else None

    @property
    def at_cursor(self) -> R | None:
        """The record at the cursor; None without rows, or if it is not loaded."""
        return self.record(self.cursor) if self.cursor < self.count() else None

    @property
    def first(self) -> int:
        """The lowest position in view."""
        if self.laid is None:
            return 0
        return min(self.laid.in_view(self.sheet.first, self.sheet.room), default=0)

    def to(self, position: int) -> None:
        """Move the cursor to a row, or the nearest one."""
        self.is_moved = True
        before = self.cursor
        self.cursor = within(position, self.count())
        if self.laid is None:
            self.is_sought = True
        elif self.count():
            self.cursor = self.face.reached(self.cursor, before)
        self.marks.follow()
        self.settle()
        if self.cursor != before:
            self._report()

    def to_key(self, key: Key) -> bool:
        """Move the cursor to a key; return whether it was found."""
        found = self.rows.find(key)
        if found is not None:
            self.to(found)
        return found is not None

    def move(self, rows: int) -> None:
        """Move the cursor by some rows."""
        self._go(lambda laid: laid.moved(self.cursor, rows))

    def page(self, pages: int) -> None:
        """Move the cursor by a page, with one line of overlap."""
        self._go_lines(lambda room: pages * max(room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Move the cursor by half a page."""
        self._go_lines(lambda room: pages * max(room // 2, 1))

    def top(self) -> None:
        """Move the cursor to the first row."""
        self._go(lambda laid: laid.row_at(0))

    def bottom(self) -> None:
        """Move the cursor to the last row."""
        self._go(lambda laid: laid.row_at(laid.lines - 1))

    def choose(self) -> None:
        """Request opening the row at the cursor."""
        key = self.cursor_key
        if key is not None:
            self.face.choose(key, self.cursor)

    def settle(self) -> None:
        """Bring the cursor into view, and update the screen."""
        laid, room = self.laid, self.sheet.room
        if laid is None:
            return
        if self.count() and room:
            span, first = laid.span(self.cursor), self.sheet.first
            top = scrolled(first, room, max(span.stop - 1, span.start))
            top = scrolled(top, room, span.start)
            if top != first:
                self.sheet.scroll_top(laid.top(top))
        self.look_ahead()
        self.sheet.redraw()
        self.drawing.focused()

    def look_ahead(self) -> None:
        """Request the records missing in view, and one page before and after.

        If nothing is in view, request the one at the cursor, which is shown elsewhere.
        """
        laid, room = self.laid, self.sheet.room
        if laid is None:
            return
        first = max(self.sheet.first - room, 0)
        near = laid.in_view(first, self.sheet.first + 2 * room - first)
        wanted = near if room else range(self.cursor, self.cursor + 1)
        missing = absent(self.rows, wanted)
        if not self._asked.issuperset(missing):
            self._asked = frozenset(missing)
            for run in runs(missing, _NEAR):
                self.sheet.post_message(Wanted(self.sheet, run.start, run.stop))
        self.face.viewed()

    def _go(self, goal: Callable[[Arrangement], int]) -> None:
        """Move the cursor to a goal, once the lines of the rows are known."""
        if self.laid is None:
            self._moves.append(goal)
        else:
            self.to(goal(self.laid))

    def _go_lines(self, lines: Callable[[int], int]) -> None:
        """Move the cursor by a number of lines that depends on the room."""
        self._go(lambda laid: laid.paged(self.cursor, lines(self.sheet.room)))

    def _report(self) -> None:
        highlighted = Highlighted(self.sheet, self.cursor_key, self.cursor)
        self.sheet.post_message(highlighted)


def absent(rows: Rows[Any], wanted: Sequence[int]) -> list[int]:
    """The positions whose records are not loaded, in order."""
    if isinstance(wanted, range):
        page = rows.page(wanted.start, wanted.stop)
        return [at for at, record in enumerate(page, wanted.start) if record is None]
    return sorted(at for at in wanted if rows.page(at, at + 1)[0] is None)
