"""What a connection to somebody else's database is allowed to do, and for how long."""

import sqlite3
import time
from collections.abc import Collection

PATIENCE = 2.0
"""Seconds that one statement may take, and that is waited for another's lock."""

LONGEST = 16 * 1024 * 1024
"""The longest text or blob that is read."""

_STEPS = 20_000
"""How many steps of SQLite's machine pass between two looks at the clock."""

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
    """Lets a connection read tables, and nothing else, in bounded time."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        """Bind the connection; nothing of the file is read for it."""
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
        """Name the tables that may be read beside the schema."""
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
        """Whether a statement that is being prepared may do this; views may nothing."""
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
    """Text as it is shown; what is no UTF-8 is replaced."""
    return raw.decode("utf-8", "replace")
