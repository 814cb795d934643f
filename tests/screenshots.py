"""The pictures of the program: `python -m tests.screenshots` makes them anew."""

import asyncio
import re
import tempfile
from datetime import UTC, datetime
from pathlib import Path

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.project import ROOT
from tui.browser.app import Browser

NOW = datetime(2026, 11, 18, 9, tzinfo=UTC)
SIZES = ((80, 24), (120, 36), (200, 50))
KEYS = ("1", "2")


async def picture(folder: Path, size: tuple[int, int], key: str) -> str:
    """What the browser looks like at a size, after a key."""
    stores = demo.write(folder / "stores", NOW)
    catalogue = folder / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as library:
        library.choose(beneath(stores, FORMATS).stores)
        library.sync()
        browser = Browser(library)
        async with browser.run_test(size=size) as pilot:
            await pilot.press(key, "j", "j")
            await pilot.pause()
            picture = browser.export_screenshot(title="recollect", simplify=True)
    # Each picture names its classes by a number of its own.
    return _as_at_home(re.sub(r"terminal-\d+", "terminal", picture), folder)


def _as_at_home(picture: str, folder: Path) -> str:
    """The picture with a home in place of the folder, which may be cut anywhere."""
    real = str(folder / "stores")
    home = f"/home/zoe/{'everything-that-my-agents-keep'[: len(real) - 10]}"
    for end in range(len(real), len("/home/zoe"), -1):
        picture = picture.replace(real[:end], home[:end])
    return picture


def main() -> None:
    """Make every picture."""
    for size in SIZES:
        for key in KEYS:
            with tempfile.TemporaryDirectory() as folder:
                svg = asyncio.run(picture(Path(folder), size, key))
            path = ROOT / "screenshots" / f"{NAMES[key]}-{size[0]}x{size[1]}.svg"
            path.write_text(svg, encoding="utf-8")


NAMES = {"1": "memories", "2": "edges"}

if __name__ == "__main__":
    main()
