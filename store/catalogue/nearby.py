"""What was changed in a few files, read without looking at the rest of their store.

The rows of these files are exchanged, and only that which they concern is put together
anew: that takes as long in a store of a hundred thousand as in one of ten. Where a file
could concern more than that (a derived index, a transcript, a link of the file system),
it is left to a sync.
"""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path
from stat import S_ISDIR, S_ISREG

from store.catalogue.database import transaction
from store.catalogue.near.lines import Lined
from store.catalogue.near.standing import NEAR
from store.catalogue.near.writing import (
    EMPTY,
    Fresh,
    NotNearError,
    conclude,
    enter,
    write_near,
)
from store.catalogue.rows.cells import holdable
from store.catalogue.rows.source import COLUMNS, rows_of
from store.catalogue.writer import Known, Writer
from store.derive.exchange import Exchange
from store.derive.segments import USUAL
from store.discover import Found
from store.errors import UnreadableError
from store.files.beneath import Stamp
from store.files.beneath.entry import stamp_of
from store.findings import START, Mark
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

_OF_ALL = (
    "SELECT 1 FROM problems WHERE store = ? AND origin = 'refused' "
    "AND (code LIKE 'link-%' OR path = X'') LIMIT 1"
)
"""What is told of all files together, and links of the file system that are not
followed: they may lead to what comes."""

_AMONG_OTHERS = Mark(1)
"""Where lines were read from that are not all of their file."""

_TWINS = "SELECT id FROM sources WHERE inode = ? AND store = ?"
"""The sources that are one file: links lead to it, or it has several names."""


def read_near(
    connection: sqlite3.Connection,
    found: Found,
    paths: Sequence[str],
    exchanged: Mapping[str, Exchange] | None = None,
) -> bool:
    """Read some files of a store that were changed; False where that takes a sync.

    `exchanged` tells which lines of a file are other than in what is known of it.
    """
    place = os.fsencode(found.path)
    row = connection.execute(_STORE, (place, found.format.name)).fetchone()
    if row is None or not 0 < len(paths) <= _FEW:
        return False
    (store, title) = row
    told = exchanged or {}
    try:
        with transaction(connection), found.format.open(found.path) as opened:
            if holdable(opened.title) != title:
                return False
            if any(connection.execute(each, (store,)).fetchone() for each in _SPANNING):
                return False
            near = _Near(connection, store, found, opened)
            fresh = [
                near.read(path)
                for path in dict.fromkeys(paths)
                if path not in told or not near.exchange(path, told[path])
            ]
            if fresh:
                write_near(connection, store, found, fresh)
    except (NotNearError, UnreadableError):
        return False
    return True


class _Near:
    """Files of one store, each read by itself."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        store: int,
        found: Found,
        opened: OpenStore,
    ) -> None:
        self._connection = connection
        self._store = store
        self._found = found
        self._place = os.fsencode(found.path)
        self._opened = opened

    def exchange(self, path: str, exchange: Exchange) -> bool:
        """Read the lines that came, where they can be told by themselves."""
        known = Writer(self._connection).known_one(self._store, path)
        stamp = _stamp(self._found.path, path)
        if known is None or stamp is None or stamp.size != exchange.size:
            return False
        if not _is_near(self._connection, self._store, known):
            return False
        source = Source(path, known.role, stamp)
        lined = Lined(self._connection, (self._store, known.row), exchange)
        findings = self._opened.read_lines(source, exchange, lined.others)
        if findings is None:
            return False
        rows = rows_of(self._place, source, findings, _AMONG_OTHERS, USUAL.gap)
        if not lined.is_apart(os.fsencode(path), rows.tables):
            return False
        lined.become(rows.tables, stamp.mtime_ns // 1000)
        enter(self._connection, self._store, source, known)
        paths = {os.fsencode(path)}
        conclude(self._connection, self._store, self._found, paths, rows.tables)
        return True

    def read(self, path: str) -> Fresh:
        """A source as it is now; raises NotNearError where more is concerned."""
        known = Writer(self._connection).known_one(self._store, path)
        source = self._source(path)
        if known is None or source is None:
            comes_or_goes = known is not None or source is not None
            if not comes_or_goes or self._depends_on_all:
                raise NotNearError
        if known is not None and not _is_near(self._connection, self._store, known):
            raise NotNearError
        if source is None:
            return Fresh(path, known, None, EMPTY)
        findings = self._opened.read(source)
        rows = rows_of(self._place, source, findings, START, USUAL.gap)
        if rows.more or rows.mark != START or set(rows.tables).difference(NEAR):
            raise NotNearError
        return Fresh(path, known, source, rows)

    def _source(self, path: str) -> Source | None:
        """The source at a path; None where there is none any more.

        Raises NotNearError where only a scan can tell, or where a link leads there.
        """
        if _stamp(self._found.path, path) is None:
            return None
        source = self._opened.source_at(path)
        if source is None:
            raise NotNearError
        return source

    @property
    def _depends_on_all(self) -> bool:
        return bool(self._connection.execute(_OF_ALL, (self._store,)).fetchone())


def _stamp(root: Path, path: str) -> Stamp | None:
    """The stamp of the regular file at a path; None where there is none any more.

    Raises NotNearError where a link leads there, or something else stands there.
    """
    place = root
    *folders, name = path.split("/")
    try:
        for folder in folders:
            place /= folder
            if not S_ISDIR(place.lstat().st_mode):
                raise NotNearError
        about = (place / name).lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise NotNearError from error
    if not S_ISREG(about.st_mode):
        raise NotNearError
    return stamp_of(about)


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
