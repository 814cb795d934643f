"""The pictures of the program: `python -m tests.screenshots` makes them anew."""

import asyncio
import re
import tempfile
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.project import ROOT
from tui.browser.app import Browser
from tui.browser.framed import Outfit
from tui.themes.choice import DARK, LIGHT, Chosen, Colours

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
SIZES = ((80, 24), (120, 36), (200, 50))


@dataclass(frozen=True)
class Scene:
    """What is pressed before a picture is taken."""

    name: str
    keys: tuple[str, ...]
    sizes: tuple[tuple[int, int], ...] = SIZES
    theme: str = DARK


SCENES = (
    Scene("memories", ("1", "j", "j")),
    Scene("edges", ("2", "j", "j")),
    Scene("query", ("/", *"redis tag:kilnbook", "enter", "j")),
    Scene("nearly", ("/", *"conection timeuot", "enter"), SIZES[:1]),
    Scene("palette", (":", *"lock"), SIZES[1:2]),
    Scene("keys", ("?",), SIZES[1:2]),
    Scene("health", ("6", "j"), SIZES[1:2]),
    Scene("episodes", ("3", "j", "j")),
    Scene("timeline", ("4", "k", "k")),
    Scene("transcript", ("4", "k", "k", "enter", "}")),
    Scene("journals", ("5", "j")),
    Scene("blame", ("1", "j", "[", "["), SIZES[1:2]),
    Scene("light", ("1", "j", "j"), SIZES[1:2], LIGHT),
)


async def picture(folder: Path, scene: Scene, size: tuple[int, int]) -> str:
    """What the browser looks like at a size, after some keys."""
    stores = demo.write(folder / "stores", NOW)
    catalogue = folder / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as library:
        library.choose(beneath(stores, FORMATS).stores)
        library.sync()
        outfit = Outfit(chosen=Chosen(scene.theme, Colours.ALL, is_ascii=False))
        browser = Browser(library, reads=False, outfit=outfit)
        async with browser.run_test(size=size) as pilot:
            await _settle(browser, pilot)
            for key in scene.keys:
                await pilot.press("space" if key == " " else key)
                await _settle(browser, pilot)
            picture = browser.export_screenshot(title="recollect", simplify=True)
    # Each picture names its classes by a number of its own.
    return _as_at_home(re.sub(r"terminal-\d+", "terminal", picture), folder)


async def _settle(browser: Browser, pilot: Pilot[None]) -> None:
    """Until everything that was asked for is on the screen."""
    await pilot.pause()
    await browser.settled()
    while any(not worker.is_finished for worker in browser.workers):
        await pilot.pause()
    await pilot.pause()


def _as_at_home(picture: str, folder: Path) -> str:
    """The picture with a home in place of the folder, which may be cut anywhere."""
    real = str(folder / "stores")
    home = f"/home/zoe/{'everything-that-my-agents-keep'[: len(real) - 10]}"
    for end in range(len(real), len("/home/zoe"), -1):
        picture = picture.replace(real[:end], home[:end])
    return picture


def main() -> None:
    """Make every picture."""
    for scene in SCENES:
        for size in scene.sizes:
            with tempfile.TemporaryDirectory() as folder:
                svg = asyncio.run(picture(Path(folder), scene, size))
            path = ROOT / "screenshots" / f"{scene.name}-{size[0]}x{size[1]}.svg"
            path.write_text(svg, encoding="utf-8")


if __name__ == "__main__":
    main()
