"""What is not as it should be."""

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
"""
