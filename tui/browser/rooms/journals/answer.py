"""The answer to a question: rows of a few columns, and where a row leads."""

from collections.abc import Mapping, Sequence
from itertools import islice

from msgspec import Struct
from rich.cells import cell_len

from store.findings import Json
from store.library import Library
from store.records.lead import Lead
from store.search.language.printing import written
from store.search.language.tree import Named
from tui.faces.values import in_short

Row = Mapping[str, Json]

_MOST = 5000
"""Rows that are looked at; whoever wants more asks on the command line."""

_WIDEST = 44
"""Cells that a column has at most."""

_GAP = "  "

_FIELDS = {"session": "session", "event_class": "event_class"}
"""What a row may be listed by: its column, and the field of events that says that."""


class Answer(Struct, frozen=True):
    """What stores answered."""

    rows: Sequence[Row]
    complaints: Sequence[str]
    """Which stores did not, and why."""
    is_cut: bool = False
    """Whether there is more."""

    @property
    def columns(self) -> list[str]:
        """Its columns; the store is told where there are several."""
        names = dict.fromkeys(name for row in self.rows for name in row)
        stores = {str(row.get("store")) for row in self.rows}
        return [name for name in names if name != "store" or len(stores) > 1]

    @property
    def lines(self) -> list[str]:
        """The names of the columns, then the rows, each as a line."""
        columns = self.columns
        cells = [[in_short(row.get(name)) for name in columns] for row in self.rows]
        table = [columns, *cells]
        widths = [
            min(max(map(cell_len, column)), _WIDEST)
            for column in zip(*table, strict=True)
        ]
        return [_GAP.join(map(_fitted, line, widths)).rstrip() for line in table]


def ask(library: Library, name: str, words: Sequence[str]) -> Answer:
    """Put a question to all stores that know it."""
    told: list[str] = []
    rows = list(islice(library.ask(name, words, told.append), _MOST + 1))
    return Answer(rows[:_MOST], told, len(rows) > _MOST)


def lead_of(library: Library, row: Row) -> Lead:
    """The record that a row of an answer lies in."""
    path, line, store = row.get("path"), row.get("line"), row.get("store")
    if isinstance(path, str) and isinstance(line, int) and isinstance(store, str):
        return library.lead_to(store, f"{path}:{line}")
    return Lead()


def query_of(row: Row) -> str:
    """The events that a row is about, as a query; nothing where it is about none."""
    terms = (
        Named(field, (value,))
        for name, field in _FIELDS.items()
        if isinstance(value := row.get(name), str) and value
    )
    return " ".join(map(written, terms))


def _fitted(text: str, width: int) -> str:
    """A cell as wide as its column."""
    cut = text if cell_len(text) <= width else f"{text[: width - 1]}…"
    return cut + " " * (width - cell_len(cut))
