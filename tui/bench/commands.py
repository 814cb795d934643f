"""What whole commands take, from the shell's call to the last line."""

import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from tui import start
from tui.bench.floors import best, once, python
from tui.bench.measure import Measure

_DEPENDENCIES = (
    "import filelock, frontmatter, orjson, platformdirs, rapidfuzz, sqlite3, yaml"
)
_LIST = 2
"""How many times the floor a list may take."""
_SEARCH = 0.12
"""Seconds that a search may take."""


def measure_commands(folder: Path, transcripts: Path, cache: Path) -> Iterator[Measure]:
    """List the sample stores; search transcripts, whose catalogue lies in a cache."""
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
    """Seconds that a command takes where it has read the store before.

    It keeps its history and its settings beside its catalogue.
    """
    places = ("XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")
    variables = {
        **os.environ,
        **dict.fromkeys(places, str(cache)),
        "RECOLLECT_STORES": str(store),
    }
    command = [sys.executable, "-P", start.__file__, *words]

    def run() -> None:
        subprocess.run(  # noqa: S603  # the program itself
            command, check=True, env=variables, capture_output=True
        )

    once(run)
    return best(run)
