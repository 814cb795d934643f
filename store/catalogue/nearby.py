"""What was changed in a few files, read without looking at the rest of their store.

The rows of these files are exchanged, and only that which they concern is put together
anew: that takes as long in a store of a hundred thousand as in one of ten. Where a file
could concern more than that (a derived index, a transcript, a link of the file system),
it is left to a sync.
"""

import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from store.catalogue.database import transaction
from store.catalogue.near.standing import NEAR
from store.catalogue.near.writing import EMPTY, Fresh, NotNearError, write_near
from store.catalogue.rows.cells import holdable
from store.catalogue.rows.source import COLUMNS, rows_of
from store.catalogue.writer import Known, Writer
from store.derive.segments import USUAL
from store.discover import Found
from store.errors import UnreadableError
from store.findings import START
from store.formats.port import OpenStore, Source

_FEW = 64
"""So many files are read like this; of more, all is looked at anyway."""

_OTHERS = (*(table for table in COLUMNS if table not in NEAR), "conversations")

_STORE = (
    "SELECT id, title FROM stores "
    "WHERE path = ? AND format = ? AND signature IS NOT NULL"
)
_SPANNING = (
    "SELECT 1 FROM index_entries WHERE store = ? LIMIT 1",
    "SELECT 1 FROM claims WHERE store = ? AND side = 'index' LIMIT 1",
)
"""What makes a file concern more than its neighbours: a derived index."""

_LINKS = (
    "SELECT 1 FROM problems WHERE store = ? AND origin = 'refused' "
    "AND code LIKE 'link-%' LIMIT 1"
)
"""Links of the file system that are not followed; they may lead to what comes."""

_TWINS = "SELECT id FROM sources WHERE inode = ? AND store = ?"
"""The sources that are one file: links lead to it, or it has several names."""


def read_near(
    connection: sqlite3.Connection, found: Found, paths: Sequence[str]
) -> bool:
    """Read some files of a store that were changed; False where that takes a sync."""
    place = os.fsencode(found.path)
    row = connection.execute(_STORE, (place, found.format.name)).fetchone()
    if row is None or not 0 < len(paths) <= _FEW:
        return False
    (store, title) = row
    try:
        with transaction(connection), found.format.open(found.path) as opened:
            if holdable(opened.title) != title:
                return False
            if any(connection.execute(each, (store,)).fetchone() for each in _SPANNING):
                return False
            fresh = [
                _read(connection, store, place, opened, path)
                for path in dict.fromkeys(paths)
            ]
            write_near(connection, store, found, fresh)
    except (NotNearError, UnreadableError):
        return False
    return True


def _read(
    connection: sqlite3.Connection,
    store: int,
    place: bytes,
    opened: OpenStore,
    path: str,
) -> Fresh:
    """A source as it is now; raises NotNearError where more is concerned."""
    known = Writer(connection).known_one(store, path)
    source = _source(Path(os.fsdecode(place)), opened, path)
    if known is None or source is None:
        comes_or_goes = known is not None or source is not None
        if not comes_or_goes or connection.execute(_LINKS, (store,)).fetchone():
            raise NotNearError
    if known is not None and not _is_near(connection, store, known):
        raise NotNearError
    if source is None:
        return Fresh(path, known, None, EMPTY)
    rows = rows_of(place, source, opened.read(source), START, USUAL.gap)
    if rows.more or rows.mark != START or set(rows.tables).difference(NEAR):
        raise NotNearError
    return Fresh(path, known, source, rows)


def _source(root: Path, opened: OpenStore, path: str) -> Source | None:
    """The source at a path; None where there is none any more.

    Raises NotNearError where only a scan can tell, or where a link leads there.
    """
    place = root
    *folders, name = path.split("/")
    try:
        for folder in folders:
            place /= folder
            if not S_ISDIR(place.lstat().st_mode):
                raise NotNearError
        if not S_ISREG((place / name).lstat().st_mode):
            raise NotNearError
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotNearError from error
    source = opened.source_at(path)
    if source is None:
        raise NotNearError
    return source


def _is_near(connection: sqlite3.Connection, store: int, known: Known) -> bool:
    """Whether a source is read whole, by itself, and by no other name."""
    if known.more or known.mark != START:
        return False
    twins = connection.execute(_TWINS, (known.stamp.inode, store)).fetchall()
    return twins == [(known.row,)] and not any(
        connection.execute(
            f"SELECT 1 FROM {table} WHERE source = ? LIMIT 1", (known.row,)
        ).fetchone()
        for table in _OTHERS
    )
