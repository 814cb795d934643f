"""The tables of the index, and which of their texts are searchable."""

from collections.abc import Iterable, Iterator
from zlib import crc32

from store.kinds import KINDS, tables
from store.kinds.kind import Shelf
from store.kinds.table import last_part

# Stores, their sources, when problems were first found, and which stores changed.

FILE_NAME = last_part("path", "/")
"""The name of a source without folders, as SQL."""

SOURCES_TABLES = f"""
CREATE TABLE stores (
    id INTEGER PRIMARY KEY,
    path BLOB NOT NULL UNIQUE,
    format TEXT NOT NULL,
    title TEXT NOT NULL,
    writable INTEGER NOT NULL,
    given INTEGER NOT NULL,
    signature BLOB,
    gap INTEGER,
    minimum INTEGER,
    poll INTEGER
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
    fresh_from INTEGER,
    copy_of INTEGER,
    has_doubles INTEGER NOT NULL DEFAULT 0,
    newlines INTEGER,
    UNIQUE (store, path)
);
CREATE INDEX sources_by_name ON sources ({FILE_NAME}, store);
CREATE INDEX sources_by_age ON sources (store, mtime_ns) WHERE role = 'memory';
CREATE INDEX sources_by_inode ON sources (inode, store);
CREATE INDEX sources_of_copies ON sources (copy_of) WHERE copy_of IS NOT NULL;
CREATE TABLE noticed (
    store INTEGER NOT NULL,
    path BLOB NOT NULL,
    code TEXT NOT NULL,
    ref TEXT NOT NULL,
    at INTEGER NOT NULL,
    PRIMARY KEY (store, path, code, ref)
) WITHOUT ROWID;
CREATE TABLE lost (
    store INTEGER NOT NULL,
    path BLOB NOT NULL,
    inode INTEGER NOT NULL,
    mtime_ns INTEGER NOT NULL,
    at INTEGER NOT NULL,
    is_index INTEGER NOT NULL,
    title TEXT,
    own_id TEXT,
    fix TEXT,
    PRIMARY KEY (store, path)
) WITHOUT ROWID;
CREATE TABLE moves (
    id INTEGER PRIMARY KEY,
    store BLOB NOT NULL,
    kinds TEXT NOT NULL
);
"""


# The shelves: tables with full-text indexes.
#
# A view returns the text of a row, so that the index needs no copy of it (an external
# content table in SQLite). Triggers remove the words of deleted rows. Rows above a mark
# have been added since the index was last updated; until then, these are searched one
# by one.

KEPT = "detail = none, columnsize = 0, tokenize = 'unicode61 remove_diacritics 2'"
"""What the index stores of a text: its terms without accents, not their positions."""

CUT = " "
"""The mark after a listed term that was cut off."""

TERM = (
    "CASE WHEN length(CAST(term AS BLOB)) < 32000 THEN term "
    f"ELSE substr(term, 1, 100) || '{CUT}' END"
)
"""A term as listed. The index stores at most 32 kilobytes of a term and may cut the
last letter, so a longer term may continue with anything."""

_LEAF = 16000
"""Bytes of an index page: as much as fits into the catalogue's own pages."""

_GATHERED = 32 * 1024 * 1024
"""Bytes of words to collect before a write, so that there are fewer parts to merge."""

SHELVES = tuple(shelf for kind in KINDS.values() for shelf in kind.shelves)
"""Every shelf."""

SHELVES_TABLES = """
CREATE TABLE shelved (
    shelf TEXT PRIMARY KEY,
    upto INTEGER NOT NULL,
    noted INTEGER NOT NULL
) WITHOUT ROWID;
CREATE TABLE changed_texts (
    shelf TEXT NOT NULL,
    row INTEGER NOT NULL
);
CREATE TABLE terms (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    shelf TEXT NOT NULL,
    terms TEXT NOT NULL
);
CREATE INDEX terms_by_shelf ON terms (shelf);
"""
"""How far each shelf is indexed, how far its terms are listed, and the lists."""


def _statements(shelf: Shelf) -> Iterator[str]:
    """The statements that create a shelf."""
    table, words, texts = shelf.table, shelf.words, shelf.texts
    is_indexed = f"old.id <= (SELECT upto FROM shelved WHERE shelf = '{table}')"
    remove = (
        f"INSERT INTO {words} ({words}, rowid, text) "
        f"VALUES ('delete', old.id, {shelf.text('old')});"
    )
    add = (
        f"INSERT INTO {words} (rowid, text) VALUES (new.id, {shelf.text('new')}); "
        f"INSERT INTO changed_texts (shelf, row) VALUES ('{table}', new.id);"
    )
    yield f"CREATE VIEW {texts} AS SELECT id, {shelf.text(table)} AS text FROM {table}"
    yield (
        f"CREATE VIRTUAL TABLE {words} USING fts5("
        f"text, content = '{texts}', content_rowid = 'id', {KEPT})"
    )
    yield f"CREATE VIRTUAL TABLE {shelf.vocabulary} USING fts5vocab({words}, 'row')"
    for option, value in (("pgsz", _LEAF), ("hashsize", _GATHERED)):
        yield f"INSERT INTO {words} ({words}, rank) VALUES ('{option}', {value})"
    yield f"INSERT INTO shelved (shelf, upto, noted) VALUES ('{table}', 0, 0)"
    yield (
        f"CREATE TRIGGER {table}_gone AFTER DELETE ON {table} "
        f"WHEN {is_indexed} BEGIN {remove} END"
    )
    yield (
        f"CREATE TRIGGER {table}_other "
        f"AFTER UPDATE OF {', '.join(shelf.columns)} ON {table} "
        f"WHEN {is_indexed} BEGIN {remove} {add} END"
    )


# All tables of the catalogue.

READING = 39
"""Increased with every change of what formats report and of the checks.

Else files that have not changed would keep the answers of before.
"""

PAGE = 16384
"""Bytes of a page. Messages are long, and large pages take a quarter less time."""

APPLICATION = 0x7265636F
"""Marks a SQLite file as our catalogue (`reco`)."""

TABLES = tables()
"""Every table with what sources say, by name."""

OF_STORE = tuple(TABLES)
"""The tables whose rows belong to a store."""

OF_SOURCE = (*OF_STORE, "runs")
"""The tables whose rows belong to a source."""


def statements() -> Iterator[str]:
    """The statements that create everything, one after the other."""
    yield from (*SOURCES_TABLES.split(";"), *SHELVES_TABLES.split(";"))
    for table in TABLES.values():
        yield from table.statements
    for shelf in SHELVES:
        yield from _statements(shelf)


def version_of(made: Iterable[str]) -> int:
    """The version of an index that these statements made; others are rebuilt."""
    return READING << 16 | crc32("\n".join(made).encode()) & 0xFFFF


VERSION = version_of(statements())
"""Differs from that of every index with other tables, or read in another way."""
