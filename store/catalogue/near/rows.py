"""Rows of a source exchanged for others, as few of them as can be."""

import sqlite3
from collections.abc import Sequence
from itertools import takewhile
from typing import Any

from store.catalogue.rows.cells import Cell, Row
from store.catalogue.rows.source import COLUMNS

Where = tuple[int, int]
"""A store and a source."""

_MEMORY = COLUMNS["memories"].split()
_OTHERS_TELL = frozenset({"accessed", "accessed_at", "access_count"})
"""Of a memory that fades, another file tells these."""


def exchange(
    connection: sqlite3.Connection,
    where: Where,
    table: str,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Replace the rows of a table, from the first on that differs.

    Each row before begins with its number.
    """
    kept = _alike([row[1:] for row in before], after)
    replace(connection, where, table, before[kept:], after[kept:])


def replace(
    connection: sqlite3.Connection,
    where: Where,
    table: str,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Replace these rows by those."""
    connection.executemany(
        f"DELETE FROM {table} WHERE id = ?", [(row[0],) for row in before]
    )
    columns = COLUMNS[table].split()
    connection.executemany(
        f"INSERT INTO {table} (store, source, {', '.join(columns)}) "
        f"VALUES ({', '.join('?' * (len(columns) + 2))})",
        [(*where, *row) for row in after],
    )


def exchange_mentions(
    connection: sqlite3.Connection,
    where: Where,
    before: Sequence[Row],
    after: Sequence[Row],
) -> list[int]:
    """Replace the mentions between those that are as before at both ends.

    Behind a line that comes or goes all are on other lines: those stay what they are.
    Returns which memories those led to that are gone.
    """
    old = [row[1:] for row in before]
    first = _alike(old, after)
    last = _alike(_reversed(old[first:]), _reversed(after[first:]))
    ended, ends = len(before) - last, len(after) - last
    connection.executemany(
        "UPDATE mentions SET line = ? WHERE id = ?",
        [
            (now[-1], was[0])
            for was, now in zip(before[ended:], after[ends:], strict=True)
            if was[-1] != now[-1]
        ],
    )
    question = "SELECT memory FROM mentions WHERE id = ? AND memory IS NOT NULL"
    going = before[first:ended]
    led = [connection.execute(question, (row[0],)).fetchone() for row in going]
    replace(connection, where, "mentions", going, after[first:ends])
    return [found[0] for found in led if found]


def without_common(
    before: Sequence[Row], after: Sequence[Row]
) -> tuple[Sequence[Row], Sequence[Row]]:
    """What is left of both without that which they begin and end with alike."""
    first = _alike(before, after)
    last = _alike(before[first:][::-1], after[first:][::-1])
    return before[first : len(before) - last], after[first : len(after) - last]


def write_memory(
    connection: sqlite3.Connection, number: Cell, before: Sequence[Cell], after: Row
) -> None:
    """Bring one memory up to date.

    Columns that are as they were are not named, for the index of words would take
    that for another text.
    """
    old = dict(zip(_MEMORY, before, strict=True))
    new: dict[str, Any] = dict(zip(_MEMORY, after, strict=True))
    kept = _OTHERS_TELL if old["fades"] else ()
    other = {
        name: value
        for name, value in new.items()
        if name not in kept and old[name] != value
    }
    if other:
        terms = ", ".join(f'"{name}" = ?' for name in other)
        update = f"UPDATE memories SET {terms} WHERE id = ?"
        connection.execute(update, (*other.values(), number))


def write_bodies(
    connection: sqlite3.Connection,
    where: Where,
    before: Sequence[Row],
    after: Sequence[Row],
) -> None:
    """Bring the texts up to date: each by its line."""
    old = {line: (number, text) for number, line, text in before}
    if len(old) < len(before) or len({line for line, _ in after}) < len(after):
        replace(connection, where, "bodies", before, after)
        return
    for line, text in after:
        number, was = old.pop(line, (None, None))
        if number is None:
            replace(connection, where, "bodies", (), [(line, text)])
        elif was != text:
            update = "UPDATE bodies SET text = ? WHERE id = ?"
            connection.execute(update, (text, number))
    replace(connection, where, "bodies", list(old.values()), ())


def _alike(before: Sequence[Row], after: Sequence[Row]) -> int:
    """How many rows are the same at the beginning."""
    pairs = zip(before, after, strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _reversed(mentions: Sequence[Row]) -> list[Row]:
    """Mentions from the last to the first, without their lines."""
    return [row[:-1] for row in reversed(mentions)]
