"""What reading a store takes: what a memory server promises for a thousand memories."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.language.parsing import parse
from tui.bench.floors import best
from tui.bench.measure import Measure

_INDEXED, _SCANNED = "tag:redis", "importance>=.75 confidence<.9"
_SHOWN = 50
_QUERY, _SCAN, _LOAD = 0.05, 0.2, 0.5
"""Seconds that are promised."""


def measure_reading(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Load a store that was read before, and ask it something."""
    files = list(islice(store.rglob("*.md"), _SHOWN))
    fifty = best(lambda: [path.read_bytes() for path in files])
    yield Measure(
        name="load: from nothing to the first page",
        value=best(lambda: _first_page(store, catalogue)),
        unit="s",
        floor="opening the catalogue",
        floor_value=best(lambda: _open(catalogue)),
        bound=_LOAD,
    )
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        for name, text, bound in (
            ("indexed", _INDEXED, _QUERY),
            ("scanning", _SCANNED, _SCAN),
        ):
            yield Measure(
                name=f"{name} query, {text}: a page, and how many there are",
                value=best(lambda: _page(library, text)),  # noqa: B023  # called here
                unit="s",
                floor="reading as many files as a page shows",
                floor_value=fifty,
                bound=bound,
            )


def _first_page(store: Path, catalogue: Path) -> None:
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        list(library.page("memories", Page(limit=_SHOWN)))


def _page(library: Library, text: str) -> int:
    query = parse(text, ["memories"], is_finished=True).tree
    list(library.page("memories", Page(limit=_SHOWN), query=query))
    return library.count("memories", query)


def _open(catalogue: Path) -> None:
    with closing(sqlite3.connect(catalogue)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
