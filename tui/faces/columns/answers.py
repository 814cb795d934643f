"""Columns of an answer: what its first rows have, as wide as what stands there."""

from collections.abc import Callable, Mapping, Sequence

from store.findings import Json
from tui.faces.columns.column import Answer, Column, Listed
from tui.faces.values import in_short, in_whole

_WIDEST = 24
"""Cells from which on a column takes its share of the room instead."""

_STORE = "store"


def columns_of(first: Sequence[Answer], *, tells_store: bool) -> tuple[Column, ...]:
    """The columns of the first rows of an answer, in order of appearance."""
    names = dict.fromkeys(name for row in first for name in row)
    wanted = [name for name in names if name != _STORE]
    if tells_store and _STORE in names:
        wanted.append(_STORE)
    return tuple(_column(name, [row.get(name) for row in first]) for name in wanted)


def _column(name: str, values: Sequence[Json]) -> Column:
    """One column; numbers line up at the right."""
    title = in_whole(name)
    widest = max(len(text) for text in (title, *map(in_short, values)))
    told = [value for value in values if value is not None]
    return Column(
        title=title,
        cell=_cell(name, in_short),
        width=widest if 0 < widest <= _WIDEST else None,
        right=bool(told) and all(map(_is_number, told)),
        is_path=name in {_STORE, "path", "file"},
        piped=_cell(name, in_whole),
    )


def _cell(name: str, said: Callable[[Json], str]) -> Callable[[Listed], str]:
    def cell(record: Listed) -> str:
        return said(record.get(name)) if isinstance(record, Mapping) else ""

    return cell


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)
