"""The answer of a report: its columns, bars beside a number, and CSV."""

import csv
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TextIO

from store.findings import Json
from store.reports import AnyReport, Row
from tui.output.cells import Column, Listed
from tui.output.text import in_short, in_whole

# Columns, derived from the first rows, and bars beside a number.

_WIDEST = 24
"""A column this wide or wider shares the remaining space instead."""

_STORE = "store"


def columns_of(first: Sequence[Row], *, tells_store: bool) -> tuple[Column, ...]:
    """The columns of a report's first rows, in order of appearance."""
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
        cell=_cell(name, in_short),
        width=widest if 0 < widest <= _WIDEST else None,
        right=bool(known) and all(map(_is_number, known)),
        is_path=name in {_STORE, "path", "file"},
        piped=_cell(name, in_whole),
    )


_BAR = 24
"""The cells of a full bar."""

_EIGHTHS = " ▏▎▍▌▋▊▉█"


def with_bars(
    columns: Sequence[Column], rows: Sequence[Row], report: AnyReport
) -> list[Column]:
    """The columns, with bars beside the plotted one.

    A full bar is the greatest number, of each store and each group of rows by itself.
    """
    most: dict[str, float] = {}
    for row in rows:
        group = _group(row, report)
        most[group] = max(most.get(group, 0), _number(row.get(report.plot)))

    def drawn(record: Listed) -> str:
        if not isinstance(record, Mapping):
            return ""
        full = _number(record.get(report.full)) or most[_group(record, report)]
        return bar(_number(record.get(report.plot)), full, _BAR)

    place = [column.title for column in columns].index(report.plot) + 1 if rows else 0
    return [*columns[:place], Column("", drawn, _BAR), *columns[place:]]


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


def _cell(name: str, said: Callable[[Json], str]) -> Callable[[Listed], str]:
    def cell(record: Listed) -> str:
        return said(record.get(name)) if isinstance(record, Mapping) else ""

    return cell


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


# CSV, as RFC 4180 has it.


def write_csv(rows: Iterable[Row], columns: Sequence[str], out: TextIO) -> None:
    """Write a header and each row, to a file that was opened without newlines.

    The header has the names of the first row, or `columns` without any row.
    """
    lines, rest = csv.writer(out), iter(rows)
    first = next(rest, None)
    lines.writerow(columns if first is None else first)
    for row in rest if first is None else chain([first], rest):
        lines.writerow(map(in_whole, row.values()))
