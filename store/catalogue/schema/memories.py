"""Memories, what is said of them, and the edges between them."""

TABLES = """
CREATE TABLE memories (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX memories_by_mark ON memories (store, key) WHERE pinned = 2;
CREATE TABLE bodies (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    line INTEGER NOT NULL,
    text TEXT NOT NULL
);
CREATE INDEX bodies_by_source ON bodies (source, line);
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
CREATE INDEX memories_by_session ON memories (session) WHERE session IS NOT NULL;
"""
