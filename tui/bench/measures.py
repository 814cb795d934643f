"""The measurements: what is measured, against which floor, and what is owed."""

import os
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tui import start
from tui.bench.floors import best, frontmatter_default, once, python, stat_walk
from tui.bench.made import make_store
from tui.temporary import temporary_folder

_DEPENDENCIES = (
    "import filelock, frontmatter, orjson, platformdirs, rapidfuzz, sqlite3, yaml"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One figure of the report."""

    name: str
    """What is measured."""
    seconds: float
    """What the program takes."""
    floor: str
    """What it is held against."""
    floor_seconds: float
    """What the floor takes, in the same run."""
    bound: float
    """What is owed, in seconds of this run."""

    @property
    def ratio(self) -> float:
        """How many times the floor."""
        return self.seconds / self.floor_seconds

    @property
    def met(self) -> bool:
        """Whether the program takes no more than is owed."""
        return self.seconds <= self.bound


def measure(memories: int) -> Iterator[Measure]:
    """Measure with a store of so many memories, in a folder that goes again."""
    with temporary_folder() as folder:
        store, catalogue = folder / "store", folder / "cache" / "catalogue.db"
        files = make_store(store, memories)
        yield _first_sync(store, catalogue, files)
        yield _sync_again(store, catalogue, files)
        yield _list_command(folder)


def _first_sync(store: Path, catalogue: Path, files: int) -> Measure:
    floor = frontmatter_default(store)
    seconds = once(lambda: _sync(store, catalogue))
    return Measure(
        name=f"first sync of {files} files",
        seconds=seconds,
        floor="python-frontmatter, default loader",
        floor_seconds=floor,
        bound=floor,
    )


def _sync_again(store: Path, catalogue: Path, files: int) -> Measure:
    floor = stat_walk(store)
    return Measure(
        name=f"sync of {files} files, none moved",
        seconds=best(lambda: _sync(store, catalogue)),
        floor="os.stat of every file",
        floor_seconds=floor,
        bound=1.5 * floor + 0.03,
    )


def _list_command(folder: Path) -> Measure:
    floor = python(_DEPENDENCIES)
    samples = folder / "samples"
    demo.write(samples, datetime.now(UTC))
    command = [sys.executable, "-P", start.__file__, "list", "memories"]
    variables = {
        **os.environ,
        "XDG_CACHE_HOME": str(folder / "cache"),
        "RECOLLECT_STORES": str(samples),
    }

    def run() -> None:
        subprocess.run(  # noqa: S603  # the program itself
            command, check=True, env=variables, capture_output=True
        )

    once(run)
    return Measure(
        name="recollect list, whole process, sample stores looked over",
        seconds=best(run),
        floor="importing what it depends on",
        floor_seconds=floor,
        bound=2 * floor,
    )


def _sync(store: Path, catalogue: Path) -> None:
    with Library(catalogue, 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        library.sync()
