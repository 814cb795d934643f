"""Rows of one database changed in one transaction, if they are what they were.

A statement changes the one row that still has every value that it was seen to have,
and no other; where more moved than was asked for, nothing did.
"""

import sqlite3
from collections.abc import Callable, Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from urllib.parse import quote as percent

from msgspec import Struct

from store.edits.refusals import LockedError, NotPossibleError, NotWrittenError
from store.edits.rows.change import Change
from store.edits.rows.images import Columns
from store.edits.rows.looking import condition
from store.files.beneath.naming import quoted
from store.files.replacing import ForeignError
from store.files.sqlite.schema import computed, quote, real_tables

PATIENCE = 5.0
"""Seconds to wait for another program that writes."""

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
    before_writing: Callable[[sqlite3.Connection], None],
) -> None:
    """Change rows of a database, durably, all or none.

    `before_writing` is called with the connection before the transaction begins. Raises
    ForeignError where a row is not what it was, LockedError, NotPossibleError where
    more would move than was asked for, and NotWrittenError.
    """
    try:
        with closing(_connected(path)) as connection:
            before_writing(connection)
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
            raise NotPossibleError(f"{self._name} would change other rows as well.")
        self._look_again()

    @property
    def _name(self) -> str:
        return f"{quoted(self.path.name)}: {self.change.table!r}"

    def _check(self) -> None:
        """Whether the table is one that can be written into and nothing else moves."""
        change = self.change
        has = real_tables(self.connection).get(change.table)
        if has is None:
            raise NotPossibleError(f"{self._name} is no table.")
        wanted = {*change.key, *(change.before or {}), *(change.after or {})}
        lacking = wanted - {*has, "rowid"} | wanted & computed(
            self.connection, change.table
        )
        if lacking or not change.key:
            told = ", ".join(sorted(lacking)) or "that name it"
            raise NotPossibleError(f"{self._name} has no columns {told}.")
        known = {_plain(sql) for sql in change.triggers}
        found = self.connection.execute(_TRIGGERS, (change.table.lower(),)).fetchall()
        if any(_plain(sql) not in known for (sql,) in found):
            sentence = "has triggers whose effects are not known"
            raise NotPossibleError(f"{self._name} {sentence}.")

    def _run(self) -> int:
        """Change it; how many rows had all that was expected of it."""
        change, table = self.change, quote(self.change.table)
        if change.before is None:
            row = self._storable({**change.key, **(change.after or {})})
            names = ", ".join(map(quote, row))
            marks = ", ".join("?" * len(row))
            sql = f"INSERT INTO {table} ({names}) VALUES ({marks})"
            return self._inserted(sql, tuple(row.values()))
        where, values = condition({**change.before, **change.key})
        if change.after is None:
            sql = f"DELETE FROM {table} WHERE {where}"
            return self.connection.execute(sql, values).rowcount
        terms = ", ".join(f"{quote(name)} = ?" for name in change.after)
        sql = f"UPDATE {table} SET {terms} WHERE {where}"
        new = tuple(change.after.values())
        return self.connection.execute(sql, (*new, *values)).rowcount

    def _inserted(self, sql: str, values: tuple[object, ...]) -> int:
        """As many rows as were put there: none where the key is taken."""
        if self._count(self.change.key):
            return 0
        return self.connection.execute(sql, values).rowcount

    def _storable(self, row: Columns) -> Columns:
        """A row without the columns that are worked out when it is stored."""
        table = quote(self.change.table)
        found = self.connection.execute(f"PRAGMA table_xinfo({table})")
        generated = {name for _, name, *_, kind in found if kind > 1}
        return {name: value for name, value in row.items() if name not in generated}

    def _look_again(self) -> None:
        """Whether the row holds what was written, not what the database made of it."""
        change = self.change
        expected = {**change.key, **(change.after or {})}
        if self._count(expected) != (change.after is not None):
            raise NotPossibleError(f"{self._name} keeps something else than given.")

    def _count(self, columns: Columns) -> int:
        where, values = condition(columns)
        sql = f"SELECT count(*) FROM {quote(self.change.table)} WHERE {where}"
        (count,) = self.connection.execute(sql, values).fetchone()
        return count


def _plain(sql: str) -> str:
    """A statement without the spaces that say nothing."""
    return " ".join(sql.split())


def _translated(path: Path, error: sqlite3.Error) -> Exception:
    name = quoted(path.name)
    if getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
        return LockedError(f"{name} is locked by another program.")
    if isinstance(error, sqlite3.IntegrityError):
        return NotPossibleError(f"{name} does not take it: {error}.")
    return NotWrittenError(f"{name} cannot be written: {error}.")
