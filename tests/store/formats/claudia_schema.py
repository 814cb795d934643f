"""The tables of the program's database at each migration level.

Written from the description of the levels, without the program's own statements.
"""

import sqlite3

LEVELS = tuple(range(2, 23))

_NOW = "TEXT DEFAULT (datetime('now'))"
_STATUSES = {
    2: ("active", "ready", "processing", "archived", "skipped"),
    4: ("active", "ready", "queued", "processing", "archived", "skipped"),
    6: ("active", "ready", "queued", "processing", "archived", "skipped", "review"),
}


def _conversations(level: int) -> str:
    """The table as a level rebuilds it, with the columns of earlier levels."""
    known = ", ".join(f"'{status}'" for status in _STATUSES[level])
    added = ["files_written TEXT"] if level >= 4 else []
    added += ["status_at TEXT", "metadata TEXT"] if level >= 6 else []
    columns = [
        "id INTEGER PRIMARY KEY AUTOINCREMENT",
        "session_id TEXT NOT NULL",
        "source_file TEXT NOT NULL",
        "first_message_at TEXT NOT NULL",
        "last_message_at TEXT NOT NULL",
        "entry_count INTEGER NOT NULL DEFAULT 0",
        f"status TEXT NOT NULL DEFAULT 'active' CHECK (status IN ({known}))",
        "strategy TEXT",
        "summary TEXT",
        "processed_at TEXT",
        f"created_at {_NOW}",
        *added,
    ]
    return f"CREATE TABLE memory_conversations ({', '.join(columns)})"


def _anew(level: int) -> tuple[str, ...]:
    made = _conversations(level)
    return (
        made.replace("memory_conversations", "memory_conversations_new", 1),
        "DROP TABLE memory_conversations",
        "ALTER TABLE memory_conversations_new RENAME TO memory_conversations",
    )


_INDEX = (
    "INSERT INTO memory_search_fts (content, source_type, source_id, cwd, timestamp,"
    " category) VALUES (new.content, 'document', new.file_path, '',"
    " new.file_modified_at, new.category)"
)
_UNINDEX = (
    "DELETE FROM memory_search_fts"
    " WHERE source_type = 'document' AND source_id = old.file_path"
)

_TABLES = {
    "memory_file_states": (
        f"""file_path TEXT PRIMARY KEY, source TEXT, status TEXT DEFAULT 'idle',
        last_modified INTEGER, file_size INTEGER, last_processed_offset INTEGER DEFAULT
        0, last_entry_timestamp TEXT, created_at {_NOW}, updated_at {_NOW}"""
    ),
    "memory_transcript_entries": (
        f"""id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
        source_file TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
        tool_names TEXT, timestamp TEXT NOT NULL, cwd TEXT, ingested_at {_NOW}"""
    ),
    "memory_state_machines": (
        f"""machine_id TEXT PRIMARY KEY, state_json TEXT NOT NULL, process_id INTEGER,
        updated_at {_NOW}"""
    ),
    "memory_file_locks": (
        """source_file TEXT PRIMARY KEY, operation TEXT, locked_at TEXT,
        locked_by_pid INTEGER, locked_by_machine TEXT"""
    ),
    "memory_extension_locks": (
        """lock_id TEXT PRIMARY KEY, owner_pid INTEGER, acquired_at TEXT,
        last_heartbeat TEXT, updated_at TEXT"""
    ),
    "extension_process_locks": (
        """extension_id TEXT PRIMARY KEY, owner_pid INTEGER, owner_instance_id TEXT,
        owner_generation TEXT, acquired_at INTEGER, updated_at INTEGER"""
    ),
    "memory_documents": (
        f"""file_path TEXT PRIMARY KEY, category TEXT, title TEXT, content TEXT,
        file_modified_at TEXT, ingested_at {_NOW}"""
    ),
    "scheduler_tasks": "id TEXT PRIMARY KEY",
    "extension_runtime_locks": (
        """extension_id TEXT, lock_type TEXT, resource_key TEXT, holder_pid INTEGER,
        holder_instance_id TEXT, acquired_at INTEGER, updated_at INTEGER,
        stale_after_ms INTEGER, metadata_json TEXT,
        PRIMARY KEY (extension_id, lock_type, resource_key)"""
    ),
}
_SEARCH = """
CREATE VIRTUAL TABLE memory_search_fts USING fts5(content, source_type UNINDEXED,
source_id UNINDEXED, cwd UNINDEXED, timestamp UNINDEXED, category UNINDEXED,
tokenize='porter unicode61')
"""
_UNIQUE = """
CREATE UNIQUE INDEX one_live_conversation
ON memory_conversations (source_file, first_message_at)
WHERE status NOT IN ('archived', 'skipped')
"""


def _made(table: str) -> str:
    return f"CREATE TABLE {table} ({_TABLES[table]})"


_STEPS: dict[int, tuple[str, ...]] = {
    2: (
        _made("memory_file_states"),
        _made("memory_transcript_entries"),
        _conversations(2),
    ),
    3: ("ALTER TABLE memory_conversations ADD COLUMN files_written TEXT",),
    4: _anew(4),
    5: (
        "ALTER TABLE memory_conversations ADD COLUMN status_at TEXT",
        "ALTER TABLE memory_conversations ADD COLUMN metadata TEXT",
    ),
    6: _anew(6),
    7: (_made("memory_state_machines"), _made("memory_file_locks"), _UNIQUE),
    8: ("ALTER TABLE memory_state_machines ADD COLUMN last_heartbeat TEXT",),
    9: (_made("memory_extension_locks"),),
    10: ("ALTER TABLE memory_file_states ADD COLUMN last_committed_entry_id INTEGER",),
    11: (_made("extension_process_locks"),),
    16: (
        _made("memory_documents"),
        _SEARCH,
        f"CREATE TRIGGER put AFTER INSERT ON memory_documents BEGIN {_INDEX}; END",
        f"CREATE TRIGGER gone AFTER DELETE ON memory_documents BEGIN {_UNINDEX}; END",
    ),
    17: ("ALTER TABLE memory_documents ADD COLUMN cwd TEXT",),
    18: (_made("scheduler_tasks"),),
    20: (_made("extension_runtime_locks"),),
    21: ("DROP TABLE memory_extension_locks",),
}


def migrate(connection: sqlite3.Connection, level: int, *, told: bool = True) -> None:
    """Create the tables of a level; `told` adds the list of migrations."""
    connection.execute(
        "CREATE TABLE _migrations"
        " (id INTEGER PRIMARY KEY, name TEXT, up TEXT, down TEXT, applied_at TEXT)"
    )
    for step in range(1, level + 1):
        connection.execute("INSERT INTO _migrations (id) VALUES (?)", (step,))
        for statement in _STEPS.get(step, ()):
            connection.execute(statement)
    if not told:
        connection.execute("DROP TABLE _migrations")
