"""Full-text search over the documents and summaries of a database."""

import re
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from typing import NamedTuple

from msgspec import Struct

from store.errors import WrongUseError
from store.files.sqlite import Database
from store.formats.claudia.layout import (
    CONVERSATIONS,
    DOCUMENTS,
    NUMBER,
    SEARCH,
    SEARCH_COLUMNS,
    Record,
    records,
    text,
)
from store.formats.claudia.rows import metadata_of
from store.reports import Given, Row
from store.times import parse

# Searchable texts in a database, and outdated texts in its own index.


class Findable(NamedTuple):
    """A searchable text."""

    text: str
    kind: str
    """`document` or `summary`."""
    id: str
    """The path of the document, or the number of the conversation."""
    cwd: str
    at: str
    category: str
    stale: bool = False
    """Whether only the database's own index still has this text."""


def texts(database: Database) -> Iterator[Findable]:
    """Every current document and archived summary, and then outdated texts.

    Those are in the database's own index: replaced, deleted or duplicate ones.
    """
    current: dict[tuple[str, str], str] = {}
    for found in _current(database):
        current[found.kind, found.id] = found.text
        yield found
    for row in records(database, SEARCH, SEARCH_COLUMNS):
        words, kind, own, cwd, at, category = _texts(row, *SEARCH_COLUMNS)
        if current.get((kind, own)) == words:
            del current[kind, own]
        else:
            yield Findable(words, kind, own, cwd, at, category, stale=True)


def _current(database: Database) -> Iterator[Findable]:
    columns = ("content", "file_path", "cwd", "file_modified_at", "category")
    for row in records(database, DOCUMENTS, columns):
        words, path, cwd, at, category = _texts(row, *columns)
        yield Findable(words, "document", path, cwd, at, category)
    columns = ("first_message_at", "status", "summary", "metadata")
    for row in records(database, CONVERSATIONS, (NUMBER, *columns)):
        if row.get("status") == "archived" and row.get("summary"):
            words, at = _texts(row, "summary", "first_message_at")
            cwd = str(metadata_of(row.get("metadata")).get("cwd") or "")
            yield Findable(words, "summary", str(row[NUMBER]), cwd, at, "summary")


def _texts(row: Record, *columns: str) -> list[str]:
    return [text(row.get(column)) or "" for column in columns]


# A search query.

_PART = re.compile(r'"([^"]*)"?|(\S+)')


class Query(Struct, frozen=True):
    """A search query."""

    words: tuple[str, ...]
    """Words and phrases that must all occur."""
    category: str | None = None
    cwd: str | None = None
    since: int | None = None
    until: int | None = None

    @classmethod
    def of(cls, given: Given) -> "Query":
        """The arguments of a search; raises WrongUseError."""
        typed = (part for word in given.texts("word") for part in _PART.findall(word))
        parts = tuple(part for pair in typed if (part := pair[0] or pair[1]).strip())
        if not parts:
            raise WrongUseError("Report `search` needs a word to search for.")
        category, cwd = given.word("category"), given.word("cwd")
        return cls(parts, category, cwd, given.number("from"), given.number("to"))

    @property
    def match(self) -> str:
        """The words as an FTS5 query, each quoted so that it is never syntax."""
        return " ".join('"' + word.replace('"', '""') + '"' for word in self.words)

    def admits(self, text: Findable) -> bool:
        """Whether a text passes the filters."""
        if self.category not in {None, text.category}:
            return False
        if self.cwd is not None and self.cwd not in text.cwd:
            return False
        at = parse(text.at).micros
        if self.since is not None and (at is None or at < self.since):
            return False
        return self.until is None or at is None or at <= self.until

    def occurs_in(self, text: str) -> bool:
        """Whether all words occur literally, ignoring case."""
        folded = text.casefold()
        return all(word.casefold() in folded for word in self.words)


# Full-text search like the program's own, without its faults.
#
# The program's own index still has deleted texts. So an index of the current texts is
# built in memory, with the same tokenizer, and texts that only the old index has are
# marked as stale.

LIMIT = 20
"""The most hits returned."""
_AROUND = 60
"""Characters shown before and after a literal match."""

_MAKE = "CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'porter unicode61')"
_FIND = (
    "SELECT rowid, rank, snippet(found, 0, '', '', '…', 24) FROM found"
    " WHERE found MATCH ? ORDER BY rank"
)


class _Hit(NamedTuple):
    rank: float
    """Lower is better."""
    text: Findable
    snippet: str


def search(database: Database, query: Query) -> Iterator[Row]:
    """The best hits, each document and summary once."""
    found = [text for text in texts(database) if query.admits(text)]
    try:
        hits = _matched(found, query)
    except sqlite3.OperationalError:
        hits = _compared(found, query)
    best = dict[tuple[str, str], _Hit]()
    for hit in sorted(hits, key=lambda hit: (hit.text.stale, hit.rank, hit.text.id)):
        best.setdefault((hit.text.kind, hit.text.id), hit)
    for hit in islice(best.values(), LIMIT):
        yield {
            "kind": hit.text.kind,
            "id": hit.text.id,
            "category": hit.text.category,
            "at": hit.text.at or None,
            "cwd": hit.text.cwd or None,
            "stale": hit.text.stale,
            "score": round(-hit.rank, 6),
            "snippet": " ".join(hit.snippet.split()),
        }


def _matched(among: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits from FTS5; raises sqlite3.OperationalError if SQLite lacks it."""
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(_MAKE)
        rows = ((number, text.text) for number, text in enumerate(among))
        index.executemany("INSERT INTO found (rowid, text) VALUES (?, ?)", rows)
        found: list[tuple[int, float, str]]
        found = index.execute(_FIND, (query.match,)).fetchall()
    hits = (_Hit(rank, among[number], snippet) for number, rank, snippet in found)
    return [  # a folder's own page ranks twice as high
        hit._replace(rank=2 * hit.rank) if hit.text.id.endswith("/index.md") else hit
        for hit in hits
    ]


def _compared(among: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits by literal comparison, in the order of the texts."""
    return [
        _Hit(number, text, _around(text.text, query.words[0]))
        for number, text in enumerate(among)
        if query.occurs_in(text.text)
    ]


def _around(text: str, word: str) -> str:
    place = max(text.casefold().find(word.casefold()), 0)
    return text[max(place - _AROUND, 0) : place + len(word) + _AROUND]
