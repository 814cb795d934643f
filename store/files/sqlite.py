"""Read other programs' SQLite databases without leaving a trace."""

import os
import re
import shutil
import sqlite3
import tempfile
import time
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from hashlib import blake2b
from itertools import islice
from pathlib import Path
from urllib.parse import quote as quote_parse

from msgspec import Struct, msgpack

from store.errors import RefusedError, UnreadableError
from store.files.beneath import Kind, OpenFile, Root, Stamp, quoted
from store.resource import Closing

# SQLite errors as sentences.

ERRORS = (sqlite3.Error, UnicodeDecodeError, MemoryError)
"""What reading a damaged database can raise; names may be invalid UTF-8."""


def because(path: str, error: Exception) -> UnreadableError:
    """The exception for a SQLite error."""
    return UnreadableError(f"Can't read {quoted(path)}: {reason(error)}.")


def reason(error: Exception) -> str:
    """The reason for an error, without a full stop, to be put into a sentence."""
    if isinstance(error, sqlite3.OperationalError) and str(error) == "interrupted":
        return "it took too long"
    if isinstance(error, sqlite3.Error):
        return str(error)
    if isinstance(error, UnicodeDecodeError):
        return "its schema contains an invalid name"
    return "it needs more memory than there is"


# Limits on what a connection to another program's database may do, and for how long.

PATIENCE = 2.0
"""Seconds that one statement may take, and that it waits for another program's lock."""

LONGEST = 16 * 1024 * 1024
"""The longest text or blob that is read."""

_STEPS = 20_000
"""Steps of SQLite's virtual machine between two checks of the clock."""

_LIMITS = {
    sqlite3.SQLITE_LIMIT_LENGTH: LONGEST,
    sqlite3.SQLITE_LIMIT_SQL_LENGTH: 1_000_000,
    sqlite3.SQLITE_LIMIT_EXPR_DEPTH: 100,
    sqlite3.SQLITE_LIMIT_COMPOUND_SELECT: 10,
    sqlite3.SQLITE_LIMIT_VDBE_OP: 100_000,
    sqlite3.SQLITE_LIMIT_FUNCTION_ARG: 16,
    sqlite3.SQLITE_LIMIT_ATTACHED: 0,
    sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH: 1_000,
    sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH: 1,
    sqlite3.SQLITE_LIMIT_WORKER_THREADS: 0,
}
_SETTINGS = ("query_only=1", "trusted_schema=0", "cell_size_check=1", "mmap_size=0")
_PRAGMAS = frozenset({"table_xinfo", "user_version"})
_FUNCTIONS = frozenset({"coalesce", "count", "length", "like", "max", "min", "substr"})
_SCHEMA = frozenset({"sqlite_master", "sqlite_schema"})


class Guard:
    """Restricts a connection to reading tables in bounded time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Configure the connection; reads nothing from the file."""
        self._deadline = time.monotonic() + PATIENCE
        self._tables: Collection[str] = ()
        connection.text_factory = _text
        for limit, most in _LIMITS.items():
            connection.setlimit(limit, most)
        for setting in _SETTINGS:
            connection.execute(f"PRAGMA {setting}")
        connection.set_authorizer(self._may)
        connection.set_progress_handler(self._is_late, _STEPS)

    def begin(self) -> None:
        """Start the clock for one statement."""
        self._deadline = time.monotonic() + PATIENCE

    def admit(self, tables: Collection[str]) -> None:
        """Set the tables that may be read besides the schema."""
        self._tables = tables

    def _is_late(self) -> bool:
        return time.monotonic() > self._deadline

    def _may(
        self,
        action: int,
        first: str | None,
        second: str | None,
        _database: str | None,
        view: str | None,
    ) -> int:
        """Authorize an action of a statement being prepared; views are denied."""
        allowed = view is None and (
            action == sqlite3.SQLITE_SELECT
            or (action == sqlite3.SQLITE_READ and self._is_table(first or ""))
            or (action == sqlite3.SQLITE_FUNCTION and second in _FUNCTIONS)
            or (action == sqlite3.SQLITE_PRAGMA and first in _PRAGMAS)
        )
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY

    def _is_table(self, name: str) -> bool:
        return name in self._tables or name in _SCHEMA


def _text(raw: bytes) -> str:
    """Decode text, replacing invalid UTF-8."""
    return raw.decode("utf-8", "replace")


# The real tables of a database: no views, no virtual tables.

MOST = 1_000
"""The most tables that are read."""

_TABLE = re.compile(r"\s*create\s+table\b", re.IGNORECASE)
_VIRTUAL = 2
"""SQLite's code for a column that is computed on every read."""
_FIND = "SELECT name, sql FROM sqlite_master WHERE type = 'table' AND rootpage > 0"
_ORDER = " ORDER BY name"
_SQL = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"


def quote(identifier: str) -> str:
    """A quoted SQL identifier, whatever characters it contains."""
    return '"' + identifier.replace('"', '""') + '"'


def real_tables(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """Every table and its columns, sorted by name; raises sqlite3.Error."""
    found = connection.execute(_FIND + _ORDER)
    names = [name for name, sql in islice(found, MOST) if _is_table(name, sql)]
    return {
        name: tuple(column for column, _ in _columns(connection, name))
        for name in names
    }


def _is_table(name: object, sql: object) -> bool:
    """Whether the SQL of a schema row creates a table, whatever the row claims."""
    return (
        isinstance(name, str)
        and isinstance(sql, str)
        and "\0" not in name
        and bool(_TABLE.match(sql))
    )


def computed(connection: sqlite3.Connection, table: str) -> frozenset[str]:
    """The columns that are not stored but computed on every read."""
    return frozenset(
        name for name, kind in _columns(connection, table) if kind == _VIRTUAL
    )


def _columns(connection: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    """The names of a table's columns, and the kind of each."""
    rows = connection.execute(f"PRAGMA table_xinfo({quote(table)})")
    return [(row[1], row[-1]) for row in rows]


# When a database changed: its own file, or its write-ahead log.

WAL = "-wal"
SHM = "-shm"
JOURNAL = "-journal"


def database_stamp(root: Root, path: str) -> Stamp:
    """A stamp that changes with the database and its write-ahead log.

    Without a log, that of the file itself. Opens no file, because closing one would
    drop the locks this process holds on it. Raises UnreadableError if there is no such
    file.
    """
    real = root.target(path)
    if real is None:
        raise UnreadableError(
            f"{quoted(path)} does not exist or points outside the store."
        )
    folder, _, name = real.rpartition("/")
    stamps = {entry.name: entry.stamp for entry in root.entries(folder)}
    own, log = stamps[name], stamps.get(name + WAL)
    if log is None or not log.size:
        return own
    newest = max(own.mtime_ns, log.mtime_ns)
    return Stamp(own.size + log.size, newest, own.inode)


# Copy a database to a temporary folder, consistently and without a lock.

_ATTEMPTS = 5
_BLOCK = 1024 * 1024
_LOG_HEADER = 32
"""The first bytes of a write-ahead log, which change whenever the log restarts."""
_TICK_NS = 50_000_000
"""Two writes closer together than this may leave the same modification time."""
_NAME = "copy.db"


class _State(Struct, frozen=True):
    """What must be equal before and after a copy; the log may only have grown."""

    database: Stamp
    journal: Stamp | None
    log: bytes

    @property
    def is_fresh(self) -> bool:
        """Whether another write could still leave the modification time unchanged."""
        return abs(time.time_ns() - self.database.mtime_ns) < _TICK_NS


def copied(root: Root, path: str) -> Path:
    """Copy a database with its log or journal; the caller removes the folder.

    Raises UnreadableError if it keeps changing, or there is no room for it.
    """
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    try:
        _copy_unchanged(root, path, folder)
    except (OSError, UnreadableError) as error:
        shutil.rmtree(folder, ignore_errors=True)
        if isinstance(error, UnreadableError):
            raise
        sentence = f"Can't copy {quoted(path)} to read it: {error.strerror}."
        raise UnreadableError(sentence) from error
    return folder / _NAME


def remove(copy: Path) -> None:
    """Remove a copy and its folder."""
    shutil.rmtree(copy.parent, ignore_errors=True)


def companions(root: Root, path: str) -> dict[str, Stamp]:
    """The files that belong to a database, by their suffix after its name."""
    folder, _, name = path.rpartition("/")
    return {
        entry.name.removeprefix(name): entry.stamp
        for entry in root.entries(folder)
        if entry.name.startswith(f"{name}-") and entry.kind is Kind.FILE
    }


def _copy_unchanged(root: Root, path: str, folder: Path) -> None:
    """Copy again until nothing changed meanwhile; raises UnreadableError."""
    for _ in range(_ATTEMPTS):
        before = _state(root, path)
        if before.is_fresh:
            time.sleep(_TICK_NS / 1e9)
        _copy(root, path, folder)
        if _state(root, path) == before:
            return
    sentence = f"{quoted(path)} changed during every attempt to copy it."
    raise UnreadableError(sentence)


def _state(root: Root, path: str) -> _State:
    beside = companions(root, path)
    log = b""
    with ExitStack() as open_files:
        database = open_files.enter_context(root.opened(path))
        if WAL in beside:
            log = open_files.enter_context(root.opened(path + WAL)).at(0, _LOG_HEADER)
        return _State(database.stamp, beside.get(JOURNAL), log)


def _copy(root: Root, path: str, folder: Path) -> None:
    """Copy the database first, so that its log contains all later changes."""
    beside = companions(root, path)
    for ending in ("", WAL, JOURNAL):
        copy = folder / (_NAME + ending)
        copy.unlink(missing_ok=True)
        if not ending or ending in beside:
            with root.opened(path + ending) as file:
                _write(copy, file)


def _write(copy: Path, file: OpenFile) -> None:
    handle = os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(handle, "wb") as written:
        for block in _blocks(file):
            written.write(block)


def _blocks(file: OpenFile) -> Iterator[bytes]:
    """The content of a file up to its size when opened, ignoring later appends."""
    for offset in range(0, file.stamp.size, _BLOCK):
        yield file.at(offset, min(_BLOCK, file.stamp.size - offset))


# Rows of a table page by page, so that no transaction stays open for long.

Scalar = None | int | float | str | bytes
"""A stored database value."""
Row = tuple[Scalar, ...]

PAGE = 1_000
"""The most rows read at once."""
_WEIGHT = 8 * 1024 * 1024
"""Characters of text, or bytes of blobs, buffered before rows are handed on."""
_LOST = 100
"""The number of unreadable rows after which reading stops."""
LOWEST, HIGHEST = -(2**63), 2**63 - 1
"""The limits of row numbers."""
_AT_ONCE = 16
"""Rows that are fetched and digested at once."""


class Stretch(Struct, frozen=True):
    """Consecutive rows of a table as they are stored."""

    rows: list[Row]
    """Each with its number before the columns; texts are bytes."""
    digest: bytes
    """The same as long as no value in them changes, and no name of a column."""
    last: int
    """The number up to which there are no other rows."""


class Pages(Struct, frozen=True):
    """A query on one table; every name in it has been checked and quoted."""

    connection: sqlite3.Connection
    guard: Guard
    lost: list[str]
    table: str
    columns: str
    number: str | None
    """The name of the rowid column; None for a table without rowids."""
    where: str
    values: Row

    def by_number(self, limit: int | None, after: int | None) -> Iterator[Row]:
        """Rows in rowid order; raises what SQLite raises."""
        if self.number is None:
            yield from self._at_once("", limit)
            return
        left, since = limit, LOWEST if after is None else _after(after)
        while since is not None and (left is None or left > 0):
            wanted = PAGE if left is None else min(PAGE, left)
            page, since = self._page(since, wanted)
            yield from page
            left = None if left is None else left - len(page)

    def ordered(self, order: str, limit: int | None) -> Iterator[Row]:
        """Rows in the caller's order; buffers only their rowids."""
        if self.number is None:
            yield from self._at_once(order, limit)
            return
        chosen = f"SELECT {self.number}{self._from()} ORDER BY {order}{_most(limit)}"
        self.guard.begin()
        for (number,) in self.connection.execute(chosen, self.values).fetchall():
            yield from self._one(number)

    def stretch(self, first: int, last: int, limit: int) -> Stretch:
        """Rows in rowid order, in one transaction; raises what SQLite raises."""
        rows, weight = list[Row](), 0
        digest = blake2b(msgpack.encode(self.columns), digest_size=16)
        statement = (
            f"SELECT {self.number}, {self.columns} FROM {quote(self.table)} WHERE "
            f"{self.number} BETWEEN ? AND ? ORDER BY {self.number} LIMIT {limit}"
        )
        self.guard.begin()
        self.connection.text_factory = bytes
        try:
            found = self.connection.execute(statement, (first, last))
            while weight <= _WEIGHT and (some := found.fetchmany(_AT_ONCE)):
                digest.update(encoded := msgpack.encode(some))
                weight += len(encoded)
                rows += some
            found.close()
        finally:
            self.connection.text_factory = _text
        if len(rows) >= limit or weight > _WEIGHT:
            last = int(rows[-1][0] or 0)
        return Stretch(rows, digest.digest(), last)

    def _page(self, since: int, wanted: int) -> tuple[list[Row], int | None]:
        """Rows from `since` on, and the rowid of the next page; None at the end."""
        page: list[Row] = []
        weight, last = 0, since
        self.guard.begin()
        try:
            for number, *row in self._since(self.columns, since, wanted):
                page.append(tuple(row))
                last = number
                weight += sum(len(v) for v in row if isinstance(v, (str, bytes)))
                if weight > _WEIGHT:
                    return page, _after(number)
        except sqlite3.DataError:
            return self._page_of_single_rows(since, wanted)
        return page, _after(last) if len(page) == wanted else None

    def _page_of_single_rows(
        self, since: int, wanted: int
    ) -> tuple[list[Row], int | None]:
        """The same page row by row: SQLite does not say which row is unreadable."""
        numbers = [number for (number,) in self._since("", since, wanted)]
        page = [row for number in numbers for row in self._one(number)]
        return page, _after(numbers[-1]) if len(numbers) == wanted else None

    def _one(self, number: int) -> Iterator[Row]:
        """One row; nothing if it was deleted meanwhile or is unreadable."""
        statement = f"SELECT {self.columns} FROM {quote(self.table)}"
        self.guard.begin()
        try:
            found = f"{statement} WHERE {self.number} = ?"
            yield from self.connection.execute(found, (number,)).fetchall()
        except sqlite3.DataError as error:
            self._lose(number, error)

    def _since(self, columns: str, since: int, most: int) -> Iterator[tuple[int, ...]]:
        chosen = f"{self.number}, {columns}" if columns else str(self.number)
        kept = f" AND ({self.where})" if self.where else ""
        statement = (
            f"SELECT {chosen} FROM {quote(self.table)} WHERE {self.number} >= ?{kept}"
            f" ORDER BY {self.number} LIMIT {most}"
        )
        return self.connection.execute(statement, (since, *self.values))

    def _at_once(self, order: str, limit: int | None) -> Iterator[Row]:
        sorting = f" ORDER BY {order}" if order else ""
        statement = f"SELECT {self.columns}{self._from()}{sorting}{_most(limit)}"
        self.guard.begin()
        rows = self.connection.execute(statement, self.values)
        while page := rows.fetchmany(PAGE):
            yield from page
            self.guard.begin()

    def _from(self) -> str:
        return f" FROM {quote(self.table)}" + (
            f" WHERE {self.where}" if self.where else ""
        )

    def _lose(self, number: int, error: sqlite3.DataError) -> None:
        if len(self.lost) >= _LOST:
            raise error
        self.lost.append(f"Can't read row {number} of {self.table}: {error}.")


def _after(number: int) -> int | None:
    return None if number >= HIGHEST else number + 1


def _most(limit: int | None) -> str:
    return "" if limit is None else f" LIMIT {int(limit)}"


# An open database: its tables, and their rows in short transactions.

ROW_NAMES = ("rowid", "_rowid_", "oid")
"""SQLite's names for the rowid, as far as no column has the same name."""


class Database(Closing):
    """An open database; not thread-safe."""

    tables: Mapping[str, tuple[str, ...]]
    """The real tables and their columns, generated ones included; no views."""
    user_version: int
    """The `user_version` that its writer left in its header."""
    notice: str | None
    """A sentence that says this is a copy, if it is one."""
    lost: list[str]
    """A sentence for each row that could not be read so far."""

    def __init__(
        self,
        connection: sqlite3.Connection,
        guard: Guard,
        path: str,
        notice: str | None,
        copy: Path | None,
    ) -> None:
        """Read the schema; raises what SQLite raises."""
        self.tables = real_tables(connection)
        self.user_version = connection.execute("PRAGMA user_version").fetchone()[0]
        self.notice, self.lost = notice, []
        guard.admit(self.tables)
        self._computed = {name: computed(connection, name) for name in self.tables}
        self._connection, self._guard = connection, guard
        self._path, self._copy = path, copy

    def rows(
        self,
        table: str,
        columns: Sequence[str],
        *,
        where: str = "",
        values: Sequence[Scalar] = (),
        order: str = "",
        limit: int | None = None,
        after: int | None = None,
    ) -> Iterator[Row]:
        """Rows of a table, with values as stored, whatever types the columns declare.

        `columns` may contain `rowid`, whatever the table names it. `where` and `order`
        must be SQL from the caller, never from a file or user. Without `order`, rows
        come in rowid order, starting after `after` if given. Each page is its own
        transaction. An unreadable row is skipped and reported in `lost`. Raises
        UnreadableError.
        """
        pages = self._pages(table, columns, where, values)
        try:
            if order:
                yield from pages.ordered(order, limit)
            else:
                yield from pages.by_number(limit, after)
        except ERRORS as error:
            raise because(self._path, error) from error

    def stretch(
        self, table: str, columns: Sequence[str], first: int, last: int, limit: int
    ) -> Stretch:
        """Consecutive rows as stored, in a fifth of the time that `rows` takes.

        Raises UnreadableError, even if only one row is unreadable.
        """
        pages = self._pages(table, columns, "", ())
        if pages.number is None:
            raise UnreadableError(f"{quoted(self._path)}: {table!r} has no rowids.")
        try:
            return pages.stretch(first, last, limit)
        except ERRORS as error:
            raise because(self._path, error) from error

    def refusal(self, table: str, row: Mapping[str, Scalar]) -> str:
        """Why the constraints of a table refuse a row; empty as far as known.

        They are tried on an empty table of the same form, in memory.
        """
        stored = [name for name in row if name not in self._computed[table]]
        names, marks = ", ".join(map(quote, stored)), ", ".join("?" * len(stored))
        self._guard.begin()
        with closing(sqlite3.connect(":memory:")) as trial:
            trial.execute("PRAGMA trusted_schema=0")
            try:
                (sql,) = self._connection.execute(_SQL, (table,)).fetchone()
                trial.execute(sql)
                trial.execute(
                    f"INSERT INTO {quote(table)} ({names}) VALUES ({marks})",
                    [row[name] for name in stored],
                )
            except sqlite3.IntegrityError as error:
                return str(error)
            except ERRORS:
                return ""
        return ""

    def close(self) -> None:
        """Close the file, and remove the copy if it is one; safe to call twice."""
        self._connection.close()
        if self._copy:
            remove(self._copy)
            self._copy = None

    def _pages(
        self, table: str, columns: Sequence[str], where: str, values: Sequence[Scalar]
    ) -> Pages:
        has = self.tables.get(table)
        if has is None:
            raise UnreadableError(f"{quoted(self._path)} has no table {table!r}.")
        number = self._number(table, has)
        spelt = {name: quote(name) for name in has}
        if number:
            spelt.setdefault(ROW_NAMES[0], number)
        for column in columns:
            self._check(table, column, spelt)
        return Pages(
            self._connection,
            self._guard,
            self.lost,
            table=table,
            columns=", ".join(spelt[column] for column in columns),
            number=number,
            where=where,
            values=tuple(values),
        )

    def _number(self, table: str, has: Sequence[str]) -> str | None:
        """The name of a table's rowid; None if it has none."""
        taken = {name.lower() for name in has}
        number = next((name for name in ROW_NAMES if name not in taken), None)
        try:
            self._connection.execute(f"SELECT {number} FROM {quote(table)} LIMIT 0")
        except ERRORS:
            return None
        return number

    def _check(self, table: str, column: str, known: Container[str]) -> None:
        """Raise UnreadableError for a column that does not exist or is not stored."""
        if column not in known:
            fault = "has no column"
        elif column in self._computed[table]:
            fault = "does not store the computed column"
        else:
            return
        raise UnreadableError(f"{quoted(self._path)}: {table!r} {fault} {column!r}.")


# Open a database without changing anything in its folder.
#
# For a database with a write-ahead log, SQLite itself would create or change files
# beside it, even when only reading. So it is opened in place only if no file needs to
# be created, and read from a copy otherwise. `immutable=1` is no option: it ignores the
# log and unfinished transactions.

_MAGIC = b"SQLite format 3\0"
_HEADER = 100
_VERSIONS = slice(18, 20)
_LOGGED = 2
"""The format version of a file that uses a write-ahead log."""

_IN_PLACE = "mode=ro&readonly_shm=1"
_COPY = "mode=rw"
"""Unfinished transactions are rolled back in the copy; `query_only` is on."""


def open_database(root: Root, path: str) -> Database:
    """Open a database beneath a root for reading; nothing in its folder changes.

    Raises UnreadableError, whose message says what the file is instead of a database,
    and RefusedError if it leads out of the root or is not a regular file.
    """
    real = root.target(path)
    if real is None:
        raise RefusedError(
            f"{quoted(path)} does not exist or points outside the store."
        )
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
        raise UnreadableError(f"{quoted(path)} is empty, not a database.")
    if not header.startswith(_MAGIC):
        sentence = f"{quoted(path)} isn't a SQLite database, or is encrypted."
        raise UnreadableError(sentence)
    if len(header) < _HEADER:
        raise UnreadableError(
            f"{quoted(path)} is truncated: even the header is incomplete."
        )


def _needs_no_file(header: bytes, beside: set[str]) -> bool:
    """Whether SQLite already has every file beside the database that it would create.

    A journal does not matter: SQLite can read beside the program that writes it, and
    refuses if it would have to roll back.
    """
    is_logged = _LOGGED in header[_VERSIONS] or WAL in beside
    return not is_logged or {WAL, SHM} <= beside


def _copied(root: Root, real: str, path: str) -> Database:
    moment = datetime.fromtimestamp(database_stamp(root, real).mtime_ns / 1e9, UTC)
    notice = f"Read from a copy of {quoted(path)} made at {moment:%F %T} UTC."
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
    """Connect and read the schema; raises what SQLite raises."""
    address = f"file:{quote_parse(bytes(file))}?{mode}"
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, timeout=PATIENCE
    )
    try:
        return Database(connection, Guard(connection), path, notice, copy)
    except BaseException:
        connection.close()
        raise
