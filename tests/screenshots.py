"""The screenshots: `python -m tests.screenshots` rebuilds them."""

import asyncio
import re
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from store.demo import write as demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.project import ROOT
from tui.browser.app import Browser
from tui.browser.layout import Outfit
from tui.themes import DARK, LIGHT, Chosen, Colours

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
FOLDER = ROOT / "screenshots"
SIZES = ((80, 24), (120, 36), (200, 50))


@dataclass(frozen=True)
class Scene:
    """The keys before a screenshot."""

    name: str
    keys: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...] = SIZES
    theme: str = DARK


VIEWS = (
    Scene("memories", ("1", "j", "j")),
    Scene("edges", ("2", "j", "j")),
    Scene("episodes", ("3", "j", "j")),
    Scene("timeline", ("4", "k", "k")),
    Scene("journals", ("5", "j")),
    Scene("health", ("6", *"jjjjj", "l", "j")),
)

SCENES = (
    *VIEWS,
    *(Scene(f"light-{one.name}", one.keys, SIZES[1:2], LIGHT) for one in VIEWS),
    Scene("welcome", (":", *"welcome page", "enter"), SIZES[:2]),
    Scene("query", ("/", *"redis tag:kilnbook", "enter", "j")),
    Scene("nearly", ("/", *"conection timeuot", "enter"), SIZES[:1]),
    Scene("filters", ("1", "F", "j", "j", "space"), SIZES[:2]),
    Scene("palette", (":", *"lock"), SIZES[1:2]),
    Scene("keys", ("?",), SIZES[1:2]),
    Scene("transcript", ("4", "enter", "}", "}")),
    Scene("blame", ("/", *"postgres-17 type:project", "enter", "["), SIZES[1:2]),
)


async def picture(folder: Path, scene: Scene, size: tuple[int, int]) -> str:
    """The browser at a size, after some keys."""
    stores = demo.write(folder / "stores", NOW)
    catalogue = folder / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as library:
        library.stores.choose(beneath(stores, FORMATS).stores)
        library.sync()
        outfit = Outfit(chosen=Chosen(scene.theme, Colours.ALL, is_ascii=False))
        browser = Browser(library, reads=False, outfit=outfit)
        async with browser.run_test(size=size) as pilot:
            await settled(browser, pilot)
            for key in scene.keys:
                await pilot.press("space" if key == " " else key)
                await settled(browser, pilot)
            picture = browser.export_screenshot(title="recollect", simplify=True)
    # Each picture names its classes by a number of its own, and tells how long it took.
    picture = re.sub(r"terminal-\d+", "terminal", picture)
    return as_at_home(
        re.sub(r"·&#160;[\d.]+&#160;ms", "·&#160;2&#160;ms", picture), folder
    )


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


def main() -> None:
    """Make every picture, and leave no other."""
    for old in FOLDER.glob("*x*.svg"):
        old.unlink()
    for scene in SCENES:
        for size in scene.sizes:
            with tempfile.TemporaryDirectory() as folder:
                svg = asyncio.run(picture(Path(folder), scene, size))
            path = FOLDER / f"{scene.name}-{size[0]}x{size[1]}.svg"
            path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
