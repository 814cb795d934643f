"""What was changed in a few files, read without looking at the rest of their store.

Most changes say nothing to other files: a value, a tag, a text. Then the rows of a
memory are brought up to date where they stand, and all that points to them goes on
doing so: that takes as long in a store of a hundred thousand as in one of ten. What
does concern others (a title, a link, a file that comes or goes) is left to a sync.
"""

import os
import sqlite3
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from store.catalogue.database import transaction
from store.catalogue.moves import note_move
from store.catalogue.rows.source import COLUMNS, SourceRows, rows_of
from store.catalogue.standing import Standing, stands
from store.catalogue.writer import SETTLED, Known, Writer
from store.derive.segments import USUAL
from store.discover import Found
from store.errors import UnreadableError
from store.files.beneath import Root
from store.findings import START
from store.formats.port import OpenStore, Source

_FEW = 64
"""So many files are read like this; of more, all is looked at anyway."""

_PLAIN = frozenset({"memories", "bodies", "claims"})
"""The tables of a source that holds nothing but memories."""

_OTHERS = (*(table for table in COLUMNS if table not in _PLAIN), "conversations")

_KINDS = ("memories", "edges", "problems")
"""The kinds of record that may be other than before."""

_STORE = "SELECT id FROM stores WHERE path = ? AND format = ? AND signature IS NOT NULL"
_HAS_INDEX = "SELECT 1 FROM index_entries WHERE store = ? LIMIT 1"
_HAS_PROBLEM = "SELECT 1 FROM problems WHERE store = ? AND path = ? LIMIT 1"


class _Fresh(NamedTuple):
    """A source that was read just now."""

    source: Source
    known: Known
    standing: Standing
    rows: SourceRows


class _NotNearError(Exception):
    """More than these files moved, or may have."""


def read_near(
    connection: sqlite3.Connection, found: Found, paths: Sequence[str]
) -> bool:
    """Read some files of a store that were changed; False where that takes a sync."""
    place = os.fsencode(found.path)
    row = connection.execute(_STORE, (place, found.format.name)).fetchone()
    if row is None or not 0 < len(paths) <= _FEW:
        return False
    (store,) = row
    try:
        with transaction(connection):
            for fresh in list(_read(connection, store, found, paths)):
                _write(connection, store, fresh)
            Writer(connection).sign(store, SETTLED)
            note_move(connection, place, _KINDS)
    except (_NotNearError, UnreadableError):
        return False
    return True


def _read(
    connection: sqlite3.Connection, store: int, found: Found, paths: Sequence[str]
) -> Iterator[_Fresh]:
    """The sources as they are now; raises _NotNearError where others are concerned."""
    if connection.execute(_HAS_INDEX, (store,)).fetchone():
        raise _NotNearError
    place, writer = os.fsencode(found.path), Writer(connection)
    with Root(found.path) as root, found.format.open(found.path) as opened:
        for path in dict.fromkeys(paths):
            known = writer.known_one(store, path)
            if known is None or not _is_plain(connection, store, path, known):
                raise _NotNearError
            with root.opened(path) as file:
                source = Source(path, known.role, file.stamp)
            standing = stands(connection, known.row)
            rows = _rows(opened, place, source)
            if set(rows.tables) - _PLAIN or not standing.is_kept_by(rows.tables):
                raise _NotNearError
            yield _Fresh(source, known, standing, rows)


def _rows(opened: OpenStore, place: bytes, source: Source) -> SourceRows:
    """What a source says now."""
    rows = rows_of(place, source, opened.read(source), START, USUAL.gap)
    if rows.more or rows.mark != START:
        raise _NotNearError
    return rows


def _is_plain(
    connection: sqlite3.Connection, store: int, path: str, known: Known
) -> bool:
    """Whether a source holds memories and nothing else, and nothing is wrong there."""
    if known.more or known.mark != START:
        return False
    if connection.execute(_HAS_PROBLEM, (store, os.fsencode(path))).fetchone():
        return False
    return not any(
        connection.execute(
            f"SELECT 1 FROM {table} WHERE source = ? LIMIT 1", (known.row,)
        ).fetchone()
        for table in _OTHERS
    )


def _write(connection: sqlite3.Connection, store: int, fresh: _Fresh) -> None:
    """Bring the rows of a source up to date where they stand."""
    fresh.standing.become(connection, store, fresh.rows.tables)
    connection.execute(
        "UPDATE sources SET size = ?, mtime_ns = ?, inode = ? WHERE id = ?",
        (*fresh.source.stamp, fresh.known.row),
    )
