"""How a database is opened so that its folder looks the same afterwards.

SQLite itself would make or change files beside one that has a write-ahead log, even
where it may only read. So it is opened in place only where it needs to make none, and
read from a copy everywhere else. `immutable=1` is out of the question: it is blind for
the log and for a transaction that broke off.
"""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path
from urllib.parse import quote

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Root
from store.files.beneath.naming import quoted
from store.files.sqlite.database import Database
from store.files.sqlite.guard import PATIENCE, Guard
from store.files.sqlite.reasons import ERRORS, because
from store.files.sqlite.snapshot import companions, copied, remove
from store.files.sqlite.stamp import SHM, WAL, database_stamp

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_VERSIONS = slice(18, 20)
_LOGGED = 2
"""The version of a file that is written through a log."""

_IN_PLACE = "mode=ro&readonly_shm=1"
_COPY = "mode=rw"
"""What broke off is rolled back in the copy; `query_only` holds for all else."""


def open_database(root: Root, path: str) -> Database:
    """Open a database beneath a root for reading; nothing in its folder changes.

    Raises UnreadableError, whose sentence says what it is instead of a database, and
    RefusedError where it leads out of the root or is no plain file.
    """
    real = root.target(path)
    if real is None:
        raise RefusedError(f"{quoted(path)} is not there or leads out of the store.")
    header = root.read(real, limit=_HEADER).raw
    _check(header, path)
    beside = companions(root, real)
    if _needs_no_file(header, set(beside)):
        try:
            return _opened(root.path / real, _IN_PLACE, path)
        except sqlite3.OperationalError:
            pass
        except ERRORS as error:
            raise because(path, error) from error
    return _copied(root, real, path)


def _check(header: bytes, path: str) -> None:
    if not header:
        raise UnreadableError(f"{quoted(path)} is empty: there is no database in it.")
    if not header.startswith(_MAGIC):
        sentence = f"{quoted(path)} is no SQLite database, or it is encrypted."
        raise UnreadableError(sentence)
    if len(header) < _HEADER:
        raise UnreadableError(f"{quoted(path)} is cut off: it has not even a header.")


def _needs_no_file(header: bytes, beside: set[str]) -> bool:
    """Whether SQLite finds beside a database all that it would otherwise make.

    A journal is no matter: SQLite reads beside whoever writes it, and refuses what it
    would have to roll back.
    """
    is_logged = _LOGGED in header[_VERSIONS] or WAL in beside
    return not is_logged or {WAL, SHM} <= beside


def _copied(root: Root, real: str, path: str) -> Database:
    moment = datetime.fromtimestamp(database_stamp(root, real).mtime_ns / 1e9, UTC)
    notice = f"Read from a copy of {quoted(path)} as it was at {moment:%F %T} UTC."
    copy = copied(root, real)
    try:
        return _opened(copy, _COPY, path, notice, copy)
    except ERRORS as error:
        remove(copy)
        raise because(path, error) from error


def _opened(
    file: Path,
    mode: str,
    path: str,
    notice: str | None = None,
    copy: Path | None = None,
) -> Database:
    """Connect, and read the schema; raises what SQLite raises."""
    address = f"file:{quote(bytes(file))}?{mode}"
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, timeout=PATIENCE
    )
    try:
        return Database(connection, Guard(connection), path, notice, copy)
    except BaseException:
        connection.close()
        raise
