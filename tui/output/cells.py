"""The cells of tables, and cells as plain lines."""

import sys
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from store.clean import clean
from store.library import Record
from store.records.answers import (
    Double,
    Due,
    Forecast,
    KeptQuery,
    Link,
    News,
    QuestionReport,
    Similar,
    Version,
)
from store.records.reports import (
    Backup,
    DamageReport,
    EndangeredReport,
    KeptReport,
    Past,
    StoreReport,
)
from store.reports import Row
from tui.output.text import TO_THE_MINUTE, compact, sized
from tui.terminal.streams import is_for_a_person

# What a column is, and what can be a row.

Listed = (
    Record
    | StoreReport
    | Link
    | Similar
    | Double
    | Due
    | Forecast
    | Version
    | News
    | QuestionReport
    | KeptQuery
    | Past
    | Backup
    | KeptReport
    | EndangeredReport
    | DamageReport
    | Row
)
"""Everything that is shown as a row."""


def no_style(_record: Listed) -> str:
    """No style."""
    return ""


class Column(Struct, frozen=True):
    """One column of a table."""

    title: str
    """Its heading."""
    cell: Callable[[Listed], str]
    """The text of a cell, already cleaned."""
    width: int | None = None
    """Its width; None for columns that share the remaining space."""
    right: bool = False
    """Whether to align right."""
    style: Callable[[Listed], str] = no_style
    """The colour of a cell, if any."""
    is_path: bool = False
    """Whether the end of the text matters more than its beginning."""
    is_spare: bool = False
    """Whether it is shown only if there is plenty of room."""
    is_sparse: bool = False
    """Whether a table omits it if it is empty in the first rows."""
    piped: Callable[[Listed], str] | None = None
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


def field(name: str) -> Callable[[Listed], str]:
    """A field as text; empty if None."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return "" if value is None else clean(str(value))

    return cell


def beginning(name: str) -> Callable[[Listed], str]:
    """The first line of a field that may be long."""

    def cell(record: Listed) -> str:
        return clean(first_line(getattr(record, name) or "")[:_LONGEST])

    return cell


def first_line(text: str) -> str:
    """The first non-blank line of a text."""
    return text.lstrip().partition("\n")[0].rstrip()


def share(name: str) -> Callable[[Listed], str]:
    """A number between 0 and 1, with two decimals."""

    def cell(record: Listed) -> str:
        value = getattr(record, name)
        return f"{value:.2f}" if isinstance(value, float) else clean(str(value or ""))

    return cell


def number(title: str, name: str, width: int) -> Column:
    """A column of numbers that is empty for zero."""

    def cell(record: Listed) -> str:
        return str(getattr(record, name) or "")

    return Column(title, cell, width, right=True, is_sparse=True, piped=field(name))


def day(name: str) -> Callable[[Listed], str]:
    """The day of a time."""
    return _instant(name, _DAY)


def minute(name: str) -> Callable[[Listed], str]:
    """The day and time of a time field, as written."""
    return _instant(name, TO_THE_MINUTE)


def second(name: str) -> Callable[[Listed], str]:
    """The same, with seconds."""
    return _instant(name, _TO_THE_SECOND)


def _instant(name: str, length: int) -> Callable[[Listed], str]:
    def cell(record: Listed) -> str:
        return clean(getattr(record, name) or "")[:length].replace("T", " ")

    return cell


def styled(name: str) -> Callable[[Listed], str]:
    """The colour of a field's word."""

    def style(record: Listed) -> str:
        return style_of(getattr(record, name))

    return style


def style_of(word: object) -> str:
    """The colour of a word for a state."""
    return _STYLES.get(word, "") if isinstance(word, str) else ""


def ref() -> Column:
    """The column for the ref: short in a table, complete in a pipe."""
    return Column("Ref", _short_ref, _SHORT_REF, piped=field("ref"))


def store() -> Column:
    """The column for the store, shown if there is plenty of room."""
    return Column("Store", field("store"), is_path=True, is_spare=True)


def short_ref(whole: str) -> str:
    """A ref's prefix that is short enough to type and nearly always unique."""
    return whole.partition(":")[2][:_SHORT_REF]


def _short_ref(record: Listed) -> str:
    return short_ref(getattr(record, "ref", None) or "")


def size(name: str) -> Callable[[Listed], str]:
    """A number of bytes in readable form."""

    def cell(record: Listed) -> str:
        return sized(getattr(record, name))

    return cell


def few_digits(value: int) -> str:
    """A large number in few characters; empty for zero."""
    return compact(value) if value else ""


# Rows: a table for a person, for pipes a line for each record.


def write_rows(
    columns: Sequence[Column],
    records: Iterable[Listed],
    *,
    nothing: str,
    is_table: bool = False,
) -> None:
    """Print rows in columns; loads rich only for a person, or if a table is wanted."""
    if is_table or is_for_a_person():
        from tui.output.tables import write_table  # noqa: PLC0415  # rich is slow

        write_table(columns, records, nothing)
    else:
        write_plain(columns, records)


def write_plain(columns: Sequence[Column], records: Iterable[Listed]) -> None:
    """Print each record as one line; cells contain no tabs or line feeds."""
    for record in records:
        line = "\t".join((column.piped or column.cell)(record) for column in columns)
        sys.stdout.buffer.write(f"{line}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()
