"""The screenshots: `python -m tests.screenshots` makes them.

`--check` compares one of each scene, in a quarter of the time; `--check-all` all.
"""

import asyncio
import dataclasses
import fcntl
import os
import re
import shutil
import sys
from collections.abc import AsyncIterator, Generator, Iterable
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from unittest.mock import patch

from msgspec.structs import replace
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.project import ROOT
from tui.browser.app import Browser
from tui.browser.layout import Outfit
from tui.browser.query_bar import QueryBar, VerdictBar
from tui.themes import DARK, LIGHT, Chosen, Colours

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
FOLDER = ROOT / "screenshots"
SAMPLES = Path("/tmp/recollect-screenshots")  # noqa: S108  # the same everywhere
"""The folder of the stores: refs, and with them the order of equals, depend on it."""
SMALL, MEDIUM, LARGE = SIZES = ((80, 24), (120, 36), (200, 50))


@dataclass(frozen=True)
class Scene:
    """The keys before a screenshot."""

    name: str
    keys: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...] = SIZES
    themes: tuple[str, ...] = (DARK,)


BOTH = (DARK, LIGHT)
_PROJECT = "postgres-17 type:project"
_PROMPT = "can postgres be upgraded without downtime"

_INSTRUCTIONS = """\
# kilnbook

@AGENTS.md

- Tests run against a real Postgres: `make db test`.
- Never send mail from a test.
"""
_AGENTS = "# For agents\n\n" + "- One idea a commit; the message says why.\n" * 20

SCENES = (
    Scene("memories", ("1", "j", "j"), themes=BOTH),
    Scene("edges", ("2", "j", "j"), themes=BOTH),
    Scene("episodes", ("3", "j", "j"), themes=BOTH),
    Scene("timeline", ("4", "k", "k"), themes=BOTH),
    Scene("journals", ("5", "j"), themes=BOTH),
    Scene("health", ("6", *"jjjjj", "l", "j"), themes=BOTH),
    Scene("documents", ("7", "/", *"backlog", "enter"), themes=BOTH),
    Scene("messages", ("8", *"jjj"), themes=BOTH),
    Scene("welcome", (":", *"welcome page", "enter"), (SMALL, MEDIUM), BOTH),
    Scene("query", ("/", *"redis tag:kilnbook", "enter", "j")),
    Scene("nearly", ("/", *"conection timeuot", "enter"), (SMALL,)),
    Scene("filters", ("1", "F", "j", "j", "space"), (SMALL, MEDIUM)),
    Scene("palette", (":",), (MEDIUM,)),
    Scene("keys", ("?",), (MEDIUM,)),
    Scene("transcript", ("/", *"exclusion constraint", "enter", "4", "enter")),
    Scene("agent", ("/", *_PROJECT, "enter", "g", "a"), (SMALL, MEDIUM)),
    Scene("recall", ("/", *_PROJECT, "enter", "g", "q", *_PROMPT, "enter"), (MEDIUM,)),
    Scene("blame", ("/", *_PROJECT, "enter", "["), (MEDIUM,)),
)


def name_of(scene: Scene, size: tuple[int, int], theme: str) -> str:
    """The file name of a screenshot."""
    light = "-light" if theme == LIGHT else ""
    return f"{scene.name}-{size[0]}x{size[1]}{light}.svg"


async def pictures(
    folder: Path, scenes: Iterable[Scene]
) -> AsyncIterator[tuple[str, str]]:
    """The screenshots of scenes, with their file names; all show the same stores."""
    stores = demo.write(folder / "stores", NOW)
    project = folder / "stores/code/kilnbook"
    (project / "CLAUDE.md").write_text(_INSTRUCTIONS, encoding="utf-8")
    (project / "AGENTS.md").write_text(_AGENTS, encoding="utf-8")
    home = {"HOME": str(folder / "stores")}
    now = int(NOW.timestamp()) * 1_000_000
    with (
        chdir(project),
        patch.dict(os.environ, home),
        Library(folder / "catalogue.db", now) as library,
    ):
        library.stores.choose(beneath(stores, FORMATS).stores)
        library.sync()
        for scene in scenes:
            for size in scene.sizes:
                for theme in scene.themes:
                    svg = await picture(library, scene, size, theme)
                    yield name_of(scene, size, theme), as_at_home(svg, folder)


async def picture(
    library: Library, scene: Scene, size: tuple[int, int], theme: str
) -> str:
    """The browser at a size and in a theme, after some keys."""
    outfit = Outfit(chosen=Chosen(theme, Colours.ALL, is_ascii=False))
    browser = Browser(library, reads=False, outfit=outfit)
    async with browser.run_test(size=size) as pilot:
        await settled(browser, pilot)
        for key in scene.keys:
            await pilot.press("space" if key == " " else key)
            await settled(browser, pilot)
        counted = browser.screen_stack[0].query_one(VerdictBar).counted
        if counted:
            bar = browser.screen_stack[0].query_one(QueryBar)
            bar.tell(replace(counted, seconds=0.002))
        await settled(browser, pilot)
        svg = browser.export_screenshot(title="recollect", simplify=True)
    # Each picture names its classes by a number of its own.
    return re.sub(r"terminal-\d+", "terminal", svg)


async def settled(browser: Browser, pilot: Pilot[None]) -> None:
    """Wait until everything requested is on the screen."""
    await pilot.pause()
    await browser.settled()
    while any(not worker.is_finished for worker in browser.workers):
        await pilot.pause()
    await pilot.pause()


def as_at_home(picture: str, folder: Path) -> str:
    """The screenshot with a home instead of the folder, which may be cut anywhere."""
    real = str(folder / "stores")
    home = f"/home/zoe/{'everything-that-my-agents-keep'[: len(real) - 10]}"
    for end in range(len(real), len("/home/zoe"), -1):
        picture = picture.replace(real[:end], home[:end])
    return picture


def one_of(scene: Scene) -> Scene:
    """The scene at one size and in one theme."""
    return dataclasses.replace(scene, sizes=scene.sizes[:1], themes=scene.themes[:1])


async def made(scenes: Iterable[Scene]) -> dict[str, str]:
    """The screenshots of scenes, by file name."""
    with alone(SAMPLES):
        return {name: svg async for name, svg in pictures(SAMPLES, scenes)}


@contextmanager
def alone(folder: Path) -> Generator[None]:
    """Make a folder, and keep every other process that wants it waiting."""
    with folder.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        try:
            yield
        finally:
            shutil.rmtree(folder)


ALIKE = {
    "COLORTERM": "truecolor",
    "PYTHONUTF8": "1",
    "RECOLLECT_SCREENSHOTS": "alike",
    "TERM": "xterm-256color",
    "TZ": "UTC",
}
"""All that pictures may know of where they are made."""


def start_alike() -> None:
    """Start again in the same environment everywhere, unless this is it."""
    if "RECOLLECT_SCREENSHOTS" not in os.environ:
        os.umask(0o022)
        words = [sys.executable, "-m", "tests.screenshots", *sys.argv[1:]]
        os.execve(sys.executable, words, ALIKE | {"PATH": os.environ["PATH"]})  # noqa: S606  # itself


def main() -> int:
    """Make every picture and leave no other, or name those that differ."""
    start_alike()
    is_brief, checks = sys.argv[1:] == ["--check"], bool(sys.argv[1:])
    shown = asyncio.run(made(map(one_of, SCENES) if is_brief else SCENES))
    there = {path.name: path for path in FOLDER.glob("*x*.svg")}
    if checks:
        others = {name for name in there.keys() - shown.keys() if not is_brief}
        others |= {
            name
            for name, svg in shown.items()
            if name not in there or there[name].read_text("utf-8") != svg
        }
        if others:
            sys.stdout.write(
                f"{', '.join(sorted(others))} differ; run make screenshots\n"
            )
        return 1 if others else 0
    for path in there.values():
        path.unlink()
    for name, svg in shown.items():
        (FOLDER / name).write_text(svg, encoding="utf-8")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
