"""Which conversation started the conversation of a sub-agent."""

import os
import sqlite3

_AGENTS = """
    SELECT conversations.id, conversations.first_at, conversations.parent,
        sessions.parent
    FROM conversations JOIN sessions ON sessions.source = conversations.source
    WHERE conversations.store = ? AND sessions.parent IS NOT NULL
"""
_BEFORE = """
    SELECT conversations.id FROM conversations
    JOIN sources ON sources.id = conversations.source
    WHERE sources.store = ?1 AND sources.path = ?2
    ORDER BY conversations.first_at > ?3, abs(conversations.first_at - ?3) LIMIT 1
"""


def find_parents(connection: sqlite3.Connection, store: int) -> None:
    """The last conversation of the parent's transcript that had begun by then."""
    changed: list[tuple[int | None, int]] = []
    for row, began, before, path in connection.execute(_AGENTS, (store,)).fetchall():
        key = (store, os.fsencode(path), began or 0)
        found = connection.execute(_BEFORE, key).fetchone()
        parent = found[0] if found else None
        if parent != before:
            changed.append((parent, row))
    connection.executemany("UPDATE conversations SET parent = ? WHERE id = ?", changed)
