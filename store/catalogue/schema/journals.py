"""Events, figures and agents."""

TABLES = """
CREATE TABLE events (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX measures_by_own_id ON measures (store, own_id);
CREATE INDEX measures_by_name ON measures (store, name);
CREATE INDEX copied_events ON events (store, session) WHERE is_copy;
CREATE INDEX told_events ON events (store, session) WHERE NOT is_copy;
"""
