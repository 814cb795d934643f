"""How a kind of record is asked for: its query, its sorts, its total order."""

import sqlite3
from collections.abc import Callable
from typing import Generic, TypeVar

from msgspec import Struct, field

RecordT_co = TypeVar("RecordT_co", covariant=True)

PROBLEMS_OF = (
    "(SELECT group_concat(code, ' ') FROM "
    "(SELECT DISTINCT code FROM problems WHERE problems.ref = {0}.ref ORDER BY code))"
)
"""The codes of the problems that concern a row of a table."""

PLACE = "sources.path AS path, stores.path AS store_path, stores.format AS format"
"""Where a row comes from."""


def of_source(table: str) -> dict[str, str]:
    """The store and the source of a row of a table."""
    return {
        "stores": f"JOIN stores ON stores.id = {table}.store",
        "sources": f"JOIN sources ON sources.id = {table}.source",
    }


class View(Struct, Generic[RecordT_co], frozen=True):
    """One kind of record, as SQL."""

    table: str
    """The table that its rows are in."""
    columns: str
    """What a record is made from."""
    belongs: dict[str, str]
    """The tables that belong to it, by what they go by, each after those it needs; no
    row is lost or doubled where one of them is left out."""
    sorts: dict[str, str]
    """What it may be sorted by; the first is the order that a list has by itself."""
    make: Callable[[sqlite3.Row, int], RecordT_co]
    """A record out of a row, as of a point in time."""
    ties: tuple[str, ...]
    """The order among equals; it does not hang on what was read first."""
    largest_first: frozenset[str] = field(default_factory=frozenset[str])
    """The sorts that begin with the largest."""

    shown: str = "1"
    """The condition for a row to be shown at all."""

    @property
    def query(self) -> str:
        """Everything up to the conditions that are asked for, to be added with AND."""
        return (
            f"SELECT {self.columns} FROM {self.table} {self.joins} WHERE {self.shown}"
        )

    @property
    def joins(self) -> str:
        """All the tables that belong to it."""
        return " ".join(self.belongs.values())

    def joined(self, *parts: str) -> str:
        """Its table, and of those that belong to it what some SQL needs."""
        said = " ".join((self.shown, *parts))
        needed: list[str] = []
        for name, join in reversed(self.belongs.items()):
            if f"{name}." in said:
                needed.append(join)
                said += join
        return " ".join((self.table, *reversed(needed)))

    def order(self, sort: str | None, *, reverse: bool) -> str:
        """The ORDER BY clause: total, so that pages never overlap; blanks come last."""
        name = sort or next(iter(self.sorts))
        column = self.sorts[name]
        down = (name in self.largest_first) is not reverse
        direction = "DESC" if down else "ASC"
        ties = ", ".join(f"{tie} {direction}" for tie in self.ties)
        return f"ORDER BY {column} {direction} NULLS LAST, {ties}"
