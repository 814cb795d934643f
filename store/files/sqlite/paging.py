"""Rows of a table page by page, so that no transaction stays open for long."""

import sqlite3
from collections.abc import Iterator

from msgspec import Struct

from store.files.sqlite.guard import Guard
from store.files.sqlite.schema import quote

Scalar = None | int | float | str | bytes
"""A value of a database, as it is stored."""
Row = tuple[Scalar, ...]

PAGE = 1_000
"""How many rows are read at once, at most."""
_WEIGHT = 8 * 1024 * 1024
"""How much text is kept at once before rows are handed on."""
_LOST = 100
"""After how many rows that cannot be read the rest is given up."""
_LOWEST, _HIGHEST = -(2**63), 2**63 - 1


class Pages(Struct, frozen=True):
    """What is asked of one table; every name in it was checked and quoted."""

    connection: sqlite3.Connection
    guard: Guard
    lost: list[str]
    table: str
    columns: str
    number: str | None
    """What the number of a row is called; None for a table without such numbers."""
    where: str
    values: Row

    def by_number(self, limit: int | None, after: int | None) -> Iterator[Row]:
        """Rows in order of their numbers; raises what SQLite raises."""
        if self.number is None:
            yield from self._at_once("", limit)
            return
        left, since = limit, _LOWEST if after is None else _after(after)
        while since is not None and (left is None or left > 0):
            wanted = PAGE if left is None else min(PAGE, left)
            page, since = self._page(since, wanted)
            yield from page
            left = None if left is None else left - len(page)

    def ordered(self, order: str, limit: int | None) -> Iterator[Row]:
        """Rows in an order of the caller's; only their numbers are kept meanwhile."""
        if self.number is None:
            yield from self._at_once(order, limit)
            return
        chosen = f"SELECT {self.number}{self._from()} ORDER BY {order}{_most(limit)}"
        self.guard.begin()
        for (number,) in self.connection.execute(chosen, self.values).fetchall():
            yield from self._one(number)

    def _page(self, since: int, wanted: int) -> tuple[list[Row], int | None]:
        """Some rows from a number on, and where the next begin; None after the last."""
        page: list[Row] = []
        weight, last = 0, since
        self.guard.begin()
        try:
            for number, *row in self._since(self.columns, since, wanted):
                page.append(tuple(row))
                last = number
                weight += sum(len(v) for v in row if isinstance(v, (str, bytes)))
                if weight > _WEIGHT:
                    return page, _after(number)
        except sqlite3.DataError:
            return self._page_of_single_rows(since, wanted)
        return page, _after(last) if len(page) == wanted else None

    def _page_of_single_rows(
        self, since: int, wanted: int
    ) -> tuple[list[Row], int | None]:
        """The same where one of the rows cannot be read; no answer says which."""
        numbers = [number for (number,) in self._since("", since, wanted)]
        page = [row for number in numbers for row in self._one(number)]
        return page, _after(numbers[-1]) if len(numbers) == wanted else None

    def _one(self, number: int) -> Iterator[Row]:
        """One row; none where it is gone by now or cannot be read."""
        statement = f"SELECT {self.columns} FROM {quote(self.table)}"
        self.guard.begin()
        try:
            found = f"{statement} WHERE {self.number} = ?"
            yield from self.connection.execute(found, (number,)).fetchall()
        except sqlite3.DataError as error:
            self._lose(number, error)

    def _since(self, columns: str, since: int, most: int) -> Iterator[tuple[int, ...]]:
        chosen = f"{self.number}, {columns}" if columns else str(self.number)
        kept = f" AND ({self.where})" if self.where else ""
        statement = (
            f"SELECT {chosen} FROM {quote(self.table)} WHERE {self.number} >= ?{kept}"
            f" ORDER BY {self.number} LIMIT {most}"
        )
        return self.connection.execute(statement, (since, *self.values))

    def _at_once(self, order: str, limit: int | None) -> Iterator[Row]:
        sorting = f" ORDER BY {order}" if order else ""
        statement = f"SELECT {self.columns}{self._from()}{sorting}{_most(limit)}"
        self.guard.begin()
        rows = self.connection.execute(statement, self.values)
        while page := rows.fetchmany(PAGE):
            yield from page
            self.guard.begin()

    def _from(self) -> str:
        return f" FROM {quote(self.table)}" + (
            f" WHERE {self.where}" if self.where else ""
        )

    def _lose(self, number: int, error: sqlite3.DataError) -> None:
        if len(self.lost) >= _LOST:
            raise error
        self.lost.append(f"Row {number} of {self.table} cannot be read: {error}.")


def _after(number: int) -> int | None:
    return None if number >= _HIGHEST else number + 1


def _most(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"
