"""Which memory of a store a key means: by identifier, by path, by name."""

import os
import sqlite3
from collections.abc import Iterator

from msgspec import Struct

_MEMORIES = """
    SELECT memories.id, memories.key, sources.path, memories.line,
        memories.is_copy, memories.names
    FROM memories JOIN sources ON sources.id = memories.source
    WHERE memories.store = ? ORDER BY sources.path, memories.line, memories.id
"""


class Keyed(Struct, frozen=True):
    """A memory as keys see it."""

    row: int
    key: str
    path: str
    line: int | None
    was_copy: bool
    """Whether an earlier one had its identifier when its ref was last made."""


class Keys:
    """All keys of a store; where two memories share one, the first by path has it."""

    def __init__(self, memories: list[tuple[Keyed, str]]) -> None:
        self._rows: dict[str, int] = {}
        self._keys = {memory.row: memory.key for memory, _ in memories}
        self._order = {row: number for number, row in enumerate(self._keys)}
        self.copies: list[Keyed] = []
        """The memories whose identifier an earlier one has, in order of path."""
        self.copies_no_more: list[Keyed] = []
        """The memories that were such copies and have their identifier alone now."""
        for memory, names in memories:
            if memory.key.startswith("id:") and memory.key in self._rows:
                self.copies.append(memory)
            elif memory.was_copy:
                self.copies_no_more.append(memory)
            self._add(memory, names)

    def find(self, key: str) -> int | None:
        """The row of the memory that a key means.

        A path that is gone is looked up by its file name, so that what links to a
        memory stays true when the memory moves within its store.
        """
        row = self._rows.get(key)
        if row is None and key.startswith("path:"):
            return self._rows.get(file_key(key))
        return row

    def meant(self, key: str) -> tuple[str, int | None]:
        """The own key and the row of the memory that a key means; else it stands."""
        row = self.find(key)
        return (key, None) if row is None else (self._keys[row], row)

    def order(self, meant: tuple[str, int | None]) -> tuple[str, int]:
        """Where an end stands among others: by its key, and its memory's path."""
        key, row = meant
        return (key, -1 if row is None else self._order[row])

    def _add(self, memory: Keyed, names: str) -> None:
        """Note every key of a memory that no earlier one has."""
        for key in keys_of(memory.key, memory.path, names):
            self._rows.setdefault(key, memory.row)


def keys_of(key: str, path: str, names: str) -> Iterator[str]:
    """All keys that mean a memory, its own first."""
    yield key
    yield f"path:{path}"
    yield file_key(path)
    yield from names.split()


def file_key(path: str) -> str:
    """The key that is made of the last part of a path, or of a key that is a path."""
    return f"file:{path.removeprefix('path:').rpartition('/')[2]}"


def load_keys(connection: sqlite3.Connection, store: int) -> Keys:
    """The keys of all memories of a store."""
    rows = connection.execute(_MEMORIES, (store,))
    return Keys(
        [
            (Keyed(row, key, os.fsdecode(path), line, bool(was_copy)), names)
            for row, key, path, line, was_copy, names in rows
        ]
    )
