"""How a database is doing: what it holds, what is stuck, what its index still has."""

from collections import Counter
from collections.abc import Mapping
from typing import cast

from msgspec import Struct, field

from store.files.json_document import DamagedJsonError, load
from store.files.sqlite import Database
from store.findings import Json
from store.formats.claudia.cells import text
from store.formats.claudia.levels import level_of
from store.formats.claudia.search_index import by_key, findable, stale
from store.formats.claudia.tables import (
    CONVERSATIONS,
    DOCUMENTS,
    FILE_LOCKS,
    FILES,
    MACHINES,
    NUMBER,
    PROCESS_LOCKS,
    REQUIRED,
    RUNTIME_LOCKS,
    SEARCH,
    SINGLE_LOCKS,
    records,
)
from store.records.conversation import STATUSES

LOCKS = (FILE_LOCKS, SINGLE_LOCKS, PROCESS_LOCKS, RUNTIME_LOCKS)


class Health(Struct, frozen=True):
    """What a look at a database tells, its entries aside."""

    level: int | None
    """How far it was migrated."""
    files: int
    """Transcripts that were read into it."""
    stuck: tuple[str, ...]
    """Those whose reading did not end, or goes on right now."""
    statuses: Mapping[str, int]
    """How many conversations there are of each status that occurs."""
    documents: int
    locks: int
    machine: str | None
    """The state that its program was last in."""
    heartbeat: str | None
    """When its program last said that it lives."""
    indexed: int | None
    """How many texts its full-text index has; None without one."""
    stale: int
    """How many of those are no more what they were."""
    notice: str | None
    missing: tuple[str, ...] = field(default=())
    """Tables that ought to be there."""


def health_of(database: Database) -> Health:
    """Look at a database; raises UnreadableError."""
    files = list(records(database, FILES, ("file_path", "status")))
    conversations = records(database, CONVERSATIONS, ("status",))
    statuses = Counter(text(row.get("status")) or "" for row in conversations)
    machine, heartbeat = _machine(database)
    has_index = SEARCH in database.tables
    indexed = _count(database, SEARCH, "id") if has_index else None
    return Health(
        level=level_of(database),
        files=len(files),
        stuck=tuple(
            text(row.get("file_path")) or ""
            for row in files
            if row.get("status") == "ingesting"
        ),
        statuses={key: statuses[key] for key in _in_order(statuses)},
        documents=_count(database, DOCUMENTS, "file_path"),
        locks=sum(_count(database, table, NUMBER) for table in LOCKS),
        machine=machine,
        heartbeat=heartbeat,
        indexed=indexed,
        stale=_stale(database) if indexed else 0,
        notice=database.notice,
        missing=tuple(name for name in REQUIRED if name not in database.tables),
    )


def _in_order(statuses: Counter[str]) -> list[str]:
    """The statuses that occur, those that are known first and as they are lived."""
    return [s for s in STATUSES if s in statuses] + sorted(
        statuses.keys() - set(STATUSES)
    )


def _count(database: Database, table: str, column: str) -> int:
    return sum(1 for _ in records(database, table, (column,)))


def _stale(database: Database) -> int:
    current = by_key(list(findable(database)))
    return sum(1 for _ in stale(database, current))


def _machine(database: Database) -> tuple[str | None, str | None]:
    """What the program's own account of its state says, and when it last wrote it."""
    for row in records(database, MACHINES):
        if row.get("machine_id") == "extension":
            beat = text(row.get("last_heartbeat")) or text(row.get("updated_at"))
            return _state(text(row.get("state_json")) or ""), beat
    return None, None


def _state(told: str) -> str | None:
    try:
        data = cast("Json", load(told.encode("utf-8", "replace")))
    except DamagedJsonError:
        return None
    value = data.get("value") if isinstance(data, dict) else None
    return value if isinstance(value, str) else None
