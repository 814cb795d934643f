"""Write what a few sources of a store say now, and all that this changes elsewhere."""

import os
import sqlite3
import time
from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple

from store.catalogue.checking import check_near
from store.catalogue.fixing import offer_fixes
from store.catalogue.moves import kinds_shown, note_move
from store.catalogue.near.keys import Holders
from store.catalogue.near.neighbourhood import Neighbourhood
from store.catalogue.near.standing import Standing, Turn, stands
from store.catalogue.noticing import notice_near
from store.catalogue.rows.source import SourceRows
from store.catalogue.writer import SETTLED, Known, Writer
from store.discover import Found
from store.findings import START
from store.formats.port import Source

_KINDS = frozenset({"memories", "edges"})
"""The kinds of record that may be other than before, whatever was written."""


_IS_LISTED = (
    "SELECT 1 FROM documents "
    "WHERE store = ? AND role = 'memory-index' AND text_bytes > 0"
)


class Fresh(NamedTuple):
    """A source as it is now, beside what is known of it."""

    path: str
    known: Known | None
    """None of one that is new."""
    source: Source | None
    """None of one that is gone."""
    rows: SourceRows


EMPTY = SourceRows({}, goes_on=False, mark=START, more=False, conversations=None)
"""What a source says that is not there."""


class NotNearError(Exception):
    """More than these files moved, or may have."""


def write_near(
    connection: sqlite3.Connection, store: int, found: Found, fresh: Sequence[Fresh]
) -> None:
    """Exchange the rows of the sources, and put together anew what is around them.

    Raises NotNearError where that is the whole store.
    """
    place = os.fsencode(found.path)
    was_listed = _is_listed(connection, store)
    turn = Turn()
    standing = [_standing(connection, store, one) for one in fresh]
    for stood, one in zip(standing, fresh, strict=True):
        stood.note(one.rows.tables, turn)
    held = Holders(connection, store)
    before = Holders(connection, store, {key: held.held(key) for key in turn.keys})
    for stood, one in zip(standing, fresh, strict=True):
        stood.become(connection, store, one.rows.tables, turn)
    kept = _forget_gone(connection, standing, fresh)
    if _is_listed(connection, store) != was_listed:
        raise NotNearError
    around = Neighbourhood(connection, store, place, before, kept, turn).settle()
    paths = {os.fsencode(one.path) for one in fresh} | _paths(connection, around)
    check_near(connection, store, found.format.two_sided, around, paths)
    conclude(connection, store, found, paths, turn.tables)


def conclude(
    connection: sqlite3.Connection,
    store: int,
    found: Found,
    paths: Collection[bytes],
    tables: Iterable[str],
) -> None:
    """Say how what is wrong at some paths is mended, and that the store moved."""
    offer_fixes(connection, store, found, paths)
    notice_near(connection, store, time.time_ns() // 1000, paths)
    Writer(connection).sign(store, SETTLED)
    note_move(connection, os.fsencode(found.path), kinds_shown(tables) | _KINDS)


def _standing(connection: sqlite3.Connection, store: int, fresh: Fresh) -> Standing:
    """What is kept of a source, whose own row is brought up to date by this."""
    known, source = fresh.known, fresh.source
    if source is not None:
        return stands(connection, enter(connection, store, source, known), fresh.path)
    return stands(connection, known.row if known else 0, fresh.path)


def enter(
    connection: sqlite3.Connection, store: int, source: Source, known: Known | None
) -> int:
    """Note a source as it is now, whatever it says; returns its row."""
    if known is None:
        known, _ = Writer(connection).put(store, source, EMPTY, None)
        return known.row
    connection.execute(
        "UPDATE sources SET role = ?, size = ?, mtime_ns = ?, inode = ? WHERE id = ?",
        (source.role, *source.stamp, known.row),
    )
    return known.row


def _forget_gone(
    connection: sqlite3.Connection,
    standing: Sequence[Standing],
    fresh: Sequence[Fresh],
) -> list[int]:
    """Forget the sources that are gone; returns the others."""
    gone = {one.path for one in fresh if one.source is None}
    connection.executemany(
        "DELETE FROM sources WHERE id = ?",
        [(stood.source,) for stood in standing if stood.path in gone],
    )
    return [stood.source for stood in standing if stood.path not in gone]


def _is_listed(connection: sqlite3.Connection, store: int) -> bool:
    """Whether some document ought to name every memory."""
    return connection.execute(_IS_LISTED, (store,)).fetchone() is not None


def _paths(connection: sqlite3.Connection, sources: Iterable[int]) -> set[bytes]:
    """The paths of sources."""
    question = "SELECT path FROM sources WHERE id = ?"
    rows = (connection.execute(question, (row,)).fetchone() for row in sources)
    return {row[0] for row in rows if row}
