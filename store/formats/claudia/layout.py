"""The layout of a store, and the tables of every version of the database."""

import json
import math
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum

from store.files.sqlite import Database, Scalar
from store.findings import Json, Value
from store.times import Instant, parse

# The role of a file in a store, judged by its path alone.

MAIN = frozenset({"claudia.db", "anima.db"})
SETTINGS = frozenset({"claudia.json", "anima.json"})
REGISTER = "memory-sections.db"
DATABASE = ".db"
COMPANIONS = ("-wal", "-shm", "-journal")
QUESTIONS = "libby-questions.md"

EPISODES = "episodes"
FOLDERS = frozenset(
    {EPISODES, "milestones", "insights", "relationships", "projects", "core"}
    | {"personas", "docs"}
)
"""The folders whose names are categories."""

DEPTH = 4
"""The depth of pages beneath a top-level folder."""

_DATE = r"\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])"
DAY = re.compile(rf"episodes/\d{{4}}-\d\d/({_DATE})\.md")
SITTING = re.compile(rf"episodes/\d{{4}}-\d\d/({_DATE})-(\d{{4}})-(\d+|unknown)\.md")
LOG = re.compile(r"(?:memory/)?libby/logs/(\d+)\.md")
TRANSCRIPT = re.compile(r"transcripts/(\d+)\.md")


class Role(StrEnum):
    """The role of a file in its store."""

    DATABASE = "database"
    SECTIONS = "sections"
    SETTINGS = "settings"
    DAY = "day"
    SITTING = "sitting"
    LOG = "log"
    TRANSCRIPT = "transcript"
    PAGE = "page"


_PAGES = {
    Role.DAY: DAY,
    Role.SITTING: SITTING,
    Role.LOG: LOG,
    Role.TRANSCRIPT: TRANSCRIPT,
}


def is_page(name: str) -> bool:
    """Whether a name is that of a Markdown file."""
    return name[-3:].lower() == ".md"


def is_database(name: str) -> bool:
    """Whether a name is that of a database that may hold conversations."""
    return name.lower().endswith(DATABASE) and name != REGISTER


def role_at_home(path: str) -> Role | None:
    """The role of a file beside a database; None if it is not part of the store."""
    if path == REGISTER:
        return Role.SECTIONS
    if path in SETTINGS:
        return Role.SETTINGS
    if "/" not in path and is_database(path):
        return Role.DATABASE
    return Role.LOG if LOG.fullmatch(path) else None


def role_of_page(path: str) -> Role | None:
    """The role of a file in a tree of pages; None if it is not a page."""
    if not is_page(path):
        return None
    found = (role for role, shape in _PAGES.items() if shape.fullmatch(path))
    return next(found, Role.PAGE)


def conversation_key(number: int | str) -> str:
    """The key of a conversation."""
    return f"conversation:{number}"


# Database values converted to the expected types.


def text(value: Scalar) -> str | None:
    """The value as text; None if null."""
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return repr(value)


def whole(value: Scalar) -> int:
    """The value as a count; 0 if it is not a number."""
    if isinstance(value, int):
        return value
    if isinstance(value, float) and math.isfinite(value):
        return int(value)
    return 0


def instant(value: Scalar) -> Instant | None:
    """The value as a time; None if empty."""
    if value is None or value == "":
        return None
    return parse(value if isinstance(value, (int, float)) else text(value) or "")


def json_value(value: Scalar) -> Json:
    """The value as JSON."""
    if isinstance(value, bytes) or (
        isinstance(value, float) and not math.isfinite(value)
    ):
        return text(value)
    return value


# The known tables, and what a database of any version has of them.

MIGRATIONS = "_migrations"
FILES = "memory_file_states"
ENTRIES = "memory_transcript_entries"
CONVERSATIONS = "memory_conversations"
DOCUMENTS = "memory_documents"
MACHINES = "memory_state_machines"
FILE_LOCKS = "memory_file_locks"
SINGLE_LOCKS = "memory_extension_locks"
PROCESS_LOCKS = "extension_process_locks"
RUNTIME_LOCKS = "extension_runtime_locks"
SEARCH = "memory_search_fts_content"
"""The table with the full-text search's own copy of the texts."""
SEARCH_COLUMNS = ("c0", "c1", "c2", "c3", "c4", "c5")
"""Text, kind, identifier, folder, time and category of a searchable text."""
SECTIONS = "sections"

FILE_STALE = 5 * 60
"""Seconds after which the program treats a file's lock as left behind."""

REQUIRED = (FILES, ENTRIES, CONVERSATIONS)
"""Tables of every version."""

NUMBER = "rowid"
"""A column that every row has; in most tables it equals `id`."""

Record = Mapping[str, Scalar]


def records(
    database: Database, table: str, columns: Sequence[str] = (), *, order: str = ""
) -> Iterator[Record]:
    """Rows by column name; empty if there is no such table.

    Reads those of `columns`, or of all columns, that this database has. Raises
    UnreadableError.
    """
    has = database.tables.get(table, ())
    wanted = [name for name in columns or has if name in has or name == NUMBER]
    if has and wanted:
        for row in database.rows(table, wanted, order=order):
            yield dict(zip(wanted, row, strict=True))


def has_column(database: Database, table: str, column: str) -> bool:
    """Whether a table has a column in this version."""
    return column in database.tables.get(table, ())


# The migration level of a database, according to itself or judged by its tables.

LATEST = 24
"""The newest known level; later ones may have more than is read."""

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
"""What each level added, newest first; other levels added no table or column."""


def level_of(database: Database) -> int | None:
    """The minimum level; None if the database does not show it."""
    ids = [row["id"] for row in records(database, MIGRATIONS, ("id",))]
    numbers = [number for number in ids if isinstance(number, int)]
    if numbers:
        return max(numbers)
    traces = (
        level for level, table, column in _TRACES if has_column(database, table, column)
    )
    return next(traces, None)


# Mask secrets in settings: passwords and keys, recognised by name or form.

HIDDEN = "set, hidden"
"""Shown in place of a secret."""

_NAME = re.compile(r"key|secret|token|pass(word|phrase)|credential|auth", re.IGNORECASE)
_LOOK = re.compile(
    r"\b(?:sk|pk|rk)-\w|\bgh[pousr]_\w|\bxox[abprs]-|\bAKIA[0-9A-Z]{8}|\bAIza[\w-]{20}"
    r"|\beyJ[\w-]{8,}\.|\bBearer\s+\S|-----BEGIN|://[^/\s:@]*:[^/\s@]+@"
)
_VARIABLE = re.compile(r"\$\{[^}]*\}")
"""The name of a variable is not secret; its value is never looked up."""


def shown(name: str, value: Json) -> Value:
    """A setting as it may be shown, with scalars as text."""
    if isinstance(value, dict):
        return {key: shown(key, part) for key, part in value.items()}
    if isinstance(value, list):
        return [shown(name, part) for part in value]
    if not isinstance(value, str):
        return json.dumps(value)
    if _VARIABLE.fullmatch(value):
        return value
    is_secret = _LOOK.search(value) or (value and _NAME.search(name))
    return HIDDEN if is_secret else value
