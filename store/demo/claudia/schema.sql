CREATE TABLE _migrations (id INTEGER PRIMARY KEY, name TEXT, up TEXT, down TEXT, applied_at TEXT);
CREATE TABLE memory_file_states (
    file_path TEXT PRIMARY KEY, source TEXT, status TEXT DEFAULT 'idle',
    last_modified INTEGER, file_size INTEGER, last_processed_offset INTEGER DEFAULT 0,
    last_entry_timestamp TEXT, created_at TEXT, updated_at TEXT,
    last_committed_entry_id INTEGER
);
CREATE TABLE memory_transcript_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    source_file TEXT NOT NULL, role TEXT NOT NULL, content TEXT NOT NULL,
    tool_names TEXT, timestamp TEXT NOT NULL, cwd TEXT, ingested_at TEXT
);
CREATE TABLE memory_conversations (
    id INTEGER PRIMARY KEY AUTOINCREMENT, session_id TEXT NOT NULL,
    source_file TEXT NOT NULL, first_message_at TEXT NOT NULL,
    last_message_at TEXT NOT NULL, entry_count INTEGER NOT NULL DEFAULT 0,
    status TEXT NOT NULL DEFAULT 'active', strategy TEXT, summary TEXT,
    processed_at TEXT, created_at TEXT, files_written TEXT, status_at TEXT, metadata TEXT
);
CREATE TABLE memory_state_machines (
    machine_id TEXT PRIMARY KEY, state_json TEXT NOT NULL, process_id INTEGER,
    updated_at TEXT, last_heartbeat TEXT
);
CREATE TABLE memory_file_locks (
    source_file TEXT PRIMARY KEY, operation TEXT, locked_at TEXT,
    locked_by_pid INTEGER, locked_by_machine TEXT
);
CREATE TABLE memory_documents (
    file_path TEXT PRIMARY KEY, category TEXT, title TEXT, content TEXT,
    file_modified_at TEXT, ingested_at TEXT, cwd TEXT
);
CREATE VIRTUAL TABLE memory_search_fts USING fts5 (
    content, source_type UNINDEXED, source_id UNINDEXED, cwd UNINDEXED,
    timestamp UNINDEXED, category UNINDEXED, tokenize = 'porter unicode61'
);
