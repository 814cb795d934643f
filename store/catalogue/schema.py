"""The catalogue's tables, in one place."""

VERSION = 6
"""Raised with every change below; a catalogue of another version is made anew."""

PAGE = 16384
"""Bytes of a page: messages are long, and large pages take a quarter less time."""

APPLICATION = 0x7265636F
"""Marks a SQLite file as a catalogue of ours (`reco`)."""

TABLES = """
CREATE TABLE stores (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    format TEXT NOT NULL,
    title TEXT NOT NULL,
    writable INTEGER NOT NULL,
    signature BLOB,
    gap INTEGER
);
CREATE TABLE sources (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    path BLOB NOT NULL,
    role TEXT NOT NULL,
    size INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    inode INTEGER NOT NULL,
    offset INTEGER NOT NULL,
    noted BLOB NOT NULL,
    more INTEGER NOT NULL,
    status TEXT NOT NULL,
    is_new INTEGER NOT NULL,
    copy_of INTEGER,
    UNIQUE (store, path)
);
CREATE TABLE memories (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    own_id TEXT,
    key TEXT NOT NULL,
    names TEXT NOT NULL,
    title TEXT NOT NULL,
    type TEXT,
    description TEXT,
    tags TEXT NOT NULL,
    importance,
    confidence REAL,
    created TEXT, created_at INTEGER,
    updated TEXT, updated_at INTEGER,
    changed_at INTEGER NOT NULL,
    accessed TEXT, accessed_at INTEGER,
    access_count INTEGER NOT NULL,
    pinned INTEGER NOT NULL,
    archived INTEGER NOT NULL,
    fades INTEGER NOT NULL,
    line INTEGER,
    session TEXT,
    is_copy INTEGER NOT NULL DEFAULT 0,
    vigour REAL,
    links_in INTEGER NOT NULL DEFAULT 0,
    links_out INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX memories_by_source ON memories (source);
CREATE INDEX memories_by_ref ON memories (ref);
CREATE INDEX memories_by_updated ON memories (changed_at, ref);
CREATE INDEX memories_by_vigour ON memories (vigour, ref);
CREATE TABLE claims (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    start TEXT NOT NULL,
    "end" TEXT NOT NULL,
    type TEXT NOT NULL,
    side TEXT NOT NULL,
    edge_id TEXT,
    strength REAL,
    context TEXT,
    created TEXT, created_at INTEGER,
    start_title TEXT,
    end_title TEXT,
    line INTEGER
);
CREATE INDEX claims_by_source ON claims (source);
CREATE TABLE edges (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    edge_id TEXT,
    type TEXT NOT NULL,
    start INTEGER,
    "end" INTEGER,
    start_key TEXT NOT NULL,
    end_key TEXT NOT NULL,
    start_title TEXT,
    end_title TEXT,
    strength REAL,
    context TEXT,
    created TEXT, created_at INTEGER,
    sides TEXT NOT NULL,
    line INTEGER
);
CREATE INDEX edges_by_store ON edges (store);
CREATE INDEX edges_by_source ON edges (source);
CREATE INDEX edges_by_ref ON edges (ref);
CREATE INDEX edges_by_start ON edges (start);
CREATE INDEX edges_by_end ON edges ("end");
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    date TEXT NOT NULL,
    time TEXT,
    title TEXT NOT NULL,
    type TEXT,
    tags TEXT NOT NULL,
    summary TEXT,
    link TEXT,
    target TEXT,
    memory INTEGER,
    line INTEGER NOT NULL,
    told TEXT
);
CREATE INDEX episodes_by_source ON episodes (source);
CREATE INDEX episodes_by_ref ON episodes (ref);
CREATE INDEX episodes_by_memory ON episodes (memory);
CREATE INDEX episodes_by_day ON episodes (date, time, id);
CREATE TABLE documents (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    title TEXT NOT NULL,
    category TEXT,
    text_bytes INTEGER NOT NULL,
    role TEXT NOT NULL
);
CREATE INDEX documents_by_source ON documents (source);
CREATE INDEX documents_by_ref ON documents (ref);
CREATE TABLE mentions (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    target TEXT,
    memory INTEGER,
    link TEXT NOT NULL,
    label TEXT NOT NULL,
    note TEXT,
    line INTEGER NOT NULL
);
CREATE INDEX mentions_by_source ON mentions (source);
CREATE INDEX mentions_by_memory ON mentions (memory);
CREATE TABLE accesses (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    key TEXT NOT NULL,
    count INTEGER NOT NULL,
    last TEXT, last_at INTEGER,
    score REAL
);
CREATE INDEX accesses_by_source ON accesses (source);
CREATE TABLE index_entries (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    key TEXT NOT NULL,
    path TEXT,
    facts TEXT NOT NULL
);
CREATE INDEX index_entries_by_source ON index_entries (source);
CREATE TABLE messages (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT,
    line INTEGER NOT NULL,
    kind TEXT NOT NULL,
    role TEXT,
    at TEXT, at_micros INTEGER, until_micros INTEGER,
    offset INTEGER NOT NULL,
    extent INTEGER NOT NULL,
    uuid,
    kin INTEGER,
    session TEXT,
    cwd TEXT,
    branch TEXT,
    model TEXT,
    tokens TEXT,
    tools TEXT,
    calls TEXT,
    answers TEXT,
    errors INTEGER,
    entries INTEGER,
    flags INTEGER,
    told TEXT,
    text TEXT NOT NULL
);
CREATE INDEX messages_by_source ON messages (source, line);
CREATE INDEX messages_by_ref ON messages (ref);
CREATE INDEX messages_by_time ON messages (at_micros);
CREATE TABLE writes (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    path TEXT NOT NULL,
    name TEXT NOT NULL
);
CREATE INDEX writes_by_source ON writes (source, line);
CREATE INDEX writes_by_name ON writes (name);
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    session TEXT,
    agent TEXT,
    parent TEXT,
    titles TEXT NOT NULL,
    lines TEXT NOT NULL
);
CREATE INDEX sessions_by_source ON sessions (source);
CREATE TABLE listed (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT NOT NULL,
    session TEXT,
    source_file TEXT,
    title TEXT,
    first TEXT, first_at INTEGER,
    last TEXT, last_at INTEGER,
    entries INTEGER NOT NULL,
    status TEXT,
    summary TEXT,
    project TEXT,
    cwd TEXT,
    files_written TEXT,
    line INTEGER,
    fields TEXT NOT NULL
);
CREATE INDEX listed_by_source ON listed (source);
CREATE TABLE conversations (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    key TEXT,
    session TEXT,
    source_file TEXT,
    project TEXT,
    cwd TEXT,
    branch TEXT,
    title TEXT NOT NULL,
    first TEXT, first_at INTEGER,
    last TEXT, last_at INTEGER,
    entries INTEGER NOT NULL,
    messages INTEGER NOT NULL,
    prompts INTEGER NOT NULL,
    tools INTEGER NOT NULL,
    tool_errors INTEGER NOT NULL,
    unanswered INTEGER NOT NULL,
    status TEXT,
    is_closed INTEGER NOT NULL,
    tokens TEXT NOT NULL,
    models TEXT NOT NULL,
    files_written TEXT NOT NULL,
    compactions INTEGER NOT NULL,
    agent TEXT,
    parent INTEGER,
    summary TEXT,
    line INTEGER,
    fields TEXT NOT NULL
);
CREATE INDEX conversations_by_source ON conversations (source);
CREATE INDEX conversations_by_ref ON conversations (ref);
CREATE INDEX conversations_by_session ON conversations (session);
CREATE INDEX conversations_by_last ON conversations (last_at);
CREATE INDEX conversations_by_parent ON conversations (parent);
CREATE TABLE runs (
    source INTEGER NOT NULL,
    first_line INTEGER NOT NULL,
    last_line INTEGER NOT NULL,
    conversation INTEGER NOT NULL,
    PRIMARY KEY (source, first_line)
) WITHOUT ROWID;
CREATE INDEX runs_by_conversation ON runs (conversation);
CREATE TABLE events (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    session TEXT,
    at TEXT, at_micros INTEGER,
    kind TEXT NOT NULL,
    tool TEXT,
    file_path TEXT,
    is_error INTEGER NOT NULL,
    event_class TEXT NOT NULL,
    upstream_class TEXT,
    message TEXT,
    line INTEGER NOT NULL,
    is_copy INTEGER NOT NULL,
    is_hidden INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX events_by_source ON events (source);
CREATE INDEX events_by_ref ON events (ref);
CREATE INDEX events_by_time ON events (at_micros);
CREATE TABLE measures (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    kind TEXT NOT NULL,
    name TEXT,
    own_id TEXT,
    session TEXT,
    start TEXT, start_at INTEGER,
    finish TEXT, finish_at INTEGER,
    duration_s REAL,
    exit INTEGER,
    metric TEXT,
    origin TEXT,
    at TEXT, at_micros INTEGER,
    pointer TEXT,
    line INTEGER NOT NULL,
    fields TEXT NOT NULL
);
CREATE INDEX measures_by_source ON measures (source);
CREATE INDEX measures_by_ref ON measures (ref);
CREATE TABLE agents (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ref TEXT NOT NULL,
    own_id TEXT NOT NULL,
    started TEXT, started_at INTEGER,
    line INTEGER NOT NULL,
    columns TEXT NOT NULL
);
CREATE INDEX agents_by_source ON agents (source);
CREATE INDEX agents_by_ref ON agents (ref);
CREATE TABLE problems (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER,
    origin TEXT NOT NULL,
    path BLOB NOT NULL,
    ref TEXT,
    code TEXT NOT NULL,
    severity TEXT NOT NULL,
    line INTEGER,
    message TEXT NOT NULL,
    fix TEXT
);
CREATE INDEX problems_by_source ON problems (source);
CREATE INDEX problems_by_ref ON problems (ref);
CREATE INDEX problems_by_store ON problems (store, origin);
"""

PARTS = (
    "memories",
    "claims",
    "episodes",
    "documents",
    "mentions",
    "accesses",
    "index_entries",
    "messages",
    "writes",
    "sessions",
    "listed",
    "events",
    "measures",
    "agents",
    "problems",
)
"""The tables that hold what a source said, and go when the source goes."""

OF_STORE = (*PARTS, "edges", "conversations")
"""The tables whose rows belong to a store."""

OF_SOURCE = (*OF_STORE, "runs")
"""The tables whose rows belong to a source."""
