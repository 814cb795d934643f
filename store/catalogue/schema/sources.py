"""Stores, the sources that each consists of, and which stores moved when."""

from store.catalogue.schema.parts import last_part

FILE_NAME = last_part("path", "/")
"""A source's name without its folders, as SQL."""

TABLES = f"""
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
CREATE INDEX sources_by_name ON sources ({FILE_NAME}, store);
CREATE INDEX sources_by_inode ON sources (inode, store);
CREATE INDEX sources_of_copies ON sources (copy_of) WHERE copy_of IS NOT NULL;
CREATE TABLE moves (
    id INTEGER PRIMARY KEY,
    store BLOB NOT NULL,
    kinds TEXT NOT NULL
);
"""
