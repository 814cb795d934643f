"""How fast transcripts are read and searched, and whole commands run."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import orjson

from store.demo import write as demo
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
)
from tests.bench.stores import VOCABULARY, WORDS
from tests.bench.transcripts import make_transcripts
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

_OFTEN, _SOMETIMES, _RARELY = 0, 2_000, 30_000
"""Positions in the vocabulary: words from there on occur in most, in some thousand and
in a few messages of a gigabyte."""


def measure_answers(store: Path, catalogue: Path, megabytes: int) -> Iterator[Measure]:
    """Search in transcripts that are already synced."""
    with Library(catalogue, 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        asked = list(mix())
        _answer(library, asked[0])
        floor = slow([_scan(store, word) for word in WORDS[:_EACH]])
        yield Measure(
            name=f"a full-text answer over {megabytes} MB, 19 times of 20",
            value=slow([_answer(library, text) for text in asked]),
            unit="s",
            floor="bytes.count over the transcripts",
            floor_value=floor,
            bound=_ALLOWED * max(1, megabytes / _MEGABYTES),
        )


def mix() -> Iterator[str]:
    """Queries of all frequencies: words, several words, prefixes, phrases, fields."""
    for at in range(_EACH):
        often, other = VOCABULARY[_OFTEN + at], VOCABULARY[_OFTEN + at + 7]
        sometimes = VOCABULARY[_SOMETIMES + at]
        yield VOCABULARY[_RARELY + at]
        yield sometimes
        yield often
        yield f"{often} {sometimes}"
        yield sometimes[:4]
        yield f'"{often} {other}"'
        yield f"{_FIELDS[at % len(_FIELDS)]} {sometimes}"


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
_SEARCH = 0.12
"""Target of a search in seconds."""


def measure_commands(folder: Path, transcripts: Path, cache: Path) -> Iterator[Measure]:
    """List the sample stores, and search transcripts that are already synced."""
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
        name="recollect search, whole process, those transcripts looked over",
        value=_command(["search", "redis timeout"], transcripts, cache),
        unit="s",
        floor="importing what it depends on",
        floor_value=floor,
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


# Transcripts of any total size.

_MOST_MEMORY = 250_000_000
_TALK_SHARE = 0.25


def measure_talk(
    store: Path, catalogue: Path, watched: Path, megabytes: int
) -> Iterator[Measure]:
    """Sync transcripts, and sync them again.

    They are synced into a catalogue, and once more into another one while memory is
    watched.
    """
    size = megabytes * 1_000_000
    files = make_transcripts(store, size)
    floor = _parse_all(store)
    yield Measure(
        name=f"first sync of {megabytes} MB of transcripts, {files} files",
        value=once(lambda: sync(store, catalogue)),
        unit="s",
        floor="orjson.loads of every line",
        floor_value=floor,
        bound=3 * floor,
    )
    yield Measure(
        name="its catalogue",
        value=catalogue.stat().st_size,
        unit="B",
        floor="the transcripts",
        floor_value=size,
        bound=_TALK_SHARE * size,
    )
    floor = stat_walk(store)
    yield Measure(
        name=f"sync of {files} transcripts, none changed",
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


def _parse_all(store: Path) -> float:
    """The seconds to parse every line as JSON."""

    def parse() -> None:
        for path in store.rglob("*.jsonl"):
            with path.open("rb") as lines:
                for line in lines:
                    orjson.loads(line)

    return once(parse)
