"""How far a database was migrated: as it says itself, else as its tables tell."""

from store.files.sqlite import Database
from store.formats.claudia.tables import (
    CONVERSATIONS,
    DOCUMENTS,
    FILES,
    MACHINES,
    MIGRATIONS,
    PROCESS_LOCKS,
    RUNTIME_LOCKS,
    SINGLE_LOCKS,
    has_column,
    records,
)

LATEST = 24
"""The newest level that is known; later ones may say more than is read."""

_TRACES = (
    (20, RUNTIME_LOCKS, "lock_type"),
    (17, DOCUMENTS, "cwd"),
    (16, DOCUMENTS, "file_path"),
    (11, PROCESS_LOCKS, "extension_id"),
    (10, FILES, "last_committed_entry_id"),
    (9, SINGLE_LOCKS, "lock_id"),
    (8, MACHINES, "last_heartbeat"),
    (7, MACHINES, "machine_id"),
    (5, CONVERSATIONS, "status_at"),
    (3, CONVERSATIONS, "files_written"),
    (2, CONVERSATIONS, "status"),
)
"""What a level brought, newest first; levels in between left no table or column."""


def level_of(database: Database) -> int | None:
    """The level, at least; None for a database that tells nothing of it."""
    told = [row["id"] for row in records(database, MIGRATIONS, ("id",))]
    numbers = [number for number in told if isinstance(number, int)]
    if numbers:
        return max(numbers)
    traces = (
        level for level, table, column in _TRACES if has_column(database, table, column)
    )
    return next(traces, None)
