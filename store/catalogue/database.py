"""Open the index database, notice damage, and lock it for a sync."""

import contextlib
import fcntl
import os
import sqlite3
import struct
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from weakref import WeakSet

import orjson

from store.catalogue import schema
from store.errors import (
    CatalogueBusyError,
    CatalogueDamagedError,
    CatalogueUnusableError,
    GivenUpError,
    RecollectError,
)
from store.machine import locked, make_private, why_not

# Whether anything but this program has changed the index since it was left.
#
# The size and time of the database and of its log are written to a file beside it after
# each change. SQLite itself would not notice a changed letter.


class Seal(NamedTuple):
    """The state of a database and of its write-ahead log."""

    version: int
    size: int
    time: int
    log_size: int
    log_time: int
    frames: int
    """The number of pages in the log that belong to finished transactions."""
    salt: int
    """A number that is another one whenever the log begins again."""

    def is_followed_by(self, now: "Seal") -> bool:
        """Whether only finished transactions can have come since.

        SQLite checks the log from its first page on, so all pages that were there are
        intact if it finds as many. It overwrites a log only once the database has
        everything.
        """
        if (self.version, self.size, self.time) != (now.version, now.size, now.time):
            return False
        least = self.frames if self.salt == now.salt else min(self.frames, 1)
        return now.frames >= least


_WIDTH = 20
"""Digits of each number, so that a full disk is no obstacle to a new seal."""

_SHARED = struct.Struct("=16xI12xQ")
"""The number of pages and the salt, in the file that connections share."""


@contextmanager
def sealed_again(path: Path) -> Generator[None]:
    """Seal the file after a change, unless something else had changed it before."""
    before = _now(path)
    was_sealed = _read(path) == before
    try:
        yield
    finally:
        if was_sealed and (now := _now(path)) != before:
            _write(path, now)


def is_sealed(path: Path) -> bool:
    """Whether neither the database nor its log has changed since they were sealed."""
    return _read(path) == _now(path)


def is_sound(path: Path) -> bool:
    """Whether the program itself made all changes since; a connection must be open.

    It may have been killed before it could seal them.
    """
    before = _read(path)
    return before is not None and before.is_followed_by(_now(path))


def seal(path: Path) -> None:
    """Note the state of the database and of its log."""
    _write(path, _now(path))


def _write(path: Path, state: Seal) -> None:
    told = " ".join(f"{number:0{_WIDTH}}" for number in state)
    with suppress(OSError):
        handle = os.open(seal_of(path), os.O_WRONLY | os.O_CREAT, 0o600)
        try:
            os.write(handle, told.encode())
        finally:
            os.close(handle)


def seal_of(path: Path) -> Path:
    """The file with the seal of a database."""
    return path.with_name(f"{path.name}.seal")


def has_log(path: Path) -> bool:
    """Whether anything is in the write-ahead log of a database."""
    return bool(_log(path)[0])


def _read(path: Path) -> Seal | None:
    try:
        return Seal(*map(int, seal_of(path).read_bytes().split()))
    except (OSError, ValueError, TypeError):
        return None


def _now(path: Path) -> Seal:
    log = _log(path)
    frames, salt = _frames_and_salt(path) if log[0] else (0, 0)
    return Seal(schema.VERSION, *_size_and_time(path), *log, frames, salt)


def _log(path: Path) -> tuple[int, int]:
    return _size_and_time(path.with_name(f"{path.name}-wal"))


def _size_and_time(path: Path) -> tuple[int, int]:
    """The size of a file and when it was written; zeros if it is empty or missing."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return (found.st_size, found.st_mtime_ns) if found.st_size else (0, 0)


def _frames_and_salt(path: Path) -> tuple[int, int]:
    try:
        frames, salt = _SHARED.unpack(SHARED_FILES.read(path, _SHARED.size))
    except (OSError, struct.error):
        return 0, 0
    return frames, salt


class SharedFiles:
    """The files that connections to a database share, read beside SQLite.

    Closing such a file would release all locks that SQLite holds on it for this
    process. So one that was opened stays open until the last connection is closed.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._connections = Counter[Path]()
        self._handles = defaultdict[Path, list[int]](list)

    def join(self, path: Path) -> None:
        """Note a connection to a database."""
        with self._guard:
            self._connections[path] += 1

    def leave(self, path: Path) -> None:
        """Forget a connection that was closed."""
        with self._guard:
            self._connections[path] -= 1
            if not self._connections[path]:
                for handle in self._handles.pop(path, ()):
                    os.close(handle)

    def read(self, path: Path, size: int) -> bytes:
        """The beginning of the file of a database."""
        shared = path.with_name(f"{path.name}-shm")
        with self._guard:
            inode = shared.stat().st_ino
            for handle in self._handles.get(path, ()):
                if os.fstat(handle).st_ino == inode:
                    return os.pread(handle, size, 0)
            handle = os.open(shared, os.O_RDONLY | os.O_CLOEXEC)
            try:
                return os.pread(handle, size, 0)
            finally:
                if self._connections[path]:
                    self._handles[path].append(handle)
                else:
                    os.close(handle)


SHARED_FILES = SharedFiles()


# One sync at a time, in whichever process.

_PATIENCE = 600.0
"""Seconds to wait for another process that is reading the stores."""


_BUSY = (
    "Another recollect has been reading the stores for ten minutes. Try again, or "
    "use --no-sync."
)


@contextmanager
def only_one(
    path: Path | None, *, waits: bool = True, patience: float | None = None
) -> Generator[None]:
    """Hold the lock, if there is one; it is released when its process ends.

    Raises CatalogueBusyError if another process holds it: at once unless `waits`, else
    after `patience` seconds.
    """
    if path is None:
        yield
        return
    longest = (_PATIENCE if patience is None else patience) if waits else 0.0
    with contextlib.ExitStack() as held:
        try:
            held.enter_context(locked(path, longest))
        except TimeoutError as error:
            raise CatalogueBusyError(_BUSY) from error
        except OSError as error:
            raise CatalogueUnusableError(
                f"Can't lock the index {path}: {error.strerror}."
            ) from error
        yield


class Users:
    """A lock that all who have the catalogue open hold together.

    A process that empties it holds the lock alone: others may be about to read rows
    that they have just synced.
    """

    def __init__(self, path: Path) -> None:
        name = path.with_name(f"{path.name}.users")
        self._handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        fcntl.flock(self._handle, fcntl.LOCK_SH)

    @contextmanager
    def alone(self) -> Generator[None]:
        """Hold the lock alone; raises CatalogueBusyError if anybody else holds it."""
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            fcntl.flock(self._handle, fcntl.LOCK_SH)
            raise CatalogueBusyError(_BUSY) from error
        try:
            yield
        finally:
            fcntl.flock(self._handle, fcntl.LOCK_SH)

    def leave(self) -> None:
        """Release the lock."""
        os.close(self._handle)


# Open the catalogue; a damaged or foreign file is renamed, not repaired.

_DATABASE_PATIENCE = 10.0
"""Seconds to wait for another process's transaction."""

_LOG = 64 * 1024 * 1024
"""Bytes in the write-ahead log before it is moved into the database. Moving costs as
much as writing, and pages that are written several times are moved only once."""

_SMALLEST = 512
"""Bytes of the smallest database; SQLite takes a shorter file for an empty one."""

IN_MEMORY = Path(":memory:")
"""The path of a catalogue without a file."""


def open_database(path: Path) -> tuple[sqlite3.Connection, str | None]:
    """Open the catalogue, or create it if there is no usable one.

    Returns the connection, and a message for the user if an old file had to be renamed.
    One process at a time creates it; others wait and open the result.
    """
    if path == IN_MEMORY:
        connection = sqlite3.connect(path, isolation_level=None)
        _fill(connection)
        return connection, None
    _make_folder(path.parent)
    if not os.access(path.parent, os.W_OK):
        raise CatalogueUnusableError(f"Can't write to the folder {path.parent}.")
    notice = None
    users = _users(path)
    try:
        connection, notice = _opened(path, users)
        connection.users = users
        connection.execute("PRAGMA synchronous = NORMAL")
        connection.execute("PRAGMA cache_size = -65536")
        connection.execute("PRAGMA temp_store = MEMORY")
        connection.execute(f"PRAGMA wal_autocheckpoint = {_LOG // schema.PAGE}")
        connection.execute(f"PRAGMA journal_size_limit = {_LOG}")
    except BaseException as error:
        users.leave()
        if isinstance(error, sqlite3.OperationalError):
            raise CatalogueUnusableError(
                f"Can't open the index {path}: {error}."
            ) from error
        raise
    return connection, notice


def _users(path: Path) -> Users:
    try:
        return Users(path)
    except OSError as error:
        raise CatalogueUnusableError(
            f"Can't create the index {path}: {error.strerror}."
        ) from error


def _opened(path: Path, users: Users) -> "tuple[FileConnection, str | None]":
    """The catalogue, rebuilt if need be, and a message in this case."""
    was_sealed = is_sealed(path)
    connection, notice = _open_whole(path), None
    if connection is not None and not was_sealed:
        connection, notice = _emptied(connection, users)
    if connection is None:
        with only_one(_making(path)):
            connection = _open_whole(path)
            if connection is None:
                connection, told = _make(path)
                notice = notice or told
    return connection, notice


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[sqlite3.Connection]:
    """Run a transaction; it takes the write lock first, so it cannot fail half-way."""
    connection.execute("BEGIN IMMEDIATE")
    with contextlib.ExitStack() as stack:
        if isinstance(connection, FileConnection):
            stack.enter_context(sealed_again(connection.path))
        try:
            yield connection
        except BaseException:
            with contextlib.suppress(sqlite3.Error):
                connection.execute("ROLLBACK")
            raise
        connection.execute("COMMIT")


_OF_CONTENT = (UnicodeDecodeError, orjson.JSONDecodeError)
"""Errors of reading cells that no sync would have written."""

_OF_DAMAGE = frozenset({None, sqlite3.SQLITE_IOERR_SHORT_READ})
"""Codes of errors that only damage causes; text that can't be decoded has none."""

_MALFORMED = "malformed"


def _code(error: Exception) -> int | None:
    """The code of an error of SQLite; errors of the module itself have none."""
    return getattr(error, "sqlite_errorcode", None)


class FileConnection(sqlite3.Connection):
    """A connection to a catalogue in a file, which is sealed after each change."""

    path: Path
    cursors: WeakSet[sqlite3.Cursor]
    """Those whose rows may not all have been read."""
    users: Users | None = None
    is_open = False

    def reading(self) -> sqlite3.Cursor:
        """A cursor that is closed with the connection."""
        cursor = self.cursor()
        self.cursors.add(cursor)
        return cursor

    def close(self) -> None:
        """Close it; the last connection moves the log into the database.

        An open cursor would delay that, and the index would stay unsealed.
        """
        for cursor in list(self.cursors):
            cursor.close()
        with contextlib.ExitStack() as stack:
            if has_log(self.path):
                with contextlib.suppress(CatalogueBusyError, CatalogueUnusableError):
                    stack.enter_context(only_one(_sync_lock(self.path), waits=False))
                stack.enter_context(sealed_again(self.path))
            super().close()
        if self.is_open:
            self.is_open = False
            SHARED_FILES.leave(self.path)
        self.leave()

    def leave(self) -> None:
        """Let others empty the catalogue, as this connection is no longer used."""
        if self.users is not None:
            self.users.leave()
            self.users = None


class Catalogue:
    """The open catalogue; if it turns out to be damaged, it is replaced.

    Nothing is lost, as everything in it is read from the stores again.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        """The database file."""
        self.connection, self.notice = open_database(path)
        self.is_replaced = self.notice is not None
        """Whether there was another one, which was of no use."""
        self._inode = _inode(path)

    @property
    def lock(self) -> Path | None:
        """The lock file for a sync; None if no other process can open the catalogue."""
        return None if self.path == IN_MEMORY else _sync_lock(self.path)

    @contextmanager
    def in_use(self) -> Generator[sqlite3.Connection]:
        """The connection; database errors are turned into our own."""
        if self._inode is not None and _inode(self.path) not in {None, self._inode}:
            self._open_again()  # another process has replaced a damaged file
        try:
            yield self.connection
        except Exception as error:
            if _code(error) == sqlite3.SQLITE_INTERRUPT:
                raise GivenUpError("Cancelled.") from error
            if self._is_damaged(error):
                raise CatalogueDamagedError(self._renew()) from error
            if isinstance(error, sqlite3.OperationalError):
                raise CatalogueUnusableError(
                    f"Can't use the index {self.path}: {error}."
                ) from error
            raise

    def _is_damaged(self, error: Exception) -> bool:
        """Whether an error comes from damage to the file."""
        if type(error) is sqlite3.DatabaseError or isinstance(error, _OF_CONTENT):
            return True
        if isinstance(error, (RecollectError, OSError)):
            return False
        if isinstance(error, sqlite3.OperationalError):
            code = _code(error)
            if code in _OF_DAMAGE or _MALFORMED in str(error):
                return True
            if code != sqlite3.SQLITE_ERROR:
                return False
        try:
            (told,) = self.connection.execute("PRAGMA integrity_check(1)").fetchone()
        except sqlite3.Error as failure:
            return type(failure) is sqlite3.DatabaseError
        return told != "ok"

    def _renew(self) -> str:
        """Rename the damaged file, unless another process has, and open a new one."""
        self.connection.close()
        told = "The index was damaged, and another recollect has rebuilt it."
        with only_one(_making(self.path)):
            if self._inode is not None and _inode(self.path) == self._inode:
                told = _set_aside(self.path)
        self._open_again()
        with transaction(self.connection):
            self.connection.execute(_FIRST_MOVE, (int(time.time()),))
        self.is_replaced = True
        return told

    def _open_again(self) -> None:
        if isinstance(self.connection, FileConnection):
            self.connection.leave()
        self.connection, _ = open_database(self.path)
        self._inode = _inode(self.path)

    def close(self) -> None:
        """Close the database."""
        self.connection.close()


def _sync_lock(path: Path) -> Path:
    """The lock file for a sync."""
    return path.with_name(f"{path.name}.lock")


def _making(path: Path) -> Path:
    """The lock file for creating the catalogue."""
    return path.with_name(f"{path.name}.making.lock")


def _make_folder(folder: Path) -> None:
    """Create the cache folder, private to its owner."""
    try:
        make_private(folder)
    except OSError as error:
        raise CatalogueUnusableError(
            f"Can't create the index folder {folder}: {why_not(error, folder)}."
        ) from error


def _connect(path: Path) -> FileConnection:
    """Open the file; if it has to be created, it is private to its owner."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    except FileExistsError:
        pass
    except OSError as error:
        raise CatalogueUnusableError(
            f"Can't create the index {path}: {error.strerror}."
        ) from error
    connection = sqlite3.connect(
        path,
        timeout=_DATABASE_PATIENCE,
        isolation_level=None,
        factory=FileConnection,
    )
    connection.path = path
    connection.cursors = WeakSet()
    connection.is_open = True
    SHARED_FILES.join(path)
    return connection


_FIRST_MOVE = "INSERT OR IGNORE INTO moves (id, store, kinds) VALUES (?, x'', '')"
"""A move whose number is higher than all those in the catalogue before."""

_ALTERED = (
    "The index was changed by another program or damaged by a crash; all files "
    "are read again."
)


def _open_whole(path: Path) -> FileConnection | None:
    """The catalogue, if the file is intact and of this version."""
    connection = _connect(path)
    try:
        if _is_ours(connection):
            return connection
    except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
        if not _is_unreadable(error):
            connection.close()
            raise
    connection.close()
    return None


def _is_unreadable(error: Exception) -> bool:
    """Whether an error of opening a file means that it is no intact database."""
    if not isinstance(error, sqlite3.OperationalError):
        return True
    return _code(error) in {*_OF_DAMAGE, sqlite3.SQLITE_ERROR}


def _is_ours(connection: sqlite3.Connection) -> bool:
    """Whether the file is a catalogue of this version; raises if it is damaged."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    return (application, version) == (schema.APPLICATION, schema.VERSION)


def _emptied(
    connection: FileConnection, users: Users
) -> tuple[FileConnection | None, str | None]:
    """The catalogue, emptied if something else has changed it, and a message.

    None if it was too damaged for that, and was renamed. It is left alone while others
    have it open: they change the file as well, and need their rows. A process that was
    killed while it wrote looks the same as damage.
    """
    path = connection.path
    try:
        with users.alone(), only_one(_sync_lock(path), waits=False):
            if is_sound(path):
                seal(path)
                return connection, None
            try:
                _overwrite(connection)
            except sqlite3.OperationalError:
                raise
            except sqlite3.DatabaseError:
                connection.close()
                return None, _set_aside(path)
            return connection, _ALTERED
    except CatalogueBusyError:
        return connection, None


def _overwrite(connection: FileConnection) -> None:
    """Replace every page by those of an empty catalogue, below other connections."""
    with contextlib.closing(sqlite3.connect(":memory:", isolation_level=None)) as empty:
        empty.execute(f"PRAGMA page_size = {schema.PAGE}")
        _fill(empty)
        empty.execute(_FIRST_MOVE, (int(time.time()),))
        empty.backup(connection)
    seal(connection.path)


def _make(path: Path) -> tuple[FileConnection, str | None]:
    """Create the catalogue; an older version is overwritten, as it is derived."""
    notice = None if _gives_way(path) else _set_aside(path)
    connection = _connect(path)
    connection.execute(f"PRAGMA page_size = {schema.PAGE}")
    connection.execute("PRAGMA journal_mode = WAL")  # reads go on during writes
    _fill(connection)
    seal(path)
    return connection, notice


def _fill(connection: sqlite3.Connection) -> None:
    """Replace all tables by those of this version."""
    with transaction(connection):
        _drop_all(connection)
        _make_tables(connection)
        connection.execute(f"PRAGMA application_id = {schema.APPLICATION}")
        connection.execute(f"PRAGMA user_version = {schema.VERSION}")


def _inode(path: Path) -> int | None:
    """The inode of the file, to notice when it is replaced; None without a file."""
    with contextlib.suppress(FileNotFoundError):
        return path.stat().st_ino
    return None


def open_in_memory() -> sqlite3.Connection:
    """An empty catalogue in memory, to preview the result of a change."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    _make_tables(connection)
    return connection


def _make_tables(connection: sqlite3.Connection) -> None:
    for statement in schema.statements():
        connection.execute(statement)


def _drop_all(connection: sqlite3.Connection) -> None:
    """Drop everything in an older version; virtual tables drop their own tables."""
    for kind in ("VIEW", "VIRTUAL TABLE", "TABLE"):
        rows = connection.execute(
            "SELECT name FROM sqlite_master WHERE sql LIKE ? || ' %' "
            "AND name NOT LIKE 'sqlite!_%' ESCAPE '!' ORDER BY rowid DESC",
            (f"CREATE {kind}",),
        )
        for (name,) in rows.fetchall():
            connection.execute(f'DROP {kind.split()[-1]} IF EXISTS "{name}"')


def _gives_way(path: Path) -> bool:
    """Whether the file may be overwritten: it is empty or an older catalogue."""
    if 0 < path.stat().st_size < _SMALLEST:
        return False
    with contextlib.closing(_connect(path)) as connection:
        try:
            (application,) = connection.execute("PRAGMA application_id").fetchone()
            rows = connection.execute("SELECT count(*) FROM sqlite_master")
            (tables,) = rows.fetchone()
        except (sqlite3.DatabaseError, UnicodeDecodeError) as error:
            if not _is_unreadable(error):
                raise
            return False
    return application == schema.APPLICATION or not tables


def _set_aside(path: Path) -> str:
    """Rename a file that is not a catalogue, so that nothing in it is lost."""
    stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S%f")
    aside = path.with_name(f"{path.name}.set-aside-{stamp}")
    seal_of(path).unlink(missing_ok=True)
    for suffix in ("", "-wal", "-shm"):
        with contextlib.suppress(FileNotFoundError):
            path.with_name(path.name + suffix).rename(f"{aside}{suffix}")
    return f"The index was damaged. It was moved to {aside}, and rebuilt."
