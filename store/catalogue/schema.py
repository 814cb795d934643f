"""The catalogue's tables, in one place."""

VERSION = 5
"""Raised with every change below; a catalogue of another version is made anew."""

APPLICATION = 0x7265636F
"""Marks a SQLite file as a catalogue of ours (`reco`)."""

TABLES = """
CREATE TABLE stores (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    format TEXT NOT NULL,
    title TEXT NOT NULL,
    writable INTEGER NOT NULL,
    signature BLOB
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
    line INTEGER NOT NULL
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
    "problems",
)
"""The tables that hold what a source said, and go when the source goes."""
