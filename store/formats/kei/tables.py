"""Rows of the kit's databases, whatever version they are of."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.files.sqlite import Database, Scalar
from store.findings import Flaw, Json, Severity
from store.formats.kei.growing import Record

_SHOWN = 16
"""How many bytes of a blob are shown."""


class Expected(NamedTuple):
    """What a database has to be like, so that nothing need be said of it."""

    called: str
    """What people call it."""
    table: str
    """The table that it is read for."""
    versions: range
    """The versions that are known."""


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


def oddities(database: Database, expected: Expected) -> Iterator[Flaw]:
    """What is not as expected, and what was lost of the rows that were read so far."""
    called, table, versions = expected
    if table not in database.tables:
        message = f"The {called} has no table of {table}."
        yield Flaw(code=f"no-{table}", message=message)
    if database.user_version not in versions:
        message = f"Version {database.user_version} of the {called} is not known."
        yield Flaw(code="unknown-version", message=message, severity=Severity.NOTE)
    for sentence in database.lost:
        yield Flaw(code="lost-row", message=sentence)


def cell(value: Scalar) -> Json:
    """A value as JSON knows it; bytes as their hexadecimal beginning."""
    if isinstance(value, bytes):
        ending = "…" if len(value) > _SHOWN else ""
        return f"0x{value[:_SHOWN].hex()}{ending}"
    return value
