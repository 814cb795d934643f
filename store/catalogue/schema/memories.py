"""Memories, what is said of them, and the edges between them."""

from store.catalogue.schema.parts import first_part, last_part

FIRST_NAME = first_part("names", " ")
LAST_NAME = last_part("names", " ")
SECOND_NAME = first_part(f"substr(names, length({FIRST_NAME}) + 2)", " ")
"""The names of a memory, as SQL; few have a third, and none of a format's a fourth."""

HAS_SEVERAL = "instr(names, ' ')"
"""Whether it has more names than one."""

HAS_MANY = f"instr(substr(names, length({FIRST_NAME}) + 2), ' ')"
"""Whether it has more names than two."""

HAS_MORE = (
    f"instr(substr(names, length({FIRST_NAME}) + length({SECOND_NAME}) + 3), ' ')"
)
"""Whether it has more names than three."""

START_NAME, END_NAME = last_part("start_key", "/"), last_part('"end_key"', "/")
"""What keys of an edge's ends come to without folders."""

TABLES = f"""
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
CREATE INDEX memories_by_source ON memories (source, line);
CREATE INDEX memories_undated ON memories (source) WHERE updated_at IS NULL;
CREATE INDEX memories_by_ref ON memories (ref);
CREATE INDEX memories_by_key ON memories ("key", store);
CREATE INDEX memories_by_first_name ON memories ({FIRST_NAME}, store);
CREATE INDEX memories_by_last_name ON memories ({LAST_NAME}, store)
    WHERE {HAS_SEVERAL};
CREATE INDEX memories_by_second_name ON memories ({SECOND_NAME}, store)
    WHERE {HAS_MANY};
CREATE INDEX memories_of_many_names ON memories (store) WHERE {HAS_MORE};
CREATE INDEX memories_by_updated ON memories (changed_at, ref, store);
CREATE INDEX memories_by_vigour ON memories (vigour, ref, store);
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
CREATE INDEX claims_by_edge ON claims (edge_id, store) WHERE edge_id IS NOT NULL;
CREATE INDEX claims_of_indexes ON claims (store) WHERE side = 'index';
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
CREATE INDEX edges_by_start ON edges (start, "end");
CREATE INDEX edges_by_end ON edges ("end");
CREATE INDEX edges_from_nothing ON edges ({START_NAME}, store) WHERE start IS NULL;
CREATE INDEX edges_to_nothing ON edges ({END_NAME}, store) WHERE "end" IS NULL;
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
CREATE INDEX accesses_by_key ON accesses ("key", store);
CREATE TABLE index_entries (
    id INTEGER PRIMARY KEY,
    store INTEGER NOT NULL,
    source INTEGER NOT NULL,
    key TEXT NOT NULL,
    path TEXT,
    facts TEXT NOT NULL
);
CREATE INDEX index_entries_by_source ON index_entries (source);
CREATE INDEX index_entries_by_store ON index_entries (store);
CREATE INDEX index_entries_by_key ON index_entries ("key", store);
CREATE INDEX memories_by_session ON memories (session) WHERE session IS NOT NULL;
"""
