"""Tables for people, as wide as the terminal and in its colours."""

from collections.abc import Iterable
from itertools import islice

from rich.console import Console
from rich.text import Text

from tui.faces.columns import Column, Listed, columns_for
from tui.faces.fitting import GAP, fit, that_fit


def write_table(kind: str, records: Iterable[Listed], nothing: str) -> None:
    """Print records as a table; `nothing` is said where there is none."""
    console = Console(highlight=False)
    rows = iter(records)
    first = list(islice(rows, 1))
    if not first:
        console.print(Text(nothing, style="dim"))
        return
    columns = that_fit(columns_for(kind), console.width)
    head = (Text(fit(column.title, width, column), "bold") for column, width in columns)
    _print(console, head)
    for record in (*first, *rows):
        _print(console, (_cell(record, column, width) for column, width in columns))


def _cell(record: Listed, column: Column, width: int) -> Text:
    return Text(fit(column.cell(record), width, column), column.style(record))


def _print(console: Console, cells: Iterable[Text]) -> None:
    """One line; every width is set beforehand, so that a long list shows at once."""
    line = Text(" " * GAP).join(cells)
    line.rstrip()
    console.print(line, no_wrap=True, overflow="crop", soft_wrap=False)
