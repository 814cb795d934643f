"""The screen that Textual has in mind, kept by reading what it writes.

Textual moves the cursor, sets a style, writes text and resets the style, line by line.
Nothing else is obeyed: an escape sequence of another kind within lines can only have
come from text that is shown, so its escape character is dropped and the rest is shown.
"""

import re
from itertools import islice

from tui.driver.clusters import cells_of
from tui.driver.look import PLAIN, styled
from tui.driver.row import Row

_PARTS = re.compile(
    r"(?:\x1b\[([\d;]*)([Hm])|(\n)|\x1b\]8;[^\x07\x1b]*(?:\x07|\x1b\\)|\x1b)?"
    r"([^\x1b\n]*)"
)
"""A sequence or a line feed, and the text that follows; links are passed over."""


class Grid:
    """The cells of the screen, the cursor, and the look that writing goes on with."""

    def __init__(self, width: int, height: int) -> None:
        """Blank, as a terminal is that has just changed to its other screen."""
        self.width = width
        self.height = height
        self.row = 0
        self.column = 0
        self._look = PLAIN
        self._rows: list[Row] = [Row.blank(width)] * height
        self._own: set[int] = set()

    @property
    def cursor(self) -> tuple[int, int]:
        """Row and column of the cursor."""
        return self.row, min(self.column, self.width - 1)

    def rows(self) -> tuple[Row, ...]:
        """The lines as they are now; later writing goes to copies of them."""
        self._own.clear()
        return tuple(self._rows)

    def resize(self, width: int, height: int) -> None:
        """Keep what there is room for."""
        missing = max(height - self.height, 0)
        kept = [row.resized(width) for row in self._rows[:height]]
        self._rows = kept + [Row.blank(width)] * missing
        self._own.clear()
        self.width, self.height = width, height
        self._go(self.row, self.column)

    def write(self, data: str) -> None:
        """Follow an update."""
        for parameters, final, feed, text in _PARTS.findall(data):
            if final == "m":
                self._look = styled(self._look, parameters)
            elif final:
                self._go_to(parameters)
            elif feed:
                self._feed()
            if text:
                self._put(text)

    def erase(self, what: str, how: int) -> None:
        """Erase in the screen (`J`) or the line (`K`): after, before, or all."""
        at = self.row, self.column
        rows = range(self.height) if what == "J" else (self.row,)
        for number in rows:
            row = self._mine(number)
            columns = [
                column
                for column in range(self.width)
                if how == 2  # noqa: PLR2004  # all
                or (how == 1 and (number, column) <= at)
                or (how == 0 and (number, column) >= at)
            ]
            if columns:
                row.put(columns[0], " " * len(columns), self._look.bare)

    def _go_to(self, parameters: str) -> None:
        """Places count from one, and are one where they are left out."""
        row, _, column = parameters.partition(";")
        self._go(int(row or 1) - 1, int(column.partition(";")[0] or 1) - 1)

    def _go(self, row: int, column: int) -> None:
        """Move the cursor; it stays on the screen."""
        self.row = max(0, min(row, self.height - 1))
        self.column = max(0, min(column, self.width - 1))

    def _feed(self) -> None:
        """Begin the next line; at the bottom everything moves up."""
        self.column = 0
        if self.row < self.height - 1:
            self.row += 1
            return
        self._rows = [*islice(self._rows, 1, None), Row.blank(self.width)]
        self._own = {number - 1 for number in self._own if number}

    def _put(self, text: str) -> None:
        """Write text at the cursor; what does not fit in the line is cut off."""
        if text.isascii() and text.isprintable():
            cells: str | tuple[str, ...] = text
        else:
            marks, cells = cells_of(text)
            if marks:
                self._mark(marks)
        cells = self._cut(cells)
        if cells:
            self._mine(self.row).put(self.column, cells, self._look)
            self.column += len(cells)

    def _cut(self, cells: str | tuple[str, ...]) -> str | tuple[str, ...]:
        """As much as fits in the line; of a cluster all, or blanks."""
        room = self.width - self.column
        if len(cells) <= room:
            return cells
        kept = list(cells[:room])
        if not cells[room]:
            while kept and not kept[-1]:
                kept.pop()
            kept[-1:] = [" "] * (room - len(kept) + 1)
        return tuple(kept)

    def _mark(self, marks: str) -> None:
        """Add marks to the cluster before the cursor."""
        row, column = self._mine(self.row), self.column - 1
        while column > 0 and not row.text[column]:
            column -= 1
        if column >= 0:
            row.text[column] += marks

    def _mine(self, number: int) -> Row:
        """A line that may be changed: a copy, once in every update."""
        if number not in self._own:
            self._own.add(number)
            self._rows[number] = self._rows[number].copy()
        return self._rows[number]
