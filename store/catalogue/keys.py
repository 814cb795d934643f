"""Which memory of a store a key means: by identifier, by path, by name."""

import os
import sqlite3
from collections import defaultdict
from dataclasses import dataclass

_MEMORIES = """
    SELECT memories.id, memories.key, memories.names, sources.path
    FROM memories JOIN sources ON sources.id = memories.source
    WHERE memories.store = ? ORDER BY sources.path, memories.line
"""


@dataclass(frozen=True, slots=True)
class Keyed:
    """A memory as keys see it."""

    row: int
    key: str
    path: str


class Keys:
    """All keys of a store; where two memories share one, the first by path has it."""

    def __init__(self, memories: list[tuple[Keyed, str]]) -> None:
        self._rows: dict[str, int] = {}
        by_key: dict[str, list[Keyed]] = defaultdict(list)
        for memory, names in memories:
            by_key[memory.key].append(memory)
            self._add(memory, names)
        self.shared = [group for group in by_key.values() if len(group) > 1]
        """The memories that share an identifier, group by group, in order of path."""

    def find(self, key: str) -> int | None:
        """The row of the memory that a key means.

        A path that is gone is looked up by its file name, so that what links to a
        memory stays true when the memory moves within its store.
        """
        row = self._rows.get(key)
        if row is None and key.startswith("path:"):
            return self._rows.get(f"file:{_file_name(key.removeprefix('path:'))}")
        return row

    def _add(self, memory: Keyed, names: str) -> None:
        """Note every key of a memory that no earlier one has."""
        rows, row = self._rows, memory.row
        rows.setdefault(memory.key, row)
        rows.setdefault(f"path:{memory.path}", row)
        rows.setdefault(f"file:{_file_name(memory.path)}", row)
        for name in names.split():
            rows.setdefault(name, row)


def _file_name(path: str) -> str:
    """The last part of a path."""
    return path.rpartition("/")[2]


def load_keys(connection: sqlite3.Connection, store: int) -> Keys:
    """The keys of all memories of a store."""
    rows = connection.execute(_MEMORIES, (store,))
    return Keys(
        [(Keyed(row, key, os.fsdecode(path)), names) for row, key, names, path in rows]
    )
