"""How fast memories are read, queried and found while one types."""

import shutil
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import closing
from itertools import islice
from pathlib import Path

from rapidfuzz import fuzz, process

from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.memories import Memory
from store.library import Library, Page
from store.search.parse import parse
from tests.bench.baseline import (
    Measure,
    best,
    frontmatter_default,
    once,
    slow,
    stat_walk,
    sync,
)
from tests.bench.stores import make_store

_SHOWN = 50
_TRIES = 2


# A large store of memories, and how the times grow with its size.

_TENTH = 10
_GROWTH = 11
"""The allowed factor for ten times the memories."""
_NOISE = 1.5
_LEAST = 0.002
"""The allowed noise of equal times: a factor, and seconds."""

_ASKED = "certificate socket"


def measure_graph(store: Path, catalogue: Path, memories: int) -> Iterator[Measure]:
    """Sync a store of memories and edges, and sync it again."""
    files = make_store(store, memories)
    floor = frontmatter_default(store)
    first = once(lambda: sync(store, catalogue))
    yield Measure(
        name=f"first sync of {files} files",
        value=first,
        unit="s",
        floor="python-frontmatter, default loader",
        floor_value=floor,
        bound=floor,
    )
    floor = stat_walk(store)
    yield Measure(
        name=f"sync of {files} files, none changed",
        value=best(lambda: sync(store, catalogue)),
        unit="s",
        floor="os.stat of every file",
        floor_value=floor,
        bound=1.5 * floor + 0.03,
    )
    tenth, other = tenth_of(store), tenth_of(catalogue)
    make_store(tenth, max(1, memories // _TENTH))
    floor = once(lambda: sync(tenth, other))
    yield Measure(
        name="first sync of ten times the memories",
        value=first,
        unit="s",
        floor="a tenth of them",
        floor_value=floor,
        bound=_GROWTH * floor,
    )
    floor = _query(tenth, other)
    yield Measure(
        name="a query over ten times the memories",
        value=_query(store, catalogue),
        unit="s",
        floor="a tenth of them",
        floor_value=floor,
        bound=_NOISE * floor + _LEAST,
    )


def tenth_of(path: Path) -> Path:
    """The path of the store with a tenth of the memories, or of its catalogue."""
    return path.with_name(f"tenth{path.suffix}")


def _query(store: Path, catalogue: Path) -> float:
    """The seconds to the first page of a query."""
    query = parse(_ASKED, ["memories"], is_finished=True).tree
    page = Page(limit=_SHOWN)
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        return best(lambda: list(library.lists.page("memories", page, query=query)))


# Search as you type, with typing errors.

_TYPED = ("redis timeout", "certificate", "migartion", "wroker queue", "snapshto")
"""The texts typed letter by letter; some occur exactly, some only nearly."""

_WITHIN = "ertifi"
"""The middle of a word."""

_SHARE, _FRAME = 0.4, 0.016
"""Target of a letter: a multiple of the baseline, or one frame in seconds."""
_AT_ONCE = 0.01
"""Target of a page in seconds, for `_MEMORIES` memories."""
_MEMORIES = 100_000


def measure_letters(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Type a query over the memories of a synced store."""
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        memories = list(library.lists.page("memories", Page()))
        titles = [one.title for one in memories if isinstance(one, Memory)]
        texts = [text[: end + 1] for text in _TYPED for end in range(len(text))]
        _first_page(library, texts[-1])
        name, floor = _floor(titles, texts)
        yield Measure(
            name=f"one more letter over {len(titles)} titles, 19 times of 20",
            value=slow([_letter(library, text) for text in texts]),
            unit="s",
            floor=name,
            floor_value=floor,
            bound=max(_SHARE * floor, _FRAME),
        )
        joined = "\n".join(titles).lower()
        yield Measure(
            name="a page of what holds a part of a word",
            value=best(lambda: _first_page(library, _WITHIN)),
            unit="s",
            floor="str.count over all titles, joined",
            floor_value=best(lambda: joined.count(_WITHIN)),
            bound=_AT_ONCE * max(1, len(titles) / _MEMORIES),
        )


def _letter(library: Library, text: str) -> float:
    """The seconds from a letter to the first page."""
    return best(lambda: _first_page(library, text), _TRIES)


def _first_page(library: Library, text: str) -> int:
    """Show the first page of a query, or of similar records if nothing matches."""
    tree = parse(text, ["memories"]).tree
    found = list(library.lists.page("memories", Page(limit=_SHOWN), query=tree))
    return len(found or list(islice(library.lists.nearly("memories", tree), _SHOWN)))


def _floor(titles: Sequence[str], texts: Sequence[str]) -> tuple[str, float]:
    """The name and the seconds of the best available tool for filtering a list."""
    fzf = shutil.which("fzf")
    if fzf is None:
        times = [_likeness(titles, text) for text in texts]
        return "partial_ratio of rapidfuzz over the same titles", slow(times)
    lines = "\n".join(titles)
    times = [_filter(fzf, lines, text) for text in texts]
    return "fzf --filter over the same titles", slow(times)


def _likeness(titles: Sequence[str], text: str) -> float:
    """The seconds of rapidfuzz for scoring all titles."""
    scorer = fuzz.partial_ratio
    return best(
        lambda: process.extract(text, titles, scorer=scorer, limit=_SHOWN), _TRIES
    )


def _filter(fzf: str, lines: str, text: str) -> float:
    """The seconds of fzf, including its start."""

    def run() -> None:
        subprocess.run(  # found in PATH
            [fzf, "--filter", text],
            input=lines,
            capture_output=True,
            check=False,
            encoding="utf-8",
        )

    return best(run, _TRIES)


# The read times that a memory server promises for a thousand memories.

_INDEXED, _SCANNED = "tag:redis", "importance>=.75 confidence<.9"
_QUERY, _SCAN, _LOAD = 0.05, 0.2, 0.5
"""The promises in seconds."""


def measure_reading(store: Path, catalogue: Path) -> Iterator[Measure]:
    """Load a synced store and query it."""
    files = list(islice(store.rglob("*.md"), _SHOWN))
    fifty = best(lambda: [path.read_bytes() for path in files])
    yield Measure(
        name="load: from nothing to the first page",
        value=best(lambda: _first_page_reading(store, catalogue)),
        unit="s",
        floor="opening the catalogue",
        floor_value=best(lambda: _open(catalogue)),
        bound=_LOAD,
    )
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        for name, text, bound in (
            ("indexed", _INDEXED, _QUERY),
            ("scanning", _SCANNED, _SCAN),
        ):
            yield Measure(
                name=f"{name} query, {text}: a page, and how many there are",
                value=best(lambda: _page(library, text)),  # noqa: B023  # called within the loop
                unit="s",
                floor="reading as many files as a page shows",
                floor_value=fifty,
                bound=bound,
            )


def _first_page_reading(store: Path, catalogue: Path) -> None:
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        list(library.lists.page("memories", Page(limit=_SHOWN)))


def _page(library: Library, text: str) -> int:
    query = parse(text, ["memories"], is_finished=True).tree
    list(library.lists.page("memories", Page(limit=_SHOWN), query=query))
    return library.lists.count("memories", query)


def _open(catalogue: Path) -> None:
    with closing(sqlite3.connect(catalogue)) as connection:
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
