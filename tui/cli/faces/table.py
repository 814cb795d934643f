"""Tables for people, as wide as the terminal and in its colours."""

from collections.abc import Iterable
from itertools import chain, islice

from rich.console import Console
from rich.table import Table
from rich.text import Text

from tui.cli.faces.columns import Column, Listed, columns_for

_AT_ONCE = 200
"""Rows laid out together: a long list begins to show at once."""

_AT_LEAST = 2
"""How many columns are shown, however narrow it is."""

_NARROWEST = 20
"""What a column without a width gets at least."""


def write_table(kind: str, records: Iterable[Listed], nothing: str) -> None:
    """Print records as a table; `nothing` is said where there is none."""
    console = Console()
    rows = iter(records)
    first = list(islice(rows, _AT_ONCE))
    if not first:
        console.print(Text(nothing, style="dim"))
        return
    columns = _that_fit(columns_for(kind), console.width)
    chunks = chain([first], iter(lambda: list(islice(rows, _AT_ONCE)), []))
    for number, chunk in enumerate(chunks):
        table = _empty_table(columns, console.width, header=number == 0)
        for record in chunk:
            table.add_row(*(Text(column.cell(record)) for column in columns))
        console.print(table)


def _that_fit(columns: tuple[Column, ...], width: int) -> list[Column]:
    """The columns that there is room for: on a narrow terminal the last ones go."""
    shown: list[Column] = []
    for column in columns:
        needed = sum((c.width or _NARROWEST) + 2 for c in (*shown, column))
        if needed <= width or len(shown) < _AT_LEAST:
            shown.append(column)
    return shown


def _empty_table(columns: list[Column], width: int, *, header: bool) -> Table:
    """A table whose chunks line up, because every width is set beforehand."""
    fixed = sum((column.width or 0) + 2 for column in columns)
    open_ended = sum(column.width is None for column in columns) or 1
    share = max((width - fixed) // open_ended, 4)
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, show_header=header)
    for column in columns:
        table.add_column(
            Text(column.title, style="bold"),
            width=column.width or share,
            justify="right" if column.right else "left",
            no_wrap=True,
            overflow="ellipsis",
        )
    return table
