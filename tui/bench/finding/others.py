"""Other ways of searching: what they find is what ours is held against."""

import shutil
import sqlite3
import subprocess
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager

from rapidfuzz import fuzz, process, utils

from tui.bench.finding.items import Finder, Item


@contextmanager
def others(items: Sequence[Item]) -> Generator[dict[str, Finder]]:
    """The other ways that there are on this machine, by name."""
    finders: dict[str, Finder] = {"WRatio over titles": _likeness(items)}
    fzf = shutil.which("fzf")
    if fzf:
        finders["fzf over titles"] = _fzf(fzf, items)
    with closing(sqlite3.connect(":memory:")) as connection:
        yield {**finders, "FTS5 bm25": _full_text(connection, items)}


def _likeness(items: Sequence[Item]) -> Finder:
    """The titles most like the query, as rapidfuzz weighs it."""
    titles = [utils.default_process(item.title) for item in items]

    def find(query: str, limit: int) -> list[str]:
        typed = utils.default_process(query)
        best = process.extract(typed, titles, scorer=fuzz.WRatio, limit=limit)
        return [items[int(place)].ref for _, _, place in best]

    return find


def _full_text(connection: sqlite3.Connection, items: Sequence[Item]) -> Finder:
    """What has any of the words, the best by bm25 first."""
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
    """The titles that fzf leaves of them, in its order."""
    lines = "".join(
        f"{row}\t{' '.join(item.title.split())}\n" for row, item in enumerate(items)
    )

    def find(query: str, limit: int) -> list[str]:
        command = [program, "--filter", query, "--delimiter", "\t", "--nth", "2.."]
        answer = subprocess.run(  # noqa: S603  # found where programs are
            command, input=lines, capture_output=True, check=False, encoding="utf-8"
        )
        rows = (line.split("\t")[0] for line in answer.stdout.splitlines()[:limit])
        return [items[int(row)].ref for row in rows]

    return find
