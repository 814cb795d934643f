"""Transcripts that are wholly contained in another: the same words, kept twice."""

import sqlite3
from collections import Counter
from itertools import permutations
from typing import NamedTuple

_NEW = "SELECT 1 FROM sources WHERE store = ? AND is_new LIMIT 1"
_SHARED = """
    SELECT group_concat(source) FROM messages WHERE store = ? AND kin IS NOT NULL
    GROUP BY kin HAVING count(*) > 1
"""
_SIZES = """
    SELECT sources.id, sources.path, sources.copy_of,
        count(messages.kin)
    FROM sources JOIN messages ON messages.source = sources.id
    WHERE sources.store = ? GROUP BY sources.id
"""


class _Transcript(NamedTuple):
    """A transcript, as far as it can be within another."""

    path: bytes
    copy_of: int | None
    size: int
    """How many messages it has that may stand elsewhere too."""

    @property
    def rank(self) -> tuple[int, bytes]:
        """The largest first, and among equals in order of path."""
        return (-self.size, self.path)


def mark_copies(connection: sqlite3.Connection, store: int) -> None:
    """Note of each transcript which larger one holds all of it, where one does.

    Only a new transcript can change that: one that grows was told apart before, or is
    looked at again with the next new one.
    """
    if not connection.execute(_NEW, (store,)).fetchone():
        return
    rows = connection.execute(_SIZES, (store,))
    sources = {row: _Transcript(*about) for row, *about in rows}
    shared: Counter[tuple[int, int]] = Counter()
    for (several,) in connection.execute(_SHARED, (store,)):
        among = sorted({int(row) for row in several.split(",")})
        shared.update(permutations(among, 2))
    within: dict[int, int] = {}
    for (part, whole), count in shared.items():
        if count == sources[part].size and sources[whole].rank < sources[part].rank:
            best = within.setdefault(part, whole)
            within[part] = min(best, whole, key=lambda row: sources[row].rank)
    changed = [
        (within.get(row), row)
        for row, transcript in sources.items()
        if within.get(row) != transcript.copy_of
    ]
    connection.executemany("UPDATE sources SET copy_of = ? WHERE id = ?", changed)
    connection.execute(
        "UPDATE sources SET is_new = 0 WHERE store = ? AND is_new", (store,)
    )
