"""A database of another program, with rows to change."""

import sqlite3
from contextlib import closing
from pathlib import Path

from store.edits.draft import RowStep
from store.findings import Json

Columns = dict[str, Json]

SCHEMA = """
CREATE TABLE memories (
    id TEXT PRIMARY KEY, title TEXT NOT NULL, weight REAL, raw BLOB,
    seen INTEGER DEFAULT 7, long TEXT AS (title || '!'),
    longer TEXT AS (title || '!!') STORED
);
CREATE TABLE tags (memory TEXT REFERENCES memories (id) ON DELETE CASCADE, tag TEXT);
INSERT INTO memories (id, title, weight, raw) VALUES
    ('m1', 'first', 0.5, x'00ff'), ('m2', 'second', NULL, NULL), ('m3', 'third', 1, '');
INSERT INTO tags VALUES ('m2', 'kept');
"""


def make(path: Path, *, logged: bool = False) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        if logged:
            connection.execute("PRAGMA journal_mode=WAL")
        connection.executescript(SCHEMA)
    return path


def run(path: Path, sql: str) -> list[tuple[object, ...]]:
    """Run a statement as another program."""
    with closing(sqlite3.connect(path)) as connection:
        found = connection.execute(sql).fetchall()
        connection.commit()
    return found


def rows(path: Path) -> list[tuple[object, ...]]:
    return run(path, "SELECT rowid, * FROM memories ORDER BY id")


def step(
    key: str,
    before: Columns | None,
    after: Columns | None,
    triggers: tuple[str, ...] = (),
) -> RowStep:
    return RowStep(
        path="memory.db",
        table="memories",
        key={"id": key},
        before=before,
        after=after,
        triggers=triggers,
    )
