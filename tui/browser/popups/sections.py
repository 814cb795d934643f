"""Rows under headings, of which the cursor passes over the headings."""

from typing import Generic, TypeVar

from tui.browser.popups.rows import Heading
from widgets.lines.cursor import within
from widgets.lines.cursor_lines import CursorLines
from widgets.lines.rows import Rows

R = TypeVar("R")


class Sections(CursorLines[R | Heading], Generic[R]):
    """Shows rows and headings; the cursor is on a row wherever there is one."""

    def set_rows(self, rows: Rows[R | Heading], *, keeps: bool = True) -> None:
        """Show other rows; the cursor begins at the first that is no heading."""
        super().set_rows(rows, keeps=keeps)
        self.to(self.cursor)

    def to(self, position: int) -> None:
        """Put the cursor on a row; from a heading it goes on as it was going."""
        wanted = within(position, self.count())
        step = -1 if wanted < self.cursor else 1
        found = self._seek(wanted, step)
        if found is None:
            found = self._seek(wanted, -step)
        super().to(wanted if found is None else found)
        if self._seek(self.cursor - 1, -1) is None:
            self.scroll_top(0)

    @property
    def chosen(self) -> R | None:
        """The row at the cursor."""
        row = self.at_cursor
        return None if isinstance(row, Heading) else row

    def clicked(self, position: int, x: int, times: int) -> None:
        """A heading does nothing."""
        if not isinstance(self.record(position), Heading):
            super().clicked(position, x, times)

    def _seek(self, position: int, step: int) -> int | None:
        """The nearest row in one direction."""
        while 0 <= position < self.count():
            if not isinstance(self.record(position), Heading):
                return position
            position += step
        return None
