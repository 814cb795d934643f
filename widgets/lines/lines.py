"""THE list: rows with a cursor, and marks that stay with their records."""

from collections.abc import Iterable
from typing import ClassVar, TypeVar

from textual import events

from widgets.lines import reports
from widgets.lines.cursor_lines import GUTTER, CursorLines
from widgets.lines.marks import Marks
from widgets.lines.rows import Key, Rows

R = TypeVar("R")


class Lines(CursorLines[R]):
    """Shows rows that can be marked, one by one, as a range, all of them."""

    Marked: ClassVar = reports.Marked

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._marks = Marks()

    def set_rows(self, rows: Rows[R], *, keeps: bool = True) -> None:
        """Show other rows; marks stay with their records, in view or not."""
        self._marks.end()
        super().set_rows(rows, keeps=keeps)

    @property
    def marks(self) -> frozenset[Key]:
        """The keys of the rows that are marked, in view or not."""
        return frozenset(self._marks.keys)

    def mark(self) -> None:
        """Mark the row at the cursor, or take its mark away, and go on to the next."""
        if self.cursor_key is not None:
            self._toggle(self.cursor_key)
            self.move(1)

    def mark_range(self, *, takes: bool = False) -> None:
        """Begin a range at the cursor, or end the one that follows it already."""
        if self._marks.anchor is None and self.count():
            self._marks.begin(self.cursor, takes=takes)
            self._stretch(self.cursor)
        else:
            self._marks.end()
        self.redraw()

    def mark_all(self) -> None:
        """Mark all rows, or none where all are marked."""
        keys = {self.key(position) for position in range(self.count())}
        self.set_marks(set() if keys <= self._marks.keys else keys | self._marks.keys)

    def mark_others(self) -> None:
        """Mark what is not marked, and the other way round."""
        keys = {self.key(position) for position in range(self.count())}
        self.set_marks(self._marks.keys ^ keys)

    def set_marks(self, keys: Iterable[Key]) -> None:
        """Mark these rows and no others."""
        self._marks.replace(keys)
        self._marked()

    def is_marked(self, key: Key) -> bool:
        """Whether the row with a key is marked."""
        return key in self._marks.keys

    def moved(self) -> None:
        """Let a range that is being drawn follow the cursor."""
        if self._marks.anchor is not None:
            self._stretch(self._marks.anchor)

    def clicked(self, position: int, x: int, times: int) -> None:
        """A click into the column of marks marks."""
        super().clicked(position, x, times)
        if x < GUTTER and times == 1:
            self._toggle(self.key(position))

    def on_blur(self, _event: events.Blur) -> None:
        """A range is ended by going elsewhere."""
        self._marks.end()

    def _toggle(self, key: Key) -> None:
        self._marks.toggle(key)
        self._marked()

    def _stretch(self, anchor: int) -> None:
        """Let the range reach from its beginning to the cursor."""
        first, last = sorted((anchor, self.cursor))
        self._marks.stretch(self.key(at) for at in range(first, last + 1))
        self._marked()

    def _marked(self) -> None:
        self.redraw()
        self.post_message(reports.Marked(self, len(self._marks.keys)))
