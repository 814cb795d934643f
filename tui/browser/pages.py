"""Records as lines of a list, fetched page by page as they come into view."""

from collections import OrderedDict
from collections.abc import Sequence
from typing import overload

from rich.cells import set_cell_size

from store.catalogue.reader import Page
from store.library import Library
from tui.cli.faces.columns import Column, Listed, columns_for
from widgets.lines import Line

_PAGE = 200
"""Rows fetched at once."""

_KEPT = 50
"""Pages kept at most; the one that was not looked at for longest goes first."""

_GAP = 2
"""Cells between columns."""

_NARROWEST = 20
"""What a column without a width gets at least."""


class Pages(Sequence[Line]):
    """The lines of one kind of record; a million of them cost a number."""

    def __init__(self, library: Library, kind: str, width: int) -> None:
        self._library = library
        self._kind = kind
        self._length = library.count(kind)
        self._columns = _that_fit(columns_for(kind), width)
        self._pages: OrderedDict[int, list[Line]] = OrderedDict()

    def __len__(self) -> int:
        return self._length

    @overload
    def __getitem__(self, index: int) -> Line: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Line]: ...

    def __getitem__(self, index: int | slice) -> Line | Sequence[Line]:
        if isinstance(index, slice):
            return [self[at] for at in range(*index.indices(self._length))]
        if not 0 <= index < self._length:
            raise IndexError(index)
        page = self._page(index // _PAGE)
        place = index % _PAGE
        return page[place] if place < len(page) else Line("", "")

    def _page(self, number: int) -> list[Line]:
        """A page, fetched where it is not at hand."""
        if number not in self._pages:
            page = Page(limit=_PAGE, offset=number * _PAGE)
            records = self._library.page(self._kind, page)
            self._pages[number] = [self._line(record) for record in records]
            if len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return self._pages[number]

    def _line(self, record: Listed) -> Line:
        """A record in columns."""
        cells = [_set(column.cell(record), w, column) for column, w in self._columns]
        return Line(getattr(record, "ref", None) or "", (" " * _GAP).join(cells))


def _set(text: str, width: int, column: Column) -> str:
    """A cell, as wide as its column."""
    short = text if len(text) <= width else f"{set_cell_size(text, width - 1)}…"
    if column.right and len(short) < width:
        return short.rjust(width)
    return set_cell_size(short, width)


def _that_fit(columns: Sequence[Column], width: int) -> list[tuple[Column, int]]:
    """The columns that there is room for, and their widths; refs are for scripts."""
    shown: list[Column] = []
    for column in columns:
        needed = sum((c.width or _NARROWEST) + _GAP for c in (*shown, column))
        if column.title != "Ref" and (needed <= width or not shown):
            shown.append(column)
    fixed = sum((column.width or 0) + _GAP for column in shown)
    open_ended = sum(column.width is None for column in shown) or 1
    share = max((width - fixed) // open_ended, _NARROWEST)
    return [(column, column.width or share) for column in shown]
