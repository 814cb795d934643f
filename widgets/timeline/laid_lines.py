"""A table whose rows take several lines each, with other lines between them.

Positions are those of the list, and may lie anywhere in it; lines are what is scrolled.
"""

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from textual import events
from textual.geometry import Offset, Size
from textual.strip import Strip

from widgets.columns.column import Column
from widgets.columns.table import Table
from widgets.lines import reports
from widgets.lines.cursor import scrolled
from widgets.lines.cursor_lines import GUTTER
from widgets.lines.pieces import Pieces, strip
from widgets.timeline.items import in_rows
from widgets.timeline.layout import Kind, Layout, Part
from widgets.timeline.scale import Scale

R = TypeVar("R")

_NEAR = 8
"""Rows at hand between two that are not, for which one question is asked of both."""


class LaidLines(Table[R]):
    """Draws rows as somebody says that they lie, and scrolls them line by line."""

    def __init__(
        self,
        columns: Iterable[Column[R]],
        *,
        id: str | None = None,  # noqa: A002  # as every widget has it
        classes: str | None = None,
    ) -> None:
        super().__init__(columns, id=id, classes=classes)
        self._laid = Layout(in_rows(0), Scale.NONE)
        self._is_laid = True
        self._asked_for: Sequence[int] = ()
        self._part = Part(Kind.BLOCK, 0, 0, 1)
        """The line that is being drawn."""

    @abstractmethod
    def beside(self, part: Part, position: int, width: int) -> Pieces:
        """A line that is not the first of its row."""

    @abstractmethod
    def part_clicked(self, part: Part, x: int, times: int) -> None:
        """What is to be done when a line is clicked."""

    @property
    def is_laid(self) -> bool:
        """Whether it is known how the rows lie."""
        return self._is_laid

    @property
    def laid(self) -> Layout:
        """What is on which line."""
        return self._laid

    @property
    def top_line(self) -> int:
        """The first line in view."""
        return self.scroll_offset.y

    @property
    def first(self) -> int:
        """The lowest position in view.

        Where they follow upon one another, those that are in view are among as many
        from here on as there is room for.
        """
        if not self._is_laid:
            return 0
        return min(self._laid.in_view(self.top_line, self.room), default=0)

    def measure(self) -> None:
        """Take the number of lines over."""
        self.virtual_size = Size(0, self._laid.lines + self.head_height)

    def scroll_lines(self, lines: int) -> None:
        """Scroll without anything else."""
        self.scroll_top(self.top_line + lines)

    def settle(self) -> None:
        """Bring the block at the cursor into view, and the screen up to date."""
        if not self._is_laid:
            return
        if self.count() and self.room:
            block = self._laid.with_day(self.cursor)
            top = scrolled(self.top_line, self.room, max(block.stop - 1, block.start))
            top = scrolled(top, self.room, block.start)
            if top != self.top_line:
                self.scroll_top(top)
        self._look_ahead()
        self.redraw()
        self._point()

    def arrived(self) -> None:
        """Draw the rows whose records were brought meanwhile."""
        self._asked_for = ()
        super().arrived()

    def line(self, position: int, width: int) -> Strip:
        """A line, which is what a position on the screen comes to here."""
        part = self._part = self._laid.part(position)
        at = self._laid.items.positions[part.item]
        if part.is_first:
            return super().line(at, width)
        kept = self.kept(self.key(at), self.has_focus and at == self.cursor)
        drawn = self._strips.get(kept)
        if drawn is None:
            pieces = self.beside(part, at, max(width - GUTTER, 0))
            drawn = strip([(" " * GUTTER, ""), *pieces], width, self.brush())
            self._strips[kept] = drawn
        return drawn

    def kept(self, *flags: object) -> tuple[object, ...]:
        """What a line is kept under: each part of a row by itself."""
        return (self._part, self._version, self.text_width, *flags)

    def on_click(self, event: events.Click) -> None:
        """Lines are clicked here, not rows."""
        event.prevent_default()
        at = event.get_content_offset(self)
        if at is None or at.x >= self.text_width or not self._is_laid:
            return
        line = at.y - self.head_height + self.top_line
        if at.y < self.head_height:
            self.head_clicked(at.x)
        elif line < self._laid.lines:
            self.part_clicked(self._laid.part(line), at.x, event.chain)

    def _row_of(self, y: int, width: int) -> Strip:
        """The head, a line, or nothing below the last."""
        if self.has_head and y == 0:
            return strip(self.head(width), width, self.brush())
        line = y - self.head_height + self.top_line
        if self._is_laid and line < self._laid.lines:
            return self.line(line, width)
        return Strip.blank(width, self.brush().base)

    def _line_of(self, position: int) -> int:
        """The first line of a row; the first of all where there are no rows."""
        has_line = position < len(self._laid.items)
        return self._laid.block(position).start if has_line else 0

    def _look_ahead(self) -> None:
        """Ask for the records that are missing in view, and a view around."""
        if not self._is_laid:
            return
        first = max(self.top_line - self.room, 0)
        shown = self._laid.in_view(first, self.top_line + 2 * self.room - first)
        missing = sorted(at for at in shown if self.record(at) is None)
        if missing and not set(missing) <= set(self._asked_for):
            self._asked_for = missing
            for run in _runs(missing):
                self.post_message(reports.Wanted(self, run.start, run.stop))

    def _point(self) -> None:
        """Let the terminal's own cursor follow."""
        row = self._line_of(self.cursor) - self.top_line + self.head_height
        if self.has_focus and self.head_height <= row < self.size.height:
            at = self.content_region.offset + Offset(0, row)
            self.app.cursor_position = at  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here


def _runs(numbers: Iterable[int]) -> Iterator[range]:
    """Numbers in order, put together where they are near one another."""
    run: range | None = None
    for number in numbers:
        if run is not None and number - run.stop <= _NEAR:
            run = range(run.start, number + 1)
        else:
            if run is not None:
                yield run
            run = range(number, number + 1)
    if run is not None:
        yield run
