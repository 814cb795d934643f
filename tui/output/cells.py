"""The cells of tables, the columns of reports, and cells as plain lines or CSV."""

import csv
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from operator import attrgetter
from typing import Any, TextIO

from msgspec import Struct

from store.clean import clean
from store.findings import Json
from store.reports import AnyReport, Row
from tui.output.text import (
    TO_THE_MINUTE,
    Line,
    compact,
    in_short,
    in_whole,
    reported,
    sized,
)
from tui.terminal.streams import is_for_a_person

# What a column is. Each kind of list has rows of its own type.

Cell = Callable[[Any], str]
"""The text of a cell for a row, already cleaned; or its style."""


Headings = Callable[[Any], Sequence[Line]]
"""The lines above a row; those that the row before it had aren't repeated."""


def no_style(_record: object) -> str:
    """No style."""
    return ""


class Column(Struct, frozen=True):
    """One column of a table."""

    title: str
    """Its heading."""
    cell: Cell
    """The text of a cell."""
    width: int | None = None
    """Its width; None for columns that share the remaining space."""
    right: bool = False
    """Whether to align right."""
    style: Cell = no_style
    """The colour of a cell, if any."""
    least: int = 0
    """The cells that it gets before there is room for the columns after it."""
    is_path: bool = False
    """Whether the end of the text matters more than its beginning."""
    is_spare: bool = False
    """Whether it is shown only if there is plenty of room."""
    is_sparse: bool = False
    """Whether a table omits it if it is empty in the first rows."""
    piped: Cell | None = None
    """The text of a cell without width limits."""


# Cells shared by many columns: a field as text, a day, a size, a first line.

_SHORT_REF = 8
"""Characters of a ref shown in tables: any unambiguous prefix names a record."""

_TO_THE_SECOND = len("2026-02-14T10:30:05")
_DAY = len("2026-02-14")

_LONGEST = 1000
"""Characters of a line that tables read; no screen is wider."""

_STYLES = {
    "error": "red",
    "failed": "red",
    "rejected": "red",
    "warning": "yellow",
    "queued": "yellow",
    "processing": "yellow",
    "review": "yellow",
    "vault": "magenta",
    "active": "green",
    "running": "green",
    "ready": "cyan",
    "dormant": "dim",
    "archived": "dim",
    "skipped": "dim",
    "merged": "dim",
}
"""The colours of words for states."""


def field(name: str) -> Cell:
    """A field, or `memory.title` for one of a record within, as text; empty if None."""
    read = attrgetter(name)

    def cell(record: object) -> str:
        value = read(record)
        return "" if value is None else clean(str(value))

    return cell


def beginning(name: str) -> Cell:
    """The first line of a field that may be long."""

    def cell(record: object) -> str:
        return clean(first_line(getattr(record, name) or "")[:_LONGEST])

    return cell


def first_line(text: str) -> str:
    """The first non-blank line of a text."""
    return text.lstrip().partition("\n")[0].rstrip()


def share(name: str) -> Cell:
    """A number between 0 and 1, with two decimals."""

    def cell(record: object) -> str:
        value = getattr(record, name)
        return f"{value:.2f}" if isinstance(value, float) else clean(str(value or ""))

    return cell


def number(title: str, name: str, width: int) -> Column:
    """A column of numbers that is empty for zero."""

    def cell(record: object) -> str:
        return str(getattr(record, name) or "")

    return Column(title, cell, width, right=True, is_sparse=True, piped=field(name))


def day(name: str) -> Cell:
    """The day of a time."""
    return _instant(name, _DAY)


def minute(name: str) -> Cell:
    """The day and time of a time field, as written."""
    return _instant(name, TO_THE_MINUTE)


def second(name: str) -> Cell:
    """The same, with seconds."""
    return _instant(name, _TO_THE_SECOND)


def _instant(name: str, length: int) -> Cell:
    def cell(record: object) -> str:
        return clean(getattr(record, name) or "")[:length].replace("T", " ")

    return cell


def styled(name: str) -> Cell:
    """The colour of a field's word."""

    def style(record: object) -> str:
        return style_of(getattr(record, name))

    return style


def style_of(word: object) -> str:
    """The colour of a word for a state."""
    return _STYLES.get(word, "") if isinstance(word, str) else ""


def ref(name: str = "ref", title: str = "Ref") -> Column:
    """The column for a ref: short in a table, complete in a pipe."""
    whole = field(name)
    return Column(title, lambda row: short_ref(whole(row)), _SHORT_REF, piped=whole)


def store(name: str = "store") -> Column:
    """The column for the store, shown if there is plenty of room."""
    return Column("Store", field(name), is_path=True, is_spare=True)


def named_store(names: Mapping[str, str]) -> Column:
    """The column for the name of the store."""
    known = {path: clean(name) for path, name in names.items()}

    def cell(record: object) -> str:
        return known.get(getattr(record, "store", ""), "")

    width = max(len("Store"), *map(len, known.values()))
    return Column("Store", cell, width)


def short_ref(whole: str) -> str:
    """A ref's prefix that is short enough to type and nearly always unique."""
    return whole.rpartition(":")[2][:_SHORT_REF]


def size(name: str) -> Cell:
    """A number of bytes in readable form."""

    def cell(record: object) -> str:
        return sized(getattr(record, name))

    return cell


def few_digits(value: int) -> str:
    """A large number in few characters; empty for zero."""
    return compact(value) if value else ""


# The columns of a report, derived from its first rows, and bars beside a number.

_WIDEST = 24
"""A column this wide or wider shares the remaining space instead."""

_STORE = "store"


def columns_of(
    first: Sequence[Row], *, tells_store: bool, names: Mapping[str, str] | None = None
) -> tuple[Column, ...]:
    """The columns of a report's first rows, in order of appearance.

    The store comes last, as a path. Given the names of stores by path, its name comes
    first, as a table may lack room for the last.
    """
    columns = _columns_of(first, tells_store=tells_store)
    if names is None or not (columns and columns[-1].title == _STORE):
        return columns
    known = {path: clean(names.get(path, path)) for path in map(_store_of, first)}
    width = max(len(_STORE), *map(len, known.values()))
    store = Column(
        _STORE, lambda row: known.get(_store_of(row), ""), min(width, _SHORT)
    )
    return (store, *columns[:-1])


def _store_of(row: Row) -> str:
    return str(row.get(_STORE))


def _columns_of(first: Sequence[Row], *, tells_store: bool) -> tuple[Column, ...]:
    names = dict.fromkeys(name for row in first for name in row)
    wanted = [name for name in names if name != _STORE]
    if tells_store and _STORE in names:
        wanted.append(_STORE)
    return tuple(_column(name, [row.get(name) for row in first]) for name in wanted)


def _column(name: str, values: Sequence[Json]) -> Column:
    """A single column; numbers are aligned right."""
    title = in_whole(name)
    widest = max(len(text) for text in (title, *map(in_short, values)))
    known = [value for value in values if value is not None]
    return Column(
        title=title,
        cell=_in_row(name, in_short),
        width=widest if 0 < widest <= _WIDEST else None,
        right=bool(known) and all(map(_is_number, known)),
        is_path=name in {_STORE, "path", "file"},
        piped=_in_row(name, in_whole),
    )


_BAR, _SHORT = 24, 10
"""The cells of a full bar; of the name of a store, and of a bar beside it."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def with_bars(
    columns: Sequence[Column], rows: Sequence[Row], report: AnyReport
) -> list[Column]:
    """The columns, with bars beside the plotted one.

    A full bar is the greatest number, of each store and each group of rows by itself.
    """
    most: dict[str, float] = {}
    titles = [column.title for column in columns]
    cells = _SHORT if titles[:1] == [_STORE] else _BAR
    for row in rows:
        group = _group(row, report)
        number = _number(row.get(report.plot))
        most[group] = max(most.get(group, 0), number if number < report.clip else 0)

    def drawn(row: Row) -> str:
        full = _number(row.get(report.full)) or most[_group(row, report)]
        number = _number(row.get(report.plot))
        return bar(number, full or number, cells)

    place = titles.index(report.plot) + 1 if rows else 0
    return [*columns[:place], Column("", drawn, cells), *columns[place:]]


def bar(value: float, most: float, width: int) -> str:
    """A horizontal bar, to an eighth of a cell; a positive value always shows."""
    if value <= 0 or most <= 0:
        return ""
    share = min(value / most, 1)
    whole, eighths = divmod(max(round(share * width * 8), 1), 8)
    return ("█" * whole + _EIGHTHS[eighths]).rstrip()


def _group(row: Mapping[str, Json], report: AnyReport) -> str:
    return f"{row.get(_STORE)} {row.get(report.within)}"


def _number(value: Json) -> float:
    return value if isinstance(value, int | float) else 0.0


def _in_row(name: str, said: Callable[[Json], str]) -> Callable[[Row], str]:
    return lambda row: said(row.get(name))


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# Statistics at a glance: a row for each store, then for each part of its statistics.

_BARS = "▁▂▃▄▅▆"
_NONE: dict[str, int] = {}
_SAID = 3
"""The values that a row names."""


def summed_up(rows: Sequence[Row]) -> tuple[str, list[Row]] | None:
    """The column by which statistics are summed up, and a row for each of its values.

    None if they need no summary.
    """
    for column, summary in (("store", _of_store), ("part", _of_part)):
        within: dict[str, list[Row]] = {}
        for row in rows:
            within.setdefault(str(row.get(column)), []).append(row)
        if len(within) > 1:
            found = [{column: one, **summary(own)} for one, own in within.items()]
            told = [name for name in found[0] if any(row[name] for row in found)]
            return column, [{name: row[name] for name in told} for row in found]
    return None


def _of_store(rows: Sequence[Row]) -> Row:
    """What a store has, how it grew by month, what is fading, its usual tags."""
    parts = {str(row["part"]): _values(rows, row["part"]) for row in rows}
    held = parts.get("records", {})
    grown = next((parts[part] for part in parts if part.startswith("new ")), _NONE)
    fading = [n for name, n in parts.get("strength", {}).items() if "(fading)" in name]
    return {
        **{kind: held.get(kind) for kind in ("memories", "conversations", "problems")},
        "growth": "".join(
            _level(number, max(grown.values())) for number in grown.values()
        ),
        "fading": sum(fading) or None,
        "tags": ", ".join([*parts.get("tag", {})][:_SAID]),
    }


def _of_part(rows: Sequence[Row]) -> Row:
    """The number of rows of a part, and the greatest values."""
    values = sorted(_values(rows, rows[0]["part"]).items(), key=lambda one: -one[1])
    some = [f"{name}: {number:,}" for name, number in values[:_SAID] if number]
    told = " · ".join(some)
    return {"rows": len(rows), "most": told}


def _values(rows: Sequence[Row], part: Json) -> dict[str, int]:
    found = ((row["name"], row["value"]) for row in rows if row["part"] == part)
    return {str(name): value for name, value in found if isinstance(value, int)}


def _level(number: int, most: int) -> str:
    return _BARS[(len(_BARS) - 1) * number // max(most, 1)]


# Rows: a table for a person, for pipes a line for each record.


def write_rows(
    columns: Sequence[Column],
    records: Iterable[object],
    *,
    nothing: str,
    is_table: bool = False,
    above: "Headings | None" = None,
) -> None:
    """Print rows in columns; loads rich only for a person, or if a table is wanted.

    Without any row, `nothing` says so on stderr. A table has headings `above` its rows.
    """
    rows = reported(records, nothing)
    if is_table or is_for_a_person():
        from tui.output.tables import write_table  # noqa: PLC0415  # rich is slow

        write_table(columns, rows, above)
    else:
        write_plain(columns, rows)


def write_plain(columns: Sequence[Column], records: Iterable[object]) -> None:
    """Print each record as one line; cells contain no tabs or line feeds."""
    for record in records:
        line = "\t".join((column.piped or column.cell)(record) for column in columns)
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


# CSV, as RFC 4180 has it.


def write_csv(rows: Iterable[Row], columns: Sequence[str], out: TextIO) -> None:
    """Write a header and each row, to a file that was opened without newlines.

    The header has the names of the first row, or `columns` without any row. Line feeds
    stay, as the rows are for a file.
    """
    lines, rest = csv.writer(out), iter(rows)
    first = next(rest, None)
    lines.writerow(columns if first is None else first)
    for row in rest if first is None else chain([first], rest):
        lines.writerow(map(_in_lines, row.values()))


def _in_lines(value: Json) -> str:
    """A complete value with its line feeds; one that is no text has none."""
    texts = value.split("\n") if isinstance(value, str) else [value]
    return "\n".join(map(in_whole, texts))
