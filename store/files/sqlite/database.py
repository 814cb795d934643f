"""A database while it is read: its tables, and their rows in short transactions."""

import sqlite3
from collections.abc import Container, Iterator, Mapping, Sequence
from pathlib import Path

from store.closing import Closing
from store.errors import UnreadableError
from store.files.beneath.naming import quoted
from store.files.sqlite.guard import Guard
from store.files.sqlite.paging import Pages, Row, Scalar
from store.files.sqlite.reasons import ERRORS, because
from store.files.sqlite.schema import computed, quote, real_tables
from store.files.sqlite.snapshot import remove

__all__ = ["Database", "Row", "Scalar"]

ROW_NAMES = ("rowid", "_rowid_", "oid")
"""What SQLite calls the number of a row, unless a column is called so."""


class Database(Closing):
    """An open database; not for several threads at once."""

    tables: Mapping[str, tuple[str, ...]]
    """The real tables and their columns, generated ones included; no views."""
    user_version: int
    """The number that its writer left in its header."""
    notice: str | None
    """The sentence that says that this is a copy, where it is one."""
    lost: list[str]
    """A sentence for each row that could not be read so far."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        guard: Guard,
        path: str,
        notice: str | None,
        copy: Path | None,
    ) -> None:
        """Read the schema; raises what SQLite raises."""
        self.tables = real_tables(connection)
        self.user_version = connection.execute("PRAGMA user_version").fetchone()[0]
        self.notice, self.lost = notice, []
        guard.admit(self.tables)
        self._computed = {name: computed(connection, name) for name in self.tables}
        self._connection, self._guard = connection, guard
        self._path, self._copy = path, copy

    def rows(  # noqa: PLR0913 - the parts of one SELECT, most of them left out
        self,
        table: str,
        columns: Sequence[str],
        *,
        where: str = "",
        values: Sequence[Scalar] = (),
        order: str = "",
        limit: int | None = None,
        after: int | None = None,
    ) -> Iterator[Row]:
        """Rows of a table, values as they are stored, whatever the columns declare.

        `columns` may name `rowid`, the number of the row, whatever that is called.
        `where` and `order` are SQL of the caller's, never of a file or a user. Without
        `order` rows come by their number, those `after` a number where it is given.
        Each page is a transaction of its own. A row that cannot be read is left out and
        told in `lost`. Raises UnreadableError.
        """
        pages = self._pages(table, columns, where, values)
        try:
            if order:
                yield from pages.ordered(order, limit)
            else:
                yield from pages.by_number(limit, after)
        except ERRORS as error:
            raise because(self._path, error) from error

    def close(self) -> None:
        """Let go of the file, and remove the copy if it is one; may be called again."""
        self._connection.close()
        if self._copy:
            remove(self._copy)
            self._copy = None

    def _pages(
        self, table: str, columns: Sequence[str], where: str, values: Sequence[Scalar]
    ) -> Pages:
        has = self.tables.get(table)
        if has is None:
            raise UnreadableError(f"{quoted(self._path)} has no table {table!r}.")
        number = self._number(table, has)
        spelt = {name: quote(name) for name in has}
        if number:
            spelt.setdefault(ROW_NAMES[0], number)
        for column in columns:
            self._check(table, column, spelt)
        return Pages(
            self._connection,
            self._guard,
            self.lost,
            table=table,
            columns=", ".join(spelt[column] for column in columns),
            number=number,
            where=where,
            values=tuple(values),
        )

    def _number(self, table: str, has: Sequence[str]) -> str | None:
        """What rows of a table are numbered by; None where they are not."""
        taken = {name.lower() for name in has}
        number = next((name for name in ROW_NAMES if name not in taken), None)
        try:
            self._connection.execute(f"SELECT {number} FROM {quote(table)} LIMIT 0")
        except ERRORS:
            return None
        return number

    def _check(self, table: str, column: str, known: Container[str]) -> None:
        """Raise UnreadableError for a column that is not there or not stored."""
        if column not in known:
            fault = "has no column"
        elif column in self._computed[table]:
            fault = "only computes, and does not store, the column"
        else:
            return
        raise UnreadableError(f"{quoted(self._path)}: {table!r} {fault} {column!r}.")
