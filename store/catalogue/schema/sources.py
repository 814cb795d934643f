"""Stores, the sources that each consists of, and which stores moved when."""

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
CREATE TABLE moves (
    id INTEGER PRIMARY KEY,
    store BLOB NOT NULL,
    kinds TEXT NOT NULL
);
"""
