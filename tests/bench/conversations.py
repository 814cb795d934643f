"""How fast transcripts are read and searched, and whole commands run."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path

import orjson

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Page
from store.search.parse import parse
from tests.bench.baseline import (
    Measure,
    best,
    once,
    peak_memory,
    python,
    slow,
    stat_walk,
    sync,
    usual,
)
from tests.bench.stores import VOCABULARY, add_rows, make_rows
from tests.store.formats.claudia_stores import Claudia
from tui import start

# Full-text search in transcripts.

_EACH = 6
"""Queries of each kind."""

_SHOWN = 50
_TRIES = 2
_ALLOWED = 0.03
"""Target of an answer in seconds."""
_MEGABYTES = 1000
"""The size of the transcripts that the target applies to."""

_OFTEN, _SOMETIMES, _RARELY = 0, 0.05, 0.75
"""Positions in the vocabulary: words from there on occur in most, in some thousand and
in a few messages of a gigabyte."""


def measure_answers(
    store: Path, catalogue: Path, words: Sequence[str] = VOCABULARY
) -> Iterator[Measure]:
    """Search in transcripts that are already synced for words, the commonest first."""
    megabytes = size_of(store) // 1_000_000
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        asked = list(mix(words))
        _answer(library, asked[0])
        floor = slow([_scan(store, word) for word in words[:_EACH]])
        yield Measure(
            name=f"a full-text answer over {megabytes} MB, 19 times of 20",
            value=slow([_answer(library, text) for text in asked]),
            unit="s",
            floor="bytes.count over the transcripts",
            floor_value=floor,
            bound=_ALLOWED * max(1, megabytes / _MEGABYTES),
        )


def mix(words: Sequence[str] = VOCABULARY) -> Iterator[str]:
    """Queries of all frequencies: words, several words, prefixes, phrases, fields."""
    often, sometimes, rarely = (
        words[int(share * len(words)) :] for share in (_OFTEN, _SOMETIMES, _RARELY)
    )
    queries = (_queries(at, often, sometimes, rarely) for at in range(_EACH))
    return chain.from_iterable(queries)


def _queries(
    at: int, often: Sequence[str], sometimes: Sequence[str], rarely: Sequence[str]
) -> Iterator[str]:
    """One query of each kind."""
    word, common, other = sometimes[at], often[at], often[at + 7]
    yield rarely[at]
    yield word
    yield common
    yield f"{common} {word}"
    yield word[:4]
    yield f'"{common} {other}"'
    yield f"{_FIELDS[at % len(_FIELDS)]} {word}"


_FIELDS = ("role:assistant", "project:project-3", "is:vault", "has:tools")


def _answer(library: Library, text: str) -> float:
    """The seconds of a search for the best hits."""
    tree = parse(text, None, is_finished=True).tree
    return best(lambda: library.search.best(tree, Page(limit=_SHOWN)), _TRIES)


def _scan(store: Path, word: str) -> float:
    """The seconds to count the occurrences of a word in the files."""
    wanted, files = word.encode(), list(store.rglob("*.jsonl"))
    return once(lambda: sum(path.read_bytes().count(wanted) for path in files))


# Whole commands, from the call in the shell to the last line.

_DEPENDENCIES = (
    "import filelock, frontmatter, orjson, platformdirs, rapidfuzz, sqlite3, yaml"
)
_LIST = 2
"""Target of a list, as a multiple of the baseline."""
_SEARCH, _VERSION = 0.12, 0.03
"""Targets of a search and of `--version` in seconds."""


def measure_commands(folder: Path) -> Iterator[Measure]:
    """Commands over the sample stores, and such that need no store."""
    floor = python(_DEPENDENCIES)
    samples = folder / "samples"
    demo.write(samples, datetime.now(UTC))
    yield Measure(
        name="recollect list, whole process, sample stores looked over",
        value=_command(["list", "memories"], samples, folder / "cache"),
        unit="s",
        floor="importing what it depends on",
        floor_value=floor,
        bound=_LIST * floor,
    )
    yield Measure(
        name="recollect --version, whole process",
        value=_command(["--version"], samples, folder / "cache"),
        unit="s",
        floor="importing what list depends on",
        floor_value=floor,
        bound=_VERSION,
    )


def measure_search(store: Path, cache: Path, query: str) -> Iterator[Measure]:
    """Search transcripts that are already synced, in a process of its own."""
    yield Measure(
        name=f"recollect search {query!r}, whole process, files compared",
        value=_command(["search", query], store, cache),
        unit="s",
        floor="importing what it depends on",
        floor_value=python(_DEPENDENCIES),
        bound=_SEARCH,
    )


def _command(words: list[str], store: Path, cache: Path) -> float:
    """The seconds of a command whose store is already synced.

    Its history and settings are in the same folder as its catalogue.
    """
    places = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    variables = {
        **os.environ,
        **dict.fromkeys(places, str(cache)),
        "RECOLLECT_STORES": str(store),
    }
    command = [sys.executable, "-P", start.__file__, *words]

    def run() -> None:
        subprocess.run(  # the program itself
            command, check=True, env=variables, capture_output=True
        )

    once(run)
    return best(run)


# A first sync of any folder, and another one.

_MOST_MEMORY = 250_000_000
_TALK_SHARE = 0.25
_READ_OFTEN = 3
"""Target of a first sync, as a multiple of parsing every line."""


def measure_sync(store: Path, catalogue: Path, watched: Path) -> Iterator[Measure]:
    """Sync a folder, and sync it again.

    It is synced into a catalogue, and once more into another one while memory is
    watched.
    """
    size, floor = size_of(store), _parse_all(store)
    name = f"{len(list(_files(store)))} files with {size / 1e6:.0f} MB"
    yield Measure(
        name=f"first sync of {name}",
        value=once(lambda: sync(store, catalogue)),
        unit="s",
        floor="orjson.loads of every line",
        floor_value=floor,
        bound=_READ_OFTEN * floor,
    )
    yield Measure(
        name="its catalogue",
        value=catalogue.stat().st_size,
        unit="B",
        floor="the files",
        floor_value=size,
        bound=_TALK_SHARE * size,
    )
    floor = stat_walk(store)
    yield Measure(
        name=f"sync of {name}, none changed",
        value=best(lambda: sync(store, catalogue)),
        unit="s",
        floor="os.stat of every file",
        floor_value=floor,
        bound=1.5 * floor + 0.03,
    )
    memory = peak_memory(store, watched)
    if memory is not None:
        yield Measure(
            name="memory of that first sync, all processes together",
            value=memory,
            unit="B",
            floor="what is allowed",
            floor_value=_MOST_MEMORY,
            bound=_MOST_MEMORY,
        )


def size_of(store: Path) -> int:
    """The bytes of all transcripts in a folder; of all files if it has none."""
    return sum(path.stat().st_size for path in _files(store)) or 1


def _files(store: Path) -> Iterator[Path]:
    lines = list(store.rglob("*.jsonl"))
    return (path for path in lines or store.rglob("*") if path.is_file())


def _parse_all(store: Path) -> float:
    """The seconds to parse every line as JSON; those that are damaged are skipped."""

    def parse() -> None:
        for path in _files(store):
            with path.open("rb") as lines:
                for line in lines:
                    with suppress(orjson.JSONDecodeError):
                        orjson.loads(line)

    return once(parse)


# A database that grows by a row.

_ADDED = 0.3
"""Target of a row added to a database of any size, in seconds."""


def measure_rows(store: Path, catalogue: Path, rows: int) -> Iterator[Measure]:
    """Add rows to a database of Claudia, and sync it after each."""
    path = make_rows(store, rows)
    sync(store, catalogue)
    with closing(sqlite3.connect(path)) as connection:
        made = Claudia(connection)
        times: list[float] = []
        for number in range(rows, rows + _EACH):
            with connection:
                add_rows(made, range(number, number + 1))
            times.append(once(lambda: sync(store, catalogue)))
        floor = best(
            lambda: connection.execute(
                "SELECT sum(length(content)) FROM memory_transcript_entries"
            ).fetchone()
        )
    yield Measure(
        name=f"a row added to a database of {rows} entries, until it is indexed",
        value=usual(times),
        unit="s",
        floor="SQLite reading every entry",
        floor_value=floor,
        bound=_ADDED,
    )
