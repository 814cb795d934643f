"""Full-text search over documents and summaries."""

import re
import sqlite3
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from typing import NamedTuple

from msgspec import Struct

from store.errors import WrongUseError
from store.files.beneath import Root
from store.files.sqlite import Database
from store.findings import Json
from store.formats.claudia.database import Findable, by_key, findable, stale
from store.formats.claudia.read import Settings
from store.times import Instant, parse

# The input of a report.

Row = Mapping[str, Json]


class Asked(Struct, frozen=True):
    """One database, and what a report needs."""

    root: Root
    database: Database
    settings: Settings
    now: int
    """In microseconds since 1970."""


# A search query, and the texts it may match.

_FILTER = re.compile(r"(category|cwd|from|to):(.*)", re.DOTALL)
_PART = re.compile(r'"([^"]*)"?|(\S+)')


class Query(Struct, frozen=True):
    """A search query."""

    words: tuple[str, ...]
    """Words and phrases that must all occur."""
    category: str | None = None
    cwd: str | None = None
    since: Instant | None = None
    until: Instant | None = None

    @classmethod
    def of(cls, words: Sequence[str]) -> "Query":
        """Parse the arguments of a search; raises WrongUseError."""
        filters: dict[str, str] = {}
        wanted: list[str] = []
        for word in words:
            found = _FILTER.fullmatch(word)
            if found:
                filters[found[1]] = found[2]
            else:
                wanted += (phrase or one for phrase, one in _PART.findall(word))
        parts = tuple(part for part in wanted if part.strip())
        if not parts:
            raise WrongUseError("Report `search` needs a word to search for.")
        return cls(
            parts,
            filters.get("category"),
            filters.get("cwd"),
            _moment("from", filters),
            _moment("to", filters),
        )

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
        at = parse(text.at)
        if self.since and at < self.since:
            return False
        return not (self.until and at > self.until)

    def occurs_in(self, text: str) -> bool:
        """Whether all words occur literally, ignoring case."""
        folded = text.casefold()
        return all(word.casefold() in folded for word in self.words)


def _moment(name: str, filters: dict[str, str]) -> Instant | None:
    """The time in a filter; a day as upper limit includes its end."""
    value = filters.get(name)
    if value is None:
        return None
    whole_day = name == "to" and len(value) == len("YYYY-MM-DD")
    moment = parse(f"{value}T23:59:59.999999Z" if whole_day else value)
    if moment.micros is None:
        raise WrongUseError(f"Invalid date {value!r} after `{name}:`.")
    return moment


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


def search(asked: Asked, query: Query) -> Iterator[Row]:
    """The best hits, each document and summary once."""
    texts = [text for text in _texts(asked.database) if query.admits(text)]
    try:
        hits = _matched(texts, query)
    except sqlite3.OperationalError:
        hits = _compared(texts, query)
    told = set[tuple[str, str]]()
    for hit in sorted(hits, key=lambda hit: (hit.text.stale, hit.rank, hit.text.id)):
        key = (hit.text.kind, hit.text.id)
        if key not in told and len(told) < LIMIT:
            told.add(key)
            yield _row(hit)


def _texts(database: Database) -> Iterable[Findable]:
    """Current texts, then those that only the program's index still has."""
    current = list(findable(database))
    return [*current, *stale(database, by_key(current))]


def _matched(texts: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits from FTS5; raises sqlite3.OperationalError if SQLite lacks it."""
    with closing(sqlite3.connect(":memory:")) as index:
        index.execute(_MAKE)
        rows = ((number, text.text) for number, text in enumerate(texts))
        index.executemany("INSERT INTO found (rowid, text) VALUES (?, ?)", rows)
        found: list[tuple[int, float, str]]
        found = index.execute(_FIND, (query.match,)).fetchall()
    return [
        _Hit(_weighed(rank, texts[number]), texts[number], snippet)
        for number, rank, snippet in found
    ]


def _weighed(rank: float, text: Findable) -> float:
    """The rank, doubled for a folder's own page."""
    return rank * 2 if text.id.endswith("/index.md") else rank


def _compared(texts: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits by literal comparison, in the order of the texts."""
    return [
        _Hit(number, text, _around(text.text, query.words[0]))
        for number, text in enumerate(texts)
        if query.occurs_in(text.text)
    ]


def _around(text: str, word: str) -> str:
    place = max(text.casefold().find(word.casefold()), 0)
    return text[max(place - _AROUND, 0) : place + len(word) + _AROUND]


def _row(hit: _Hit) -> Row:
    return {
        "kind": hit.text.kind,
        "id": hit.text.id,
        "category": hit.text.category,
        "at": hit.text.at or None,
        "cwd": hit.text.cwd or None,
        "stale": hit.text.stale,
        "score": round(-hit.rank, 6),
        "snippet": " ".join(hit.snippet.split()),
    }
