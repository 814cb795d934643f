"""Tables for people, as wide as the terminal and in its colours."""

from collections.abc import Iterable, Sequence
from itertools import islice

from rich.console import Console
from rich.text import Text

from tui.faces.columns import Column, Listed
from tui.faces.fitting import GAP, fit, that_fit

_LOOKED_AT = 200
"""How many rows are looked at before a column is left out for being empty."""


def write_table(
    columns: Sequence[Column], records: Iterable[Listed], nothing: str
) -> None:
    """Print records as a table; `nothing` is said where there is none."""
    console = Console(highlight=False)
    rows = iter(records)
    some = any(column.is_sparse for column in columns)
    first = list(islice(rows, _LOOKED_AT if some else 1))
    if not first:
        console.print(Text(nothing, style="dim"))
        return
    shown = that_fit(_telling(columns, first), console.width)
    head = (Text(fit(column.title, width, column), "bold") for column, width in shown)
    _print(console, head)
    for record in (*first, *rows):
        _print(console, (_cell(record, column, width) for column, width in shown))


def _telling(columns: Iterable[Column], first: Sequence[Listed]) -> Iterable[Column]:
    """The columns without those that can be done without and say nothing."""
    return (c for c in columns if not c.is_sparse or any(map(c.cell, first)))


def _cell(record: Listed, column: Column, width: int) -> Text:
    return Text(fit(column.cell(record), width, column), column.style(record))


def _print(console: Console, cells: Iterable[Text]) -> None:
    """One line; every width is set beforehand, so that a long list shows at once."""
    line = Text(" " * GAP).join(cells)
    line.rstrip()
    console.print(line, no_wrap=True, overflow="crop", soft_wrap=False)
