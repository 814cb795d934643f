"""Open the catalogue; what is damaged or somebody else's is set aside, not repaired."""

import contextlib
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from store.catalogue import schema
from store.catalogue.lock import only_one
from store.errors import CatalogueDamagedError, CatalogueUnusableError, GivenUpError
from store.places import make_private

_PATIENCE = 10.0
"""Seconds to wait for another process's transaction."""

_LOG = 64 * 1024 * 1024
"""Bytes of the log that are written before they are moved into the file: moving costs
as much as writing, and pages that are written again meanwhile are moved once."""

_SMALLEST = 512
"""Bytes of the smallest database; SQLite takes a shorter file for an empty one."""


def open_database(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Open the catalogue, making it where there is none that can be used.

    Returns the connection, and the sentence to tell the user if an old file had to be
    set aside. One process at a time makes it; the others wait and open what it made.
    """
    _make_folder(path.parent)
    if not os.access(path.parent, os.W_OK):
        raise CatalogueUnusableError(f"The folder {path.parent} cannot be written to.")
    notice = None
    try:
        connection = _open_whole(path)
        if connection is None:
            with only_one(_making(path)):
                connection = _open_whole(path)
                if connection is None:
                    connection, notice = _make(path)
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG // schema.PAGE}")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG}")
    except sqlite3.OperationalError as error:
        raise CatalogueUnusableError(
            f"The catalogue {path} cannot be opened: {error}."
        ) from error
    return connection, notice


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """All or nothing; takes the write lock at once, so that it never fails half-way."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        with contextlib.suppress(sqlite3.Error):
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


class Catalogue:
    """The open catalogue; one that turns out to be damaged is set aside and made anew.

    Nothing is lost with it: whatever it holds is read from the stores again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        """The file."""
        self.connection, self.notice = open_database(path)
        self._inode = path.stat().st_ino

    @contextmanager
    def in_use(self) -> Generator[sqlite3.Connection]:
        """The connection; what goes wrong with it while it is used is one sentence."""
        try:
            yield self.connection
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT:
                raise GivenUpError("Nobody waits for this answer any more.") from error
            raise CatalogueUnusableError(
                f"The catalogue {self.path} cannot be used: {error}."
            ) from error
        except sqlite3.DatabaseError as error:
            if type(error) is not sqlite3.DatabaseError:
                raise
            raise CatalogueDamagedError(self._renew()) from error

    def _renew(self) -> str:
        """Set the file aside, unless another process did so already, and open anew."""
        self.connection.close()
        told = "The catalogue was damaged, and another recollect made it anew."
        with only_one(_making(self.path)):
            if self.path.exists() and self.path.stat().st_ino == self._inode:
                told = _set_aside(self.path)
        self.connection, _ = open_database(self.path)
        self._inode = self.path.stat().st_ino
        return told

    def close(self) -> None:
        """Let go of the file."""
        self.connection.close()


def _making(path: Path) -> Path:
    """The lock that is held by whoever makes the catalogue."""
    return path.with_name(f"{path.name}.making.lock")


def _make_folder(folder: Path) -> None:
    """Make the cache folder, for its owner alone."""
    try:
        make_private(folder)
    except OSError as error:
        raise CatalogueUnusableError(
            f"The folder for the catalogue, {folder}, cannot be made: {error.strerror}."
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file, for its owner alone where it is made now."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise CatalogueUnusableError(
            f"The catalogue, {path}, cannot be made: {error.strerror}."
        ) from error
    return sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)


def _open_whole(path: Path) -> sqlite3.Connection | None:
    """The catalogue, if the file is a whole one of this version."""
    connection = _connect(path)
    try:
        if _is_ours(connection):
            return connection
    except sqlite3.OperationalError:
        connection.close()
        raise
    except sqlite3.DatabaseError:
        pass
    connection.close()
    return None


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is a catalogue of this version; raises if it is damaged."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return (application, version) == (schema.APPLICATION, schema.VERSION)


def _make(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Make the catalogue anew; an older one of ours gives way, it is derived."""
    notice = None if _gives_way(path) else _set_aside(path)
    connection = _connect(path)
    connection.execute(f"PRAGMA page_size = {schema.PAGE}")
    connection.execute("PRAGMA journal_mode = WAL")  # readers read on while it grows
    with transaction(connection):
        _drop_all(connection)
        for statement in (*schema.TABLES.split(";"), *schema.INDEX):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")
    return connection, notice


def _drop_all(connection: sqlite3.Connection) -> None:
    """Remove all that an older one held; virtual tables take their own along."""
    for kind in ("VIEW", "VIRTUAL TABLE", "TABLE"):
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE ? || ' %' "
            "AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid DESC",
            (f"CREATE {kind}",),
        )
        for (name,) in rows.fetchall():
            connection.execute(f'DROP {kind.split()[-1]} IF EXISTS "{name}"')


def _gives_way(path: Path) -> bool:
    """Whether nothing is lost with what the file holds: nothing, or an older one."""
    if 0 < path.stat().st_size < _SMALLEST:
        return False
    with contextlib.closing(_connect(path)) as connection:
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            rows = connection.execute("SELECT count(*) FROM sqlite_master")
            (tables,) = rows.fetchone()
        except sqlite3.OperationalError:
            raise
        except sqlite3.DatabaseError:
            return False
    return application == schema.APPLICATION or not tables


def _set_aside(path: Path) -> str:
    """Rename a file that is no catalogue, so that nothing of it is lost."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.set-aside-{stamp}")
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(f"{aside}{suffix}")
    return (
        f"The catalogue was damaged or not ours; it is kept as {aside} and made anew."
    )
