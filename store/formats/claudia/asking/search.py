"""Full text over documents and summaries, as the program searches, without its faults.

The program's own index keeps texts that are gone. So an index is built in memory of the
texts as they are now, by the same rules of words, and what only the old index finds is
told as stale.
"""

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from typing import NamedTuple

from store.files.sqlite import Database
from store.formats.claudia.asking.asked import Answer, Asked, Row
from store.formats.claudia.asking.query import Query
from store.formats.claudia.search_index import Findable, by_key, findable, stale

LIMIT = 20
"""How many hits are told."""
_AROUND = 60
"""How many characters are told before and after a word that is found as it is."""

_MAKE = "CREATE VIRTUAL TABLE found USING fts5(text, tokenize = 'porter unicode61')"
_FIND = (
    "SELECT rowid, rank, snippet(found, 0, '', '', '…', 24) FROM found"
    " WHERE found MATCH ? ORDER BY rank"
)


class _Hit(NamedTuple):
    rank: float
    """The less, the better."""
    text: Findable
    snippet: str


def search(words: Sequence[str]) -> Answer:
    """The best hits, each document and summary once."""
    query = Query.of(words)
    return lambda asked: _search(asked, query)


def _search(asked: Asked, query: Query) -> Iterator[Row]:
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
    """What is there, then what only the program's index still has."""
    current = list(findable(database))
    return [*current, *stale(database, by_key(current))]


def _matched(texts: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits by FTS5; raises sqlite3.OperationalError where SQLite was made without."""
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
    """The rank; that of a folder's own page counts twice."""
    return rank * 2 if text.id.endswith("/index.md") else rank


def _compared(texts: Sequence[Findable], query: Query) -> list[_Hit]:
    """Hits by comparing, in the order that the texts come."""
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
