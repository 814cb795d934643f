"""Tables of Markdown: as wide as what they hold, narrower where the page is."""

from collections.abc import Iterator, Sequence
from enum import StrEnum
from itertools import starmap, zip_longest
from typing import NamedTuple

from rich.cells import cell_len

from widgets.reader.runs import EMPTY, Run, Runs, TextLine, plain
from widgets.reader.wrapping import wrap

Row = Sequence[Runs]

_BETWEEN = " │ "
_LEAST = 6
"""Cells that a column gets at least; columns for which there are fewer are left out."""


class Side(StrEnum):
    """At which side of its column a cell stands."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


class Column(NamedTuple):
    """A column as it is laid out."""

    width: int
    side: Side


def lay_table(
    rows: Sequence[Row], sides: Sequence[Side], width: int
) -> Iterator[TextLine]:
    """A table in lines; the first row is its head."""
    widths = _widths(rows, width)
    columns = list(starmap(Column, zip(widths, sides, strict=False)))
    for number, row in enumerate(rows):
        yield from _lay_row(row, columns, is_cut=len(row) > len(columns))
        if number == 0:
            rule = "─┼─".join("─" * wide for wide in widths)
            yield TextLine((Run(rule, "faint"),))


def _widths(rows: Sequence[Row], width: int) -> list[int]:
    """How wide each column is: what it needs, or its share where all need too much."""
    most = max((width + len(_BETWEEN)) // (_LEAST + len(_BETWEEN)), 1)
    columns = min(max(map(len, rows), default=0), most)
    needed = [max(_needed(row, column) for row in rows) for column in range(columns)]
    left = max(width - len(_BETWEEN) * (columns - 1), columns)
    widths = [0] * columns
    for rank, column in enumerate(sorted(range(columns), key=needed.__getitem__)):
        share = left // (columns - rank)
        widths[column] = max(min(needed[column], share), 1)
        left -= widths[column]
    return widths


def _needed(row: Row, column: int) -> int:
    return cell_len(plain(row[column])) if column < len(row) else 0


def _lay_row(
    row: Row, columns: Sequence[Column], *, is_cut: bool
) -> Iterator[TextLine]:
    """A row: its cells wrapped, beside one another."""
    cells = [
        list(wrap(cell, column.width))
        for cell, column in zip(row, columns, strict=False)
    ]
    missing = [list[TextLine]()] * (len(columns) - len(cells))
    for lines in zip_longest(*cells, *missing, fillvalue=EMPTY):
        runs: list[Run] = []
        for line, column in zip(lines, columns, strict=True):
            runs += [Run(_BETWEEN, "faint")] if runs else []
            runs += _aligned(line, column)
        yield TextLine((*runs, Run(" …", "faint")) if is_cut else tuple(runs))


def _aligned(line: TextLine, column: Column) -> Iterator[Run]:
    """A line of a cell at its side of the column."""
    blank = max(column.width - cell_len(line.text), 0)
    before = {Side.LEFT: 0, Side.CENTER: blank // 2, Side.RIGHT: blank}[column.side]
    yield Run(" " * before)
    yield from line.runs
    yield Run(" " * (blank - before))
