"""Tables of Markdown: as wide as what they hold, narrower where the page is."""

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from rich.cells import cell_len

from widgets.reader.runs import EMPTY, Run, Runs, TextLine, plain
from widgets.reader.wrapping import wrap

Row = Sequence[Runs]

_BETWEEN = " │ "
_LEAST = 6
"""Cells that a column gets at least; columns for which there are fewer are left out."""


def lay_table(rows: Sequence[Row], width: int) -> Iterator[TextLine]:
    """A table in lines; the first row is its head."""
    widths = _widths(rows, width)
    for number, row in enumerate(rows):
        yield from _lay_row(row, widths, is_cut=len(row) > len(widths))
        if number == 0:
            rule = "─┼─".join("─" * column for column in widths)
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


def _lay_row(row: Row, widths: Sequence[int], *, is_cut: bool) -> Iterator[TextLine]:
    """A row: its cells wrapped, beside one another."""
    cells = [list(wrap(cell, wide)) for cell, wide in zip(row, widths, strict=False)]
    for lines in zip_longest(*cells, fillvalue=EMPTY):
        runs: list[Run] = []
        for line, wide in zip_longest(lines, widths, fillvalue=None):
            shown = line or EMPTY
            blank = " " * ((wide or 0) - cell_len(shown.text))
            runs += [Run(_BETWEEN, "faint")] if runs else []
            runs += [*shown.runs, Run(blank)]
        yield TextLine((*runs, Run(" …", "faint")) if is_cut else tuple(runs))
