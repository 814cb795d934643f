"""How well search finds known records, compared with other methods."""

import shutil
import sqlite3
import subprocess
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path

from msgspec import Struct
from rapidfuzz import fuzz, process, utils

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.parse import parse
from tests.bench.queries import KINDS, Finder, Item, Query, known_items, queries
from tui.terminal.streams import temporary_folder

# The rank at which the record is found.

LOOKED_AT = 10
"""Number of hits considered."""


class Score(Struct, frozen=True, kw_only=True):
    """How well a search method answers queries of one type."""

    way: str
    """The type of the queries."""
    finder: str
    """The search method."""
    queries: int
    """The number of queries."""
    reciprocal_rank: float
    """The mean reciprocal rank; records that were not found count 0."""
    recall: float
    """The share of queries that found the record among the first hits."""


def measure(name: str, finder: Finder, queries: Iterable[Query]) -> Iterator[Score]:
    """The scores of a finder, by type of query."""
    for way, made in groupby(queries, key=lambda query: query.way):
        places = [_place(finder, query) for query in made]
        yield Score(
            way=way,
            finder=name,
            queries=len(places),
            reciprocal_rank=sum(1 / place for place in places if place) / len(places),
            recall=sum(place > 0 for place in places) / len(places),
        )


def _place(finder: Finder, query: Query) -> int:
    """The rank of the record, from 1; 0 if it was not found."""
    listed = list(finder(query.text, LOOKED_AT))[:LOOKED_AT]
    return listed.index(query.ref) + 1 if query.ref in listed else 0


# Other search methods to compare with.


@contextmanager
def others(items: Sequence[Item]) -> Generator[dict[str, Finder]]:
    """The other methods available on this machine, by name."""
    finders: dict[str, Finder] = {"WRatio over titles": _likeness(items)}
    fzf = shutil.which("fzf")
    if fzf:
        finders["fzf over titles"] = _fzf(fzf, items)
    with closing(sqlite3.connect(":memory:")) as connection:
        yield {**finders, "FTS5 bm25": _full_text(connection, items)}


def _likeness(items: Sequence[Item]) -> Finder:
    """Search titles by rapidfuzz similarity."""
    titles = [utils.default_process(item.title) for item in items]

    def find(query: str, limit: int) -> list[str]:
        typed = utils.default_process(query)
        best = process.extract(typed, titles, scorer=fuzz.WRatio, limit=limit)
        return [items[int(place)].ref for _, _, place in best]

    return find


def _full_text(connection: sqlite3.Connection, items: Sequence[Item]) -> Finder:
    """Search full text for any of the words, ordered by bm25."""
    connection.execute(
        "CREATE VIRTUAL TABLE found USING fts5(title, tags, body, "
        "tokenize = 'unicode61 remove_diacritics 2')"
    )
    connection.executemany(
        "INSERT INTO found (rowid, title, tags, body) VALUES (?, ?, ?, ?)",
        (
            (row, item.title, " ".join(item.tags), item.body)
            for row, item in enumerate(items)
        ),
    )

    def find(query: str, limit: int) -> list[str]:
        words = " OR ".join(f'"{word}"' for word in query.split())
        rows = connection.execute(
            "SELECT rowid FROM found WHERE found MATCH ? ORDER BY rank LIMIT ?",
            (words, limit),
        )
        return [items[int(row)].ref for (row,) in rows]

    return find


def _fzf(program: str, items: Sequence[Item]) -> Finder:
    """Search titles with fzf."""
    lines = "".join(
        f"{row}\t{' '.join(item.title.split())}\n" for row, item in enumerate(items)
    )

    def find(query: str, limit: int) -> list[str]:
        command = [program, "--filter", query, "--delimiter", "\t", "--nth", "2.."]
        answer = subprocess.run(  # found in PATH
            command, input=lines, capture_output=True, check=False, encoding="utf-8"
        )
        rows = (line.split("\t")[0] for line in answer.stdout.splitlines()[:limit])
        return [items[int(row)].ref for row in rows]

    return find


# Our search compared with the others: the same queries over the same records.

OURS = "recollect"
"""The name of our search in the table."""


def compare(library: Library, ours: Finder) -> Iterator[Score]:
    """The scores of all search methods for a library, ours first."""
    items = known_items(library)
    asked = queries(items)
    with others(items) as finders:
        for name, finder in {OURS: _among(items, ours), **finders}.items():
            yield from measure(name, finder, asked)


def _among(items: Sequence[Item], finder: Finder) -> Finder:
    """A finder that returns only these items, as the other methods search only them.

    This leaves out records whose titles are not unique.
    """
    known = {item.ref for item in items}

    def find(query: str, limit: int) -> list[str]:
        listed = [ref for ref in finder(query, limit) if ref in known]
        return listed[:limit]

    return find


# Our own search as a finder.

_LISTED = 50
"""Number of hits requested, including records that are not items."""


def ours(library: Library) -> Finder:
    """The hits of `recollect search` among the kinds to find."""

    def find(query: str, _limit: int) -> list[str]:
        tree = parse(query, None, is_finished=True).tree
        best = library.search.best(tree, Page(limit=_LISTED), KINDS)
        return [hit.record.ref for hit in best.hits if hit.record.ref]

    return find


# The comparison for the sample stores, and for the user's stores.

_WRITTEN = datetime(2026, 3, 1, tzinfo=UTC)
"""The fixed date of the sample stores."""


def compare_over(places: Sequence[Path] = ()) -> Iterator[Score]:
    """The scores for the sample stores together with other stores."""
    with temporary_folder() as folder:
        samples = folder / "samples"
        demo.write(samples, _WRITTEN)
        now = int(_WRITTEN.timestamp()) * 1_000_000
        with Library(folder / "cache" / "catalogue.db", now) as library:
            library.stores.choose(beneath([samples, *places], FORMATS).stores)
            library.sync()
            yield from compare(library, ours(library))


# The table of scores: one row per type of query, one column per search method.

_WAY = 20
_QUERIES = 8
_FINDER = 22


def table(scores: Iterable[Score]) -> Iterator[str]:
    """The lines of the table: mean reciprocal rank, and recall among the first hits."""
    by_way: dict[str, dict[str, Score]] = {}
    for score in scores:
        by_way.setdefault(score.way, {})[score.finder] = score
    finders = list(dict.fromkeys(name for row in by_way.values() for name in row))
    heads = "".join(f"{name:>{_FINDER}}" for name in finders)
    yield f"{'':{_WAY}}{'queries':>{_QUERIES}}{heads}"
    for way, row in by_way.items():
        count = next(iter(row.values())).queries
        cells = "".join(f"{_cell(row.get(name)):>{_FINDER}}" for name in finders)
        yield f"{way:{_WAY}}{count:>{_QUERIES}}{cells}"
    yield f"each: mean reciprocal rank, and recall among the first {LOOKED_AT}"


def _cell(score: Score | None) -> str:
    return f"{score.reciprocal_rank:.3f}  {score.recall:.3f}" if score else ""
