"""Tables, progress bars and coloured lines for a terminal."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import islice

from msgspec.structs import replace
from rich.cells import cell_len, set_cell_size
from rich.console import Console
from rich.progress import Progress as Drawn
from rich.text import Text

from store.library import Progress
from tui.output.cells import Column, Headings
from tui.output.text import Line

# A line in the colours of the terminal.

_PROBE = "x"
"""A text that occurs in no terminal code."""

_CHARACTERS = 10
"""The most characters per cell, counting stacked marks."""


def styled(line: Line) -> str:
    """The line with its colour codes."""
    shown = _cut(line.text, _width()) if line.folded else line.text
    if line.wrapped and cell_len(shown) > _width():
        indent = shown[: len(shown) - len(shown.lstrip())]
        parts = Text(shown.lstrip()).wrap(_console(), max(_width() - len(indent), 1))
        shown = "\n".join(f"{indent}{part.plain.rstrip()}" for part in parts)
    before, after = _codes(line.style)
    return f"{before}{shown}{after}"


def _cut(text: str, width: int) -> str:
    if text.isascii():
        return text if len(text) <= width else f"{text[: width - 1]}…"
    head = text[: width - 1]
    if len(text) > width and cell_len(head) == len(head):
        return f"{head}…"
    near = text[: width * _CHARACTERS]
    return text if cell_len(near) <= width else f"{set_cell_size(near, width - 1)}…"


@cache
def _codes(style: str) -> tuple[str, str]:
    """The codes before and after a text of a style, for this terminal."""
    console = _console()
    with console.capture() as shown:
        console.print(Text(_PROBE, style), end="")
    before, _, after = shown.get().partition(_PROBE)
    return before, after


@cache
def _width() -> int:
    return _console().width


@cache
def _console() -> Console:
    return Console(highlight=False)


# A progress bar for reading stores.


class _Steady(Console):
    """A console that does not change the cursor.

    Rich hides it while a bar is shown, but an interrupt ends the program at once, and
    the cursor would stay hidden.
    """

    def show_cursor(self, show: bool = True) -> bool:  # noqa: ARG002, FBT001, FBT002  # as in rich
        """Do nothing."""
        return False


class Bar:
    """A bar on stderr that disappears when the work is done."""

    def __init__(self, name: str) -> None:
        """Show the bar, with the name of what goes on."""
        self._drawn = Drawn(console=_Steady(stderr=True), transient=True)
        self._task = self._drawn.add_task(name, total=None)
        self._drawn.start()

    def show(self, progress: Progress) -> None:
        """Update the bar."""
        self._drawn.update(self._task, completed=progress.done, total=progress.total)

    def close(self) -> None:
        """Remove the bar."""
        self._drawn.stop()


# Fit columns to a width, and cells to columns.

GAP = 2
"""Cells between two columns."""

_NARROWEST = 24
"""The minimum for a column without a fixed width."""

_SPARE = 60
"""The spare width from which an optional column is shown."""

_CRAMPED, _TITLE = 10, 16
"""The minimum for such a column before it is left out, or those before it are."""


def that_fit(
    columns: Iterable[Column], width: int, longest: Mapping[str, int] | None = None
) -> list[tuple[Column, int]]:
    """The columns that fit, with their widths; the last ones are left out first.

    The first column without a fixed width stays even if it is narrow. `longest` has
    the longest text by title, if all rows are known: no column is wider than that, and
    one without a title and a text is left out.
    """
    known = longest or {}
    fitted = [
        replace(one, width=min(one.width, known.get(one.title, one.width)))
        if one.width
        else one
        for one in columns
        if known.get(one.title) != 0
    ]
    shown: list[Column] = []
    left = width
    for column in _with_room_for_text(fitted, width):
        narrowest = column.least or (_SPARE if column.is_spare else _NARROWEST)
        wanted = column.width or narrowest
        first = column.width is None and all(one.width for one in shown)
        if shown and left < (_CRAMPED if first else wanted):
            break
        shown.append(column)
        left -= wanted + GAP
    shares = _shares(shown, width - _taken(shown) + GAP, known)
    return [(column, column.width or shares[column.title]) for column in shown]


def _shares(
    columns: Iterable[Column], room: int, longest: Mapping[str, int]
) -> dict[str, int]:
    """The widths of the columns without a fixed one, by title.

    Each gets an equal share, and what short ones don't need goes to the longer ones.
    A text gets twice the share of a path, which still says something when it is cut.
    """
    open_ended = [column for column in columns if column.width is None]
    weights = {one.title: 1 if one.is_path else 2 for one in open_ended}
    shares: dict[str, int] = {}
    for title in sorted(weights, key=lambda one: longest.get(one, room) / weights[one]):
        left = sum(weight for one, weight in weights.items() if one not in shares)
        share = room * weights[title] // left
        shares[title] = max(min(share, longest.get(title, share)), 1)
        room -= shares[title]
    return shares


def _with_room_for_text(columns: list[Column], width: int) -> list[Column]:
    """The columns without those that leave no room for the first flexible one.

    The very first column stays, as it identifies the record.
    """
    place = next((at for at, one in enumerate(columns) if one.width is None), 0)
    before, after = columns[:place], columns[place:]
    while len(before) > 1 and _taken(before) + _TITLE > width:
        before.pop()
    return before + after


def _taken(columns: Iterable[Column]) -> int:
    """The total of the fixed widths, with the gap after each."""
    return sum((column.width or 0) + GAP for column in columns)


def fit(text: str, width: int, column: Column) -> str:
    """A text cut or padded to the width of its column; paths are cut in the middle."""
    length = cell_len(text)
    if length > width:
        return _cut_cells(text, length, width, in_the_middle=column.is_path)
    return text.rjust(width) if column.right else set_cell_size(text, width)


def _cut_cells(text: str, length: int, width: int, *, in_the_middle: bool) -> str:
    """A text cut to a width; of a path, the end matters more."""
    if not in_the_middle:
        return f"{set_cell_size(text, width - 1)}…"
    head = (width - 1) // 3
    tail = text[-(width - 1 - head) :] if length == len(text) else ""
    return set_cell_size(f"{set_cell_size(text, head)}…{tail}", width)


# Tables for people, as wide as the terminal and in its colours.

_LOOKED_AT = 200
"""Rows read before widths are chosen and empty columns omitted."""


def write_table(
    columns: Sequence[Column],
    records: Iterable[object],
    headings: Headings | None = None,
) -> None:
    """Print records as a table, with headings; without any, print nothing."""
    console = Console(highlight=False)
    rows = iter(records)
    first = list(islice(rows, _LOOKED_AT))
    if not first:
        return
    telling = [*_telling(columns, first)]
    longest = _longest(telling, first) if len(first) < _LOOKED_AT else None
    shown = that_fit(telling, console.width, longest)
    titles = ((_headed(column.title), width, column) for column, width in shown)
    _print(console, (Text(fit(*title), "bold") for title in titles))
    above: Sequence[Line] = ()
    for record in (*first, *rows):
        before, above = above, headings(record) if headings else ()
        for at, line in enumerate(above, 1):
            if before[:at] != above[:at]:
                _print(console, [Text(line.text, line.style)])
        if headings:
            _print_whole(console, record, shown)
        else:
            _print(console, (_cell(record, one, width) for one, width in shown))


def _print_whole(
    console: Console, record: object, shown: Sequence[tuple[Column, int]]
) -> None:
    """Print a row whose text goes on below, in its column, if it has no room."""
    cells, rest, start = list[Text](), list[Text](), 0
    for column, width in shown:
        text, cell = column.cell(record), _cell(record, column, width)
        if column.width is None and " " in text and cell_len(text) > width:
            first, *more = Text(text, column.style(record)).wrap(console, width)
            cell = Text(fit(first.plain.rstrip(), width, column), first.style)
            rest = [Text(" " * start) + line for line in more]
        cells.append(cell)
        start += width + GAP
    for line in ([*cells], *([one] for one in rest)):
        _print(console, line)


def _headed(title: str) -> str:
    """A column's title as words: those of reports are the names of their fields."""
    return f"{title[:1].upper()}{title[1:]}".replace("_", " ")


def _telling(columns: Iterable[Column], first: Sequence[object]) -> Iterable[Column]:
    """The columns without sparse ones that are empty."""
    return (c for c in columns if not c.is_sparse or any(map(c.cell, first)))


def _longest(columns: Iterable[Column], rows: Sequence[object]) -> dict[str, int]:
    """The width of the longest text of each column, by its title."""
    return {
        one.title: max(cell_len(one.title), *(cell_len(one.cell(r)) for r in rows))
        for one in columns
    }


def _cell(record: object, column: Column, width: int) -> Text:
    return Text(fit(column.cell(record), width, column), column.style(record))


def _print(console: Console, cells: Iterable[Text]) -> None:
    """Print one line; widths are fixed beforehand, so a long list appears at once."""
    line = Text(" " * GAP).join(cells)
    line.rstrip()
    console.print(line, no_wrap=True, overflow="crop", soft_wrap=False)
