"""The rows of a source that holds memories alone, changed where they stand."""

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct

from store.catalogue.rows.cells import Cell, Row, fit_to_store
from store.catalogue.rows.source import COLUMNS
from store.catalogue.settle import vigour_of

Tables = Mapping[str, list[Row]]

_MEMORY = COLUMNS["memories"].split()
_TOLD = ("key", "names", "title", "type", "archived", "fades", "line")
"""What others go by: where that differs, more than this memory moved."""

_OTHERS_TELL = frozenset({"accessed", "accessed_at", "access_count"})
"""Of a memory that fades, another file tells these."""

_AGE = ("accessed_at", "updated_at", "created_at")
_CLAIM = COLUMNS["claims"].replace(" line", "").replace(" ", ", ")
_MEMORIES = (
    f"SELECT id, {', '.join(_MEMORY)} FROM memories WHERE source = ? ORDER BY id"
)
_CLAIMS = f"SELECT id, line, {_CLAIM} FROM claims WHERE source = ? ORDER BY id"


class Standing(Struct, frozen=True):
    """What the catalogue holds of a source."""

    source: int
    memories: Sequence[Row]
    """Each with the number of its row first."""
    claims: Sequence[Row]
    """Each with the number of its row and its line first."""

    def is_kept_by(self, tables: Tables) -> bool:
        """Whether all that others go by is as it was."""
        memories = fit_to_store(tables.get("memories", []))
        claims = fit_to_store(tables.get("claims", []))
        return [_told(row[1:]) for row in self.memories] == [
            _told(row) for row in memories
        ] and [row[2:] for row in self.claims] == [row[:-1] for row in claims]

    def become(self, connection: sqlite3.Connection, store: int, to: Tables) -> None:
        """Have the catalogue hold this instead; all that points there stays true."""
        memories = zip(self.memories, fit_to_store(to.get("memories", [])), strict=True)
        for (number, *before), after in memories:
            if tuple(before) != after:
                _write_memory(connection, number, before, after)
        self._move_claims(connection, to.get("claims", []))
        bodies = fit_to_store(to.get("bodies", []))
        _write_bodies(connection, store, self.source, bodies)

    def _move_claims(self, connection: sqlite3.Connection, claims: list[Row]) -> None:
        """Lines that something was put before are others now."""
        moved: dict[Cell, Cell] = {}
        for (number, before, *_), (*_, after) in zip(self.claims, claims, strict=True):
            if before != after:
                moved[before] = after
                update = "UPDATE claims SET line = ? WHERE id = ?"
                connection.execute(update, (after, number))
        if not moved:
            return
        question = "SELECT id, line FROM edges WHERE source = ?"
        for number, line in connection.execute(question, (self.source,)).fetchall():
            update = "UPDATE edges SET line = ? WHERE id = ?"
            connection.execute(update, (moved.get(line, line), number))


def stands(connection: sqlite3.Connection, source: int) -> Standing:
    """What the catalogue holds of a source."""
    memories = connection.execute(_MEMORIES, (source,)).fetchall()
    claims = connection.execute(_CLAIMS, (source,)).fetchall()
    return Standing(source, memories, claims)


def _told(memory: Sequence[Cell]) -> list[Cell]:
    """What others go by of a memory."""
    return [memory[_MEMORY.index(name)] for name in _TOLD]


def _write_memory(
    connection: sqlite3.Connection, number: Cell, before: Row | list[Cell], after: Row
) -> None:
    """Bring one memory up to date; its ref stays, for its key does.

    Columns that are as they were are not named, for the index of words would take
    that for another text.
    """
    old = dict(zip(_MEMORY, before, strict=True))
    new: dict[str, Any] = dict(zip(_MEMORY, after, strict=True))
    if old["fades"]:
        new |= {name: old[name] for name in _OTHERS_TELL}
        new["vigour"] = vigour_of(
            new["importance"],
            new["access_count"],
            new["type"],
            next((new[name] for name in _AGE if new[name] is not None), None),
            new["pinned"],
        )
    del new["ref"]
    other = {name: value for name, value in new.items() if old.get(name) != value}
    if other:
        terms = ", ".join(f"{name} = ?" for name in other)
        update = f"UPDATE memories SET {terms} WHERE id = ?"
        connection.execute(update, (*other.values(), number))


def _write_bodies(
    connection: sqlite3.Connection, store: int, source: int, bodies: list[Row]
) -> None:
    """Bring the texts up to date: each by its line."""
    question = "SELECT line, id, text FROM bodies WHERE source = ?"
    old = {
        line: (number, text)
        for line, number, text in connection.execute(question, (source,)).fetchall()
    }
    for line, text in bodies:
        number, before = old.pop(line, (None, None))
        if number is None:
            connection.execute(
                "INSERT INTO bodies (store, source, line, text) VALUES (?, ?, ?, ?)",
                (store, source, line, text),
            )
        elif before != text:
            update = "UPDATE bodies SET text = ? WHERE id = ?"
            connection.execute(update, (text, number))
    for number, _ in old.values():
        connection.execute("DELETE FROM bodies WHERE id = ?", (number,))
