"""A table: rows whose records stand in columns, as many as the pane has room for."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar, NamedTuple, TypeVar

from textual.reactive import reactive

from widgets.columns.cells import fit
from widgets.columns.column import Column, placed
from widgets.lines.cursor_lines import GUTTER
from widgets.lines.lines import Lines
from widgets.lines.pieces import Piece, Pieces
from widgets.lines.reports import Report

R = TypeVar("R")

_DOWN, _UP = "▼", "▲"


class Sorting(NamedTuple):
    """What a list is sorted by."""

    name: str
    """The name of a column."""
    is_reversed: bool = False
    """Whether the least comes first."""


class Table(Lines[R]):
    """Shows records in columns; the head tells what they are sorted by."""

    has_head = True

    sorting: reactive[Sorting | None] = reactive[Sorting | None](None)
    """What the records are sorted by; it is for the program to sort them."""

    @dataclass
    class SortAsked(Report):
        """Records shall be sorted by another column."""

        name: str

    lacks: reactive[frozenset[str]] = reactive(frozenset[str](), init=False)
    """Facts that are kept of no record here: their columns leave room to the others."""

    HEADS: ClassVar[tuple[str, str]] = ("head", "sorted")
    """The tones of a title, and of the one of the column that is sorted by."""

    def __init__(
        self,
        columns: Iterable[Column[R]],
        *,
        id: str | None = None,  # noqa: A002  # as every widget has it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self._all_columns = self._columns = tuple(columns)

    def watch_lacks(self, lacks: frozenset[str]) -> None:
        """Other columns are shown."""
        self._columns = tuple(
            column for column in self._all_columns if column.fact not in lacks
        )
        self.forget()
        self.redraw()

    def head(self, width: int) -> Pieces:
        """The titles of the columns."""
        return [(" " * GUTTER, ""), *self._titles(max(width - GUTTER, 0))]

    def draw(self, record: R, width: int) -> Pieces:
        """The cells of a record, one after the other."""
        return list(self._cells(record, width))

    def head_clicked(self, x: int) -> None:
        """Ask for what is beneath a title to be sorted by it."""
        width = max(self.text_width - GUTTER, 0)
        for column, start, wide in placed(self._columns, width + GUTTER, width):
            if start <= x - GUTTER < start + column.gap + wide and column.name:
                self.post_message(self.SortAsked(self, column.name))

    def watch_sorting(self) -> None:
        """Only the head looks otherwise."""
        self.redraw()

    def _cells(self, record: R, width: int) -> Iterator[Piece]:
        for column, _, wide in placed(self._columns, width + GUTTER, width):
            yield " " * column.gap, ""
            yield from fit(column.cell(record, wide), wide, is_right=column.is_right)

    def _titles(self, width: int) -> Iterator[Piece]:
        """The titles; an arrow in the gap before one tells the order."""
        for column, _, wide in placed(self._columns, width + GUTTER, width):
            tone, gap = self.HEADS[0], " " * column.gap
            if self.sorting and column.name == self.sorting.name:
                tone = self.HEADS[1]
                gap = gap[1:] + (_UP if self.sorting.is_reversed else _DOWN)
            yield gap, tone
            yield from fit([(column.title, tone)], wide, is_right=column.is_right)
