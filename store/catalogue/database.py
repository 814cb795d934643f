"""Open the catalogue; what is damaged or somebody else's is set aside, not repaired."""

import contextlib
import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from store.catalogue import schema
from store.errors import CatalogueBusyError, UnreadableError

_PATIENCE = 10.0
"""Seconds to wait for another process's transaction."""


def open_database(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Open the catalogue, making it where there is none that can be used.

    Returns the connection, and the sentence to tell the user if an old file had to be
    set aside.
    """
    _make_folder(path.parent)
    notice = None
    try:
        connection = _connect(path)
        fit = _is_ours(connection)
    except sqlite3.OperationalError as error:
        raise CatalogueBusyError(f"The catalogue cannot be opened: {error}.") from error
    except sqlite3.DatabaseError:
        notice = _set_aside(path)
        connection = _connect(path)
        fit = False
    if not fit:
        if _is_foreign(connection):
            connection.close()
            notice = _set_aside(path)
            connection = _connect(path)
        _build(connection)
    return connection, notice


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """All or nothing; takes the write lock at once, so that it never fails half-way."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield connection
    except BaseException:
        connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def _make_folder(folder: Path) -> None:
    """Make the cache folder, for its owner alone."""
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise UnreadableError(
            f"The folder for the catalogue, {folder}, cannot be made: {error.strerror}."
        ) from error


def _connect(path: Path) -> sqlite3.Connection:
    """Open the file for its owner alone, in the mode that lets readers read on."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
    try:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -32768")
    except sqlite3.DatabaseError:
        connection.close()
        raise
    return connection


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is a whole catalogue of this version."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    return (application, version) == (schema.APPLICATION, schema.VERSION)


def _is_foreign(connection: sqlite3.Connection) -> bool:
    """Whether another program's tables are in the file."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return application != schema.APPLICATION and tables > 0


def _build(connection: sqlite3.Connection) -> None:
    """Make the tables anew; an older catalogue of ours gives way, it is derived."""
    with transaction(connection):
        if _is_ours(connection):
            return
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE type = 'table' AND sql IS NOT NULL"
        )
        for (name,) in rows.fetchall():
            connection.execute(f'DROP TABLE "{name}"')
        for statement in schema.TABLES.split(";"):
            connection.execute(statement)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")


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
