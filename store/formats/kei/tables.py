"""Rows of the kit's databases, whatever version they are of."""

from collections.abc import Iterator, Sequence

from store.files.sqlite import Database, Scalar
from store.findings import Json
from store.formats.kei.growing import Record

_SHOWN = 16
"""How many bytes of a blob are shown."""


def rows_of(
    database: Database,
    table: str,
    wanted: Sequence[str] = (),
    *,
    after: int | None = None,
) -> Iterator[tuple[int, Record]]:
    """The rows of a table with their numbers; columns that are not there are left out.

    All its columns where none is named. No rows where there is no such table. Raises
    UnreadableError where the database turns out to be damaged.
    """
    has = database.tables.get(table, ())
    columns = [name for name in wanted or has if name in has]
    if not columns:
        return
    found = database.rows(table, ("rowid", *columns), after=after)
    for number, *values in found:
        cells = map(cell, values)
        yield (
            number if isinstance(number, int) else 0,
            dict(zip(columns, cells, strict=True)),
        )


def cell(value: Scalar) -> Json:
    """A value as JSON knows it; bytes as their hexadecimal beginning."""
    if isinstance(value, bytes):
        ending = "…" if len(value) > _SHOWN else ""
        return f"0x{value[:_SHOWN].hex()}{ending}"
    return value
