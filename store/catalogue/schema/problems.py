"""What is not as it should be, and when it was met first."""

TABLES = """
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
CREATE INDEX problems_by_path ON problems (path, store);
CREATE TABLE noticed (
    store INTEGER NOT NULL,
    path BLOB NOT NULL,
    code TEXT NOT NULL,
    ref TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (store, path, code, ref)
) WITHOUT ROWID;
"""
