"""A table whose rows take one line or several; the cursor goes from row to row."""

from abc import abstractmethod
from typing import TypeVar

from textual import events
from textual.geometry import Offset, Size
from textual.strip import Strip

from widgets.agenda.plan import Place, Plan
from widgets.columns.table import Table
from widgets.lines.pieces import strip
from widgets.lines.rows import Rows

R = TypeVar("R")


class Blocks(Table[R]):
    """Rows as blocks of lines; subclasses plan them, and draw their lines."""

    plan = Plan()
    """Which row stands in which line."""

    @abstractmethod
    def planned(self, rows: Rows[R]) -> Plan:
        """The plan of other rows, as far as they are known."""

    @abstractmethod
    def part(self, place: Place, width: int) -> Strip:
        """One line of a row."""

    @abstractmethod
    def lead(self, row: int) -> int:
        """How many lines of a row only lead to it: they may be out of view."""

    @property
    def uppermost(self) -> int:
        """The first line in view."""
        return self.scroll_offset.y

    @property
    def first(self) -> int:
        """The first row in view."""
        return self.plan.at(self.uppermost).row

    @property
    def cursor_line(self) -> int:
        """The line at which the row with the cursor itself begins."""
        return self.plan.start(self.cursor) + self.lead(self.cursor)

    def set_rows(self, rows: Rows[R], *, keeps: bool = True) -> None:
        """Show other rows; with `keeps` the cursor's line stays where it is."""
        line = self.cursor_line - self.uppermost
        self.plan = self.planned(rows)
        super().set_rows(rows, keeps=keeps)
        if keeps:
            self.scroll_to_line(self.cursor_line - line)
            self.settle()

    def set_plan(self, plan: Plan) -> None:
        """Give the same rows other lines; the cursor's line stays where it is."""
        line = self.cursor_line - self.uppermost
        self.plan = plan
        self.forget()
        self.measure()
        self.scroll_to_line(self.cursor_line - line)
        self.settle()

    def measure(self) -> None:
        """Take the number of lines over into the length that can be scrolled."""
        self.virtual_size = Size(0, self.plan.lines + self.head_height)

    def scroll_top(self, position: int) -> None:
        """Scroll until a row is the first in view."""
        self.scroll_to_line(self.plan.start(position))

    def scroll_lines(self, lines: int) -> None:
        """Scroll without anything else."""
        self.scroll_to_line(self.uppermost + lines)

    def scroll_to_line(self, line: int) -> None:
        """Scroll until a line is the first in view, or the row that it leads to."""
        row, part = self.plan.at(line)
        super().scroll_top(max(line, 0) + max(self.lead(row) - part, 0))

    def page(self, pages: int) -> None:
        """Move the cursor by what is in view, one line of it left for the eye."""
        self._move_by_lines(pages * max(self.room - 1, 1))

    def half_page(self, pages: int) -> None:
        """Move the cursor by half of what is in view."""
        self._move_by_lines(pages * max(self.room // 2, 1))

    def settle(self) -> None:
        """Bring the row of the cursor into view, and the screen up to date."""
        line, end = self.cursor_line, self.plan.start(self.cursor + 1)
        if self.room and line < self.uppermost:
            self.scroll_to_line(line)
        elif self.room and end > self.uppermost + self.room:
            self.scroll_to_line(min(end - self.room, line))
        self._look_ahead()
        self.redraw()
        self._point()

    def on_click(self, event: events.Click) -> None:
        """Tell which row was clicked; lines are counted otherwise here."""
        event.prevent_default()
        at: Offset | None = event.get_content_offset(self)
        if at is None or at.x >= self.text_width:
            return
        line = at.y - self.head_height + self.uppermost
        if at.y < self.head_height:
            self.head_clicked(at.x)
        elif line < self.plan.lines:
            self.clicked(self.plan.at(line).row, at.x, event.chain)

    def _move_by_lines(self, lines: int) -> None:
        """Move the cursor to the row so many lines away, and by one row at least."""
        wanted = self.plan.at(self.cursor_line + lines).row
        step = 1 if lines > 0 else -1
        self.to(wanted if wanted != self.cursor else wanted + step)

    def _row_of(self, y: int, width: int) -> Strip:
        """The head, a line of a row, or nothing below the last."""
        if self.has_head and y == 0:
            return strip(self.head(width), width, self.brush())
        line = y - self.head_height + self.uppermost
        if line < self.plan.lines:
            return self.part(self.plan.at(line), width)
        return Strip.blank(width, self.brush().base)

    def _point(self) -> None:
        """Let the terminal's own cursor follow, for magnifiers and screen readers."""
        row = self.cursor_line - self.uppermost + self.head_height
        if self.has_focus and self.head_height <= row < self.size.height:
            at = self.content_region.offset + Offset(0, row)
            self.app.cursor_position = at  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here
