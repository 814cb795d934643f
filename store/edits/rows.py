"""Change rows of a SQLite database in one transaction, unless others changed them."""

import json
import os
import sqlite3
from base64 import b64decode, b64encode
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Self, cast
from urllib.parse import quote as percent

from msgspec import Struct
from msgspec.structs import replace

from store.edits.backups import Workspace
from store.edits.deeds import Deed, Resolved
from store.edits.draft import RowStep, Stage, Step, Versions
from store.errors import LockedError, NotPossibleError, NotWrittenError, UnreadableError
from store.files.beneath import Root, quoted
from store.files.replace import Method
from store.files.sqlite import (
    Database,
    Scalar,
    computed,
    open_database,
    quote,
    real_tables,
)
from store.files.writable import ForeignError
from store.findings import Json
from store.machine import make_private

# The columns of a row as bytes, so that they can be stored as blobs.

Columns = Mapping[str, Scalar]

_BYTES = "base64"


def columns_of(values: Mapping[str, object]) -> Columns:
    """Values as SQLite stores them; raises NotPossibleError for other types."""
    columns: dict[str, Scalar] = {}
    for name, value in values.items():
        if isinstance(value, bool):
            columns[name] = int(value)
        elif value is None or isinstance(value, (int, float, str, bytes)):
            columns[name] = value
        else:
            raise NotPossibleError(f"Invalid value for the column {name!r}.")
    return columns


def raw_of(columns: Columns | None) -> bytes | None:
    """Columns as JSON, one per line, so that people can compare them."""
    if columns is None:
        return None
    spelt = {name: _spelt(value) for name, value in columns.items()}
    return json.dumps(spelt, indent=0).encode("ascii")


def spelt_of(raw: bytes | None) -> dict[str, Json] | None:
    """The decoded JSON, in which bytes are an object with base64."""
    return None if raw is None else cast("dict[str, Json]", json.loads(raw))


def image_of(raw: bytes | None) -> Columns | None:
    """The columns that were encoded as these bytes."""
    if raw is None:
        return None
    spelt = spelt_of(raw) or {}
    return {name: _value(value) for name, value in spelt.items()}


def _spelt(value: Scalar) -> object:
    if isinstance(value, bytes):
        return {_BYTES: b64encode(value).decode("ascii")}
    return value


def _value(spelt: Json) -> Scalar:
    if isinstance(spelt, dict):
        return b64decode(str(spelt[_BYTES]))
    return cast("Scalar", spelt)


# The change of one row.


class Change(Struct, frozen=True):
    """One row before and after; None where it does not exist."""

    table: str
    key: Columns
    before: Columns | None
    after: Columns | None
    triggers: tuple[str, ...] = ()
    """The statements of the triggers that the table may have."""


# Read rows of a database without leaving any trace.


def stage_of(root: Path, path: str, changes: Sequence[Change]) -> Stage:
    """Whether all rows are as before, all as after, or neither.

    Raises UnreadableError.
    """
    with Root(root) as opened, open_database(opened, path) as database:
        if all(_is(database, each.table, each.key, each.after) for each in changes):
            return Stage.AFTER
        if all(_is(database, each.table, each.key, each.before) for each in changes):
            return Stage.BEFORE
    return Stage.FOREIGN


def present(
    root: Path, path: str, table: str, key: Columns, names: tuple[str, ...]
) -> Columns | None:
    """The current values of some columns; None if there is no row."""
    with Root(root) as opened, open_database(opened, path) as database:
        return _found(database, table, key, names)


def whole(root: Path, path: str, table: str, key: Columns) -> Columns | None:
    """All columns of a row, including its rowid if no column has it.

    Raises NotPossibleError if some cannot be stored exactly.
    """
    with Root(root) as opened, open_database(opened, path) as database:
        names = _stored(database, table)
        row = _found(database, table, key, names)
        if row is None:
            return None
        with suppress(UnreadableError):
            row = _found(database, table, key, (*names, "rowid")) or row
        if not _is(database, table, key, row):
            raise NotPossibleError("The row contains text that could not be restored.")
        return row


def _stored(database: Database, table: str) -> tuple[str, ...]:
    """The columns that can be selected."""
    names: list[str] = []
    for name in database.tables.get(table, ()):
        with suppress(UnreadableError):
            list(database.rows(table, [name], where="0"))
            names.append(name)
    return tuple(names)


def condition(columns: Columns) -> tuple[str, tuple[Scalar, ...]]:
    """The SQL condition for a row with exactly these values, and the values."""
    terms = " AND ".join(f"{quote(name)} IS ?" for name in columns)
    return terms or "1", tuple(columns.values())


def _is(database: Database, table: str, key: Columns, image: Columns | None) -> bool:
    """Whether the row has these values; for None, whether there is no row."""
    where, values = condition({**(image or {}), **key})
    column = next(iter(key))
    found = list(database.rows(table, [column], where=where, values=values, limit=2))
    return not found if image is None else len(found) == 1


def _found(
    database: Database, table: str, key: Columns, names: tuple[str, ...]
) -> Columns | None:
    where, values = condition(key)
    found = list(database.rows(table, names, where=where, values=values, limit=2))
    return dict(zip(names, found[0], strict=True)) if len(found) == 1 else None


# Copy a database as a whole before our first write.

KEPT = 2
"""How many copies are kept of each database."""


def back_up(connection: sqlite3.Connection, path: Path, folder: Path, now: int) -> Path:
    """Copy a database and check the copy; raises NotPossibleError and OSError.

    A database that is already damaged is not written to, as that could make it worse.
    """
    make_private(folder)
    stem = blake2b(os.fsencode(path), digest_size=6).hexdigest()
    copy = folder / f"{stem}-{now:020}.db"
    os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o600))
    try:
        with closing(sqlite3.connect(copy)) as target:
            connection.backup(target)
            (answer,) = target.execute("PRAGMA quick_check(1)").fetchone()
    except BaseException:
        copy.unlink()
        raise
    if answer != "ok":
        copy.unlink()
        raise NotPossibleError(f"{quoted(path.name)} is damaged: {answer}.")
    for old in sorted(folder.glob(f"{stem}-*.db"))[:-KEPT]:
        old.unlink()
    return copy


# Change rows of one database in one transaction, if they are still as expected.
#
# Each statement matches only the row that still has all its expected values. If more
# rows change than requested, everything is rolled back.

PATIENCE = 5.0
"""Seconds to wait for another program that is writing."""

_SETTINGS = (
    "trusted_schema=0",
    "cell_size_check=1",
    "mmap_size=0",
    "foreign_keys=1",
    "synchronous=2",
)
_TRIGGERS = (
    "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND lower(tbl_name) = ?"
)


def write(
    path: Path,
    changes: Sequence[Change],
    before_writing: Callable[[sqlite3.Connection, Path], None],
) -> None:
    """Change rows of a database durably, all or none.

    `before_writing` is called with the connection and the path before the transaction
    begins. Raises ForeignError if a row is not as expected, LockedError,
    NotPossibleError if other rows would change as well, and NotWrittenError.
    """
    try:
        with closing(_connected(path)) as connection:
            before_writing(connection, path)
            with _transaction(connection):
                for change in changes:
                    _Row(connection, change, path).write()
    except sqlite3.Error as error:
        raise _translated(path, error) from error


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _connected(path: Path) -> sqlite3.Connection:
    address = f"file:{percent(bytes(path))}?mode=rw"
    connection = sqlite3.connect(
        address, uri=True, isolation_level=None, timeout=PATIENCE
    )
    for setting in _SETTINGS:
        connection.execute(f"PRAGMA {setting}")
    return connection


class _Row(Struct, frozen=True):
    """One change within a transaction."""

    connection: sqlite3.Connection
    change: Change
    path: Path

    def write(self) -> None:
        self._check()
        before = self.connection.total_changes
        count = self._run()
        moved = self.connection.total_changes - before
        if count != 1:
            raise ForeignError(f"{self.path.name}:{self.change.table}", None)
        if moved != 1 and not self.change.triggers:
            raise NotPossibleError(f"{self._name}: that would affect other rows, too.")
        self._look_again()

    @property
    def _name(self) -> str:
        return f"{quoted(self.path.name)}: {self.change.table!r}"

    def _check(self) -> None:
        """Check that the table is writable and that no unknown trigger would run."""
        change = self.change
        has = real_tables(self.connection).get(change.table)
        if has is None:
            raise NotPossibleError(f"{self._name} is not a table.")
        wanted = {*change.key, *(change.before or {}), *(change.after or {})}
        lacking = wanted - {*has, "rowid"} | wanted & computed(
            self.connection, change.table
        )
        if lacking or not change.key:
            names = ", ".join(sorted(lacking)) or "that identify the row"
            raise NotPossibleError(f"{self._name} has no columns {names}.")
        known = {_plain(sql) for sql in change.triggers}
        found = self.connection.execute(_TRIGGERS, (change.table.lower(),)).fetchall()
        if any(_plain(sql) not in known for (sql,) in found):
            sentence = "has unknown triggers"
            raise NotPossibleError(f"{self._name} {sentence}.")

    def _run(self) -> int:
        """Execute the change; returns the number of rows that matched."""
        change, table = self.change, quote(self.change.table)
        if change.before is None:
            row = self._storable({**change.key, **(change.after or {})})
            names = ", ".join(map(quote, row))
            marks = ", ".join("?" * len(row))
            sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            if self._count(change.key):
                return 0  # the key is taken
            return self.connection.execute(sql, tuple(row.values())).rowcount
        where, values = condition({**change.before, **change.key})
        if change.after is None:
            sql = f"DELETE FROM {table} WHERE {where}"
            return self.connection.execute(sql, values).rowcount
        terms = ", ".join(f"{quote(name)} = ?" for name in change.after)
        sql = f"UPDATE {table} SET {terms} WHERE {where}"
        new = tuple(change.after.values())
        return self.connection.execute(sql, (*new, *values)).rowcount

    def _storable(self, row: Columns) -> Columns:
        """A row without generated columns."""
        table = quote(self.change.table)
        found = self.connection.execute(f"PRAGMA table_xinfo({table})")
        generated = {name for _, name, *_, kind in found if kind > 1}
        return {name: value for name, value in row.items() if name not in generated}

    def _look_again(self) -> None:
        """Check that the row has the written values, unconverted by the database."""
        change = self.change
        expected = {**change.key, **(change.after or {})}
        if self._count(expected) != (change.after is not None):
            raise NotPossibleError(
                f"{self._name} stored a different value than the given one."
            )

    def _count(self, columns: Columns) -> int:
        where, values = condition(columns)
        sql = f"SELECT count(*) FROM {quote(self.change.table)} WHERE {where}"
        (count,) = self.connection.execute(sql, values).fetchone()
        return count


def _plain(sql: str) -> str:
    """A statement with its whitespace normalized."""
    return " ".join(sql.split())


def _translated(path: Path, error: sqlite3.Error) -> Exception:
    name = quoted(path.name)
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        return LockedError(f"Another program has locked {name}.")
    if isinstance(error, sqlite3.IntegrityError):
        return NotPossibleError(f"{name} refused the change: {error}.")
    return NotWrittenError(f"Can't write {name}: {error}.")


# The deed that changes the rows of one database.


class RowChange(Struct, frozen=True, kw_only=True):
    """One row inserted, changed or deleted; its columns are stored as JSON blobs."""

    table: str
    key: Mapping[str, Any]
    before: str | None
    after: str | None
    triggers: tuple[str, ...] = ()
    """The statements of the triggers whose effects the format knows."""


class RowsDeed(Deed, frozen=True, kw_only=True):
    """Rows of one database, changed in one transaction: all or none."""

    rows: tuple[RowChange, ...]

    @property
    def rank(self) -> int:
        """Together with changed files; see `in_order`."""
        return 1

    @property
    def blobs(self) -> set[str]:
        """The digests of the rows before and after."""
        names = (name for row in self.rows for name in (row.before, row.after))
        return {name for name in names if name is not None}

    def reversed(self) -> Self:
        """The deed that undoes this one."""
        rows = (
            replace(row, before=row.after, after=row.before)
            for row in reversed(self.rows)
        )
        return replace(self, rows=tuple(rows))

    def do(self, workspace: Workspace) -> Method:
        """Copy the database before our first write to it, and change the rows."""
        path = workspace.writable(self.root).real(self.path)
        write(path, self._changes(workspace), workspace.records.back_up)
        return Method.AT_ONCE

    def stage(self, workspace: Workspace) -> Stage:
        """Compare the rows."""
        workspace.writable(self.root).real(self.path)
        return stage_of(self.root, self.path, self._changes(workspace))

    def versions(self, workspace: Workspace) -> list[Versions]:
        """Each row before, after and now."""
        return [
            Versions(
                f"{self.path}:{row.table}",
                workspace.image(row.before),
                workspace.image(row.after),
                raw_of(self._present(row, change)),
            )
            for row, change in zip(self.rows, self._changes(workspace), strict=True)
        ]

    def steps(self, workspace: Workspace) -> Iterator[Step]:
        """One step for each row."""
        for row in self.rows:
            before, after = workspace.image(row.before), workspace.image(row.after)
            yield self._step(row, spelt_of(before), spelt_of(after))

    def resolving(self, workspace: Workspace, *, mine: bool) -> Iterator[Resolved]:
        """The steps for the rows whose current values differ from the wanted ones."""
        for row, seen in zip(self.rows, self.versions(workspace), strict=True):
            now = spelt_of(seen.now)
            wanted = spelt_of(seen.after if mine else seen.before)
            if now is None or wanted is None or not wanted.items() <= now.items():
                yield self._step(row, now, wanted)

    def _step(
        self,
        row: RowChange,
        before: Mapping[str, Any] | None,
        after: Mapping[str, Any] | None,
    ) -> RowStep:
        return RowStep(
            path=self.path,
            table=row.table,
            key=row.key,
            before=before,
            after=after,
            triggers=row.triggers,
        )

    def _present(self, row: RowChange, change: Change) -> Columns | None:
        names = tuple({**(change.before or {}), **(change.after or {})})
        return present(self.root, self.path, row.table, change.key, names)

    def _changes(self, workspace: Workspace) -> list[Change]:
        return [
            Change(
                row.table,
                columns_of(row.key),
                image_of(workspace.image(row.before)),
                image_of(workspace.image(row.after)),
                row.triggers,
            )
            for row in self.rows
        ]
