"""Records as lines of a list, fetched page by page as they come into view."""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import overload

from store.library import Library, Page, Record
from tui.faces.columns import columns_for
from tui.faces.fitting import GAP, fit, that_fit
from widgets.lines import Line

_PAGE = 200
"""Rows fetched at once."""

_KEPT = 50
"""Pages kept at most; the one that was not looked at for longest goes first."""


class Pages(Sequence[Line]):
    """The lines of one kind of record; a million of them cost a number."""

    def __init__(self, library: Library, kind: str, width: int) -> None:
        self._library = library
        self._kind = kind
        self._length = library.count(kind)
        shown = (column for column in columns_for(kind) if column.title != "Ref")
        self._columns = that_fit(shown, width)
        self._pages: OrderedDict[int, list[Record]] = OrderedDict()

    @property
    def heading(self) -> str:
        """What stands above the columns."""
        return _row(fit(column.title, w, column) for column, w in self._columns)

    def record(self, index: int) -> Record | None:
        """The record at a position; None where it went meanwhile."""
        page = self._page(index // _PAGE)
        place = index % _PAGE
        return page[place] if place < len(page) else None

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
        record = self.record(index)
        return self._line(record) if record else Line("")

    def _page(self, number: int) -> list[Record]:
        """A page, fetched where it is not at hand."""
        if number not in self._pages:
            page = Page(limit=_PAGE, offset=number * _PAGE)
            self._pages[number] = list(self._library.page(self._kind, page))
            if len(self._pages) > _KEPT:
                self._pages.popitem(last=False)
        self._pages.move_to_end(number)
        return self._pages[number]

    def _line(self, record: Record) -> Line:
        """A record in columns."""
        cells = (fit(column.cell(record), w, column) for column, w in self._columns)
        return Line(_row(cells))


def _row(cells: Iterable[str]) -> str:
    """Cells beside one another."""
    return (" " * GAP).join(cells)
