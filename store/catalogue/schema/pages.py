"""Episodes and documents, and the memories that they name."""

from store.catalogue.schema.parts import last_part

TARGET_NAME = last_part("target", "/")
"""What a link leads to, without folders."""

TABLES = f"""
CREATE TABLE episodes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
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
CREATE INDEX episodes_to_nothing ON episodes ({TARGET_NAME}, store)
    WHERE target IS NOT NULL AND memory IS NULL;
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
CREATE INDEX memory_indexes ON documents (store) WHERE role = 'memory-index';
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
CREATE INDEX mentions_to_nothing ON mentions ({TARGET_NAME}, store)
    WHERE target IS NOT NULL AND memory IS NULL;
"""
