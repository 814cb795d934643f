"""Sample stores that were read, for everything that shows them."""

import shutil
import tempfile
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from pathlib import Path

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library

NOW = datetime(2026, 3, 1, tzinfo=UTC)

HERE = Path(tempfile.gettempdir(), "recollect-frames")
"""Where the stores lie. Refs come of their paths, and order what is alike in all else:
elsewhere the frames are others."""

_SHOWN = "/home/zoe/kept/agents"
"""What is written in its place, just as long where temporary files usually lie."""

IS_USUAL = len(str(HERE)) == len(_SHOWN)
"""Whether frames can be compared here."""


@dataclass(frozen=True, slots=True)
class Shelf:
    """Sample stores that were read."""

    stores: Sequence[Path]
    catalogue: Path


@contextmanager
def a_shelf(folder: Path) -> Generator[Shelf]:
    """Sample stores in a folder, read."""
    shelf = Shelf(tuple(demo.write(folder / "stores", NOW)), folder / "catalogue.db")
    with on_shelf(shelf, NOW) as library:
        library.sync()
    yield shelf


@contextmanager
def anywhere() -> Generator[Shelf]:
    """Sample stores at the same path on every machine; removed afterwards."""
    with HERE.with_suffix(".lock").open("w") as lock:
        flock(lock, LOCK_EX)
        shutil.rmtree(HERE, ignore_errors=True)
        HERE.mkdir()
        try:
            with a_shelf(HERE) as shelf:
                yield shelf
        finally:
            shutil.rmtree(HERE)


@contextmanager
def on_shelf(shelf: Shelf, now: datetime) -> Generator[Library]:
    """The catalogue of the stores."""
    with Library(shelf.catalogue, int(now.timestamp()) * 1_000_000) as library:
        library.stores.choose(beneath(shelf.stores, FORMATS).stores)
        yield library


def at_home(text: str) -> str:
    """A text with a home instead of the folder of the stores."""
    return text.replace(str(HERE), _SHOWN)
