"""What every view looks like, as text: `python -m tests.frames` writes it anew."""

import asyncio
import os
import re
import shutil
import tempfile
import time
from collections.abc import AsyncGenerator, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from fcntl import LOCK_EX, flock
from pathlib import Path

from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.project import ROOT
from tests.tui.browser.host import frame
from tui.browser.app import Browser
from tui.browser.framed import Outfit
from tui.browser.views import VIEWS
from tui.themes.choice import Options, choose

NOW = datetime(2026, 3, 1, tzinfo=UTC)
SIZES = ((40, 12), (60, 16), (80, 24), (120, 36), (200, 50))
FOLDER = ROOT / "tests/tui/browser/frames"

_STILL = 3
"""Turns of the screen after which scrollbars have followed."""

HERE = Path(tempfile.gettempdir(), "recollect-frames")
"""Where the stores lie. Refs come of their paths, and order what is alike in all else:
elsewhere the frames are others."""

_SHOWN = "/home/zoe/kept/agents"
"""What is written in its place, just as long where temporary files usually lie."""

CHOSEN = choose(
    {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"},
    None,
    Options(),
)
"""Colours and glyphs of a terminal that knows all of them."""

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
    """Sample stores that lie in the same place on every machine; gone afterwards."""
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
    """What is known of the stores."""
    with Library(shelf.catalogue, int(now.timestamp()) * 1_000_000) as library:
        library.choose(beneath(shelf.stores, FORMATS).stores)
        yield library


async def frames(
    library: Library, size: tuple[int, int]
) -> AsyncGenerator[tuple[str, str]]:
    """Every view at a size, by name."""
    browser = Browser(library, reads=False, outfit=Outfit(chosen=CHOSEN))
    async with browser.run_test(size=size) as pilot:
        for view in VIEWS:
            await pilot.press(view.key)
            await _finished(browser, pilot)
            await browser.settled()
            await _finished(browser, pilot)
            name = f"{view.label.lower()}-{size[0]}x{size[1]}"
            yield name, lasting(await _at_rest(browser, pilot))


async def _at_rest(browser: Browser, pilot: Pilot[None]) -> list[str]:
    """What stands on the screen once nothing moves any more, scrollbars included."""
    shown: list[str] = []
    for _ in range(_STILL):
        await pilot.pause()
    while shown != (now := frame(browser)):
        shown = now
        await _finished(browser, pilot)
        await pilot.pause()
    return shown


async def _finished(browser: Browser, pilot: Pilot[None]) -> None:
    """Until nothing works on what is shown."""
    while any(not worker.is_finished for worker in browser.workers):
        await pilot.pause()


def lasting(lines: Sequence[str]) -> str:
    """Lines without how long it took to find them, and without the ends of scrollbars.

    How long a bar is rests on how long texts seem that nobody has seen yet.
    """
    told = (_BAR_END.sub("", line.replace(str(HERE), _SHOWN)) for line in lines)
    return "".join(f"{_TOOK.sub(_at_once, line).rstrip()}\n" for line in told)


_BAR_END = re.compile(r"[▁▂▃▄▅▆▇]$")


_TOOK = re.compile(r"(?P<count>\S+) · [\d.]+ m?s$")


def _at_once(took: re.Match[str]) -> str:
    return f"{took['count']} · 1 ms".rjust(len(took[0]))


async def _write() -> None:
    with anywhere() as shelf, on_shelf(shelf, NOW) as library:
        for size in SIZES:
            async for name, told in frames(library, size):
                (FOLDER / f"{name}.txt").write_text(told, encoding="utf-8")


def main() -> None:
    """Write every frame."""
    os.environ["TZ"] = "UTC"
    time.tzset()
    FOLDER.mkdir(parents=True, exist_ok=True)
    asyncio.run(_write())


if __name__ == "__main__":
    main()
