"""A cursor among rows of several lines, and what is folded away beneath some of them.

From when there are other rows on, until it is known how they lie, what was shown stays,
and moves of the cursor wait.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import TypeVar

from widgets.columns.column import Column
from widgets.lines.cursor import within
from widgets.lines.rows import Key, Rows
from widgets.timeline.laid_lines import LaidLines
from widgets.timeline.layout import Kind, Layout, Part

R = TypeVar("R")


class BlockLines(LaidLines[R]):
    """Rows as blocks, with a cursor."""

    def __init__(
        self,
        columns: Iterable[Column[R]],
        *,
        id: str | None = None,  # noqa: A002  # as every widget has it
        classes: str | None = None,
    ) -> None:
        super().__init__(columns, id=id, classes=classes)
        self._moves: list[Callable[[], None]] = []
        self._stays_at: int | None = None
        """The row of the screen in which the cursor is to stay."""
        self._reveals = False
        self._unfolded: set[Key] = set()

    @property
    def unfolded(self) -> frozenset[Key]:
        """The keys of the rows beneath which all is shown."""
        return frozenset(self._unfolded)

    def set_rows(self, rows: Rows[R], *, keeps: bool = True) -> None:
        """Take other rows; they are shown once somebody says how they lie."""
        self._marks.end()
        before = self.cursor_key
        if not keeps or before is None:
            self._stays_at = None
        elif self._is_laid:
            self._stays_at = self._line_of(self._cursor) - self.top_line
        self._rows = rows
        self._asked_for = ()
        self._is_laid = self._reveals = False
        self._moves.clear()
        found = rows.find(before) if keeps and before is not None else None
        kept = self._cursor if keeps else 0
        self._cursor = within(kept if found is None else found, len(rows))
        if self.cursor_key != before or not len(rows):
            self._report()

    def lay(self, laid: Layout, *, reveals: bool = False) -> None:
        """Show the rows as they lie; `reveals` what is at the cursor, if folded.

        The cursor stays in its row of the screen; where all is new, the end is shown.
        """
        self._laid = laid
        self._is_laid = True
        self.forget()
        self._leave_fold(reveals=reveals or self._reveals)
        self.measure()
        is_new = self._stays_at is None
        line = laid.lines if is_new else self._line_of(self._cursor)
        self.scroll_top(line - (self._stays_at or 0))
        for move in self._moves:
            move()
        self._moves.clear()
        self.settle()

    def lay_anew(self, before: Layout, laid: Layout) -> None:
        """Show the same rows otherwise, unless there are others by now."""
        if self._is_laid and self._laid is before:
            self._stays_at = self._line_of(self._cursor) - self.top_line
            self.lay(laid)

    def fold(self, position: int, *, folded: bool) -> bool:
        """Fold away what is beneath a row or beside it, or show what is beneath.

        Tells whether that is anything new.
        """
        if not self._is_laid or not self.count():
            return False
        owner = self._laid.owner(position) if folded else position
        if not self._laid.fold(owner, folded=folded):
            return False
        change = self._unfolded.discard if folded else self._unfolded.add
        change(self.key(owner))
        self.forget()
        self._leave_fold(reveals=False)
        self.measure()
        self.settle()
        return True

    def to(self, position: int) -> None:
        """Put the cursor on a row; what it is folded under is opened."""
        if not self._is_laid:
            self._reveals = True
        elif self.count():
            position = within(position, self.count())
            if self._laid.is_hidden(position):
                self._reveal(position)
        super().to(position)

    def move(self, rows: int) -> None:
        """Move the cursor by some of the rows that are shown."""
        if not self._is_laid:
            self._moves.append(partial(self.move, rows))
        elif self.count():
            self.to(self._laid.moved(self._cursor, rows))

    def page(self, pages: int) -> None:
        """Move the cursor by what is in view, one line of it left for the eye."""
        self._move_lines(lambda: pages * max(self.room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Move the cursor by half of what is in view."""
        self._move_lines(lambda: pages * max(self.room // 2, 1))

    def top(self) -> None:
        """Move the cursor to what is shown first."""
        self._move_lines(lambda: -self._laid.lines)

    def bottom(self) -> None:
        """Move the cursor to what is shown last."""
        self._move_lines(lambda: self._laid.lines)

    def part_clicked(self, part: Part, x: int, times: int) -> None:
        """A fold is opened or closed, quiet is left alone, all else is gone to."""
        position = self._laid.items.positions[part.item]
        if part.kind is Kind.FOLD:
            self.to(position)
            is_folded = position not in self._laid.unfolded
            self.fold(position, folded=not is_folded)
        elif part.kind is not Kind.GAP:
            self.clicked(position, x, times)

    def _stretch(self, anchor: int) -> None:
        """Let the range hold what is shown from its beginning to the cursor."""
        if self._is_laid:
            shown = self._laid.between(anchor, self._cursor)
            self._marks.stretch(self.key(at) for at in shown)
            self._marked()

    def _move_lines(self, lines: Callable[[], int]) -> None:
        """Move the cursor by lines, and by one row at least."""
        if not self._is_laid:
            self._moves.append(partial(self._move_lines, lines))
        elif self.count():
            step = lines()
            goal = self._line_of(self._cursor) + step
            position = self._laid.nearest(goal)
            if position == self._cursor and 0 <= goal < self._laid.lines:
                position = self._laid.moved(self._cursor, 1 if step > 0 else -1)
            self.to(position)

    def _leave_fold(self, *, reveals: bool) -> None:
        """Let the cursor be nowhere that is folded away."""
        if self.count() and self._laid.is_hidden(self._cursor):
            if reveals:
                self._reveal(self._cursor)
            else:
                self._cursor = self._laid.owner(self._cursor)
                self._report()

    def _reveal(self, position: int) -> None:
        owner = self._laid.owner(position)
        self._laid.fold(owner, folded=False)
        self._unfolded.add(self.key(owner))
        self.forget()
        self.measure()
