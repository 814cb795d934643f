"""What every view looks like at every size, as text."""

import re
from collections.abc import AsyncGenerator, Sequence

from textual.pilot import Pilot

from store.library import Library
from tests.frames.shelf import at_home
from tests.project import ROOT
from tests.tui.browser.host import frame
from tui.browser.app import Browser
from tui.browser.bars import VIEWS, View
from tui.browser.layout import Outfit
from tui.themes import Chosen, Options, choose

SIZES = (
    (40, 12),
    (60, 16),
    (80, 24),
    (100, 30),
    (120, 36),
    (160, 45),
    (200, 50),
    (250, 70),
)
"""A step before and behind each width and height at which something changes place."""

SMALL = SIZES[2]

FOLDER = ROOT / "tests/tui/browser/frames"

TERMINAL = {"TERM": "xterm-256color", "COLORTERM": "truecolor", "LANG": "C.UTF-8"}
"""A terminal that knows all colours and glyphs."""

CHOSEN = choose(TERMINAL, None, Options())
"""How the program looks there."""

IN_ASCII = choose(TERMINAL, None, Options(is_ascii=True))

_STILL = 3
"""Turns of the screen after which scrollbars have followed."""

Size = tuple[int, int]


async def frames(library: Library) -> AsyncGenerator[tuple[str, str]]:
    """Every view at every size, and in ASCII at one, by name."""
    for size in SIZES:
        async for view, browser in visited(library, size):
            yield named(view, size), lasting(frame(browser))
    async for view, browser in visited(library, SMALL, IN_ASCII):
        yield f"{named(view, SMALL)}-ascii", lasting(frame(browser))


def named(view: View, size: Size) -> str:
    """The name of a frame."""
    return f"{view.label.lower()}-{size[0]}x{size[1]}"


async def visited(
    library: Library,
    size: Size,
    chosen: Chosen = CHOSEN,
    views: Sequence[View] = VIEWS,
) -> AsyncGenerator[tuple[View, Browser]]:
    """View after view, each once nothing moves any more."""
    browser = Browser(library, reads=False, outfit=Outfit(chosen=chosen))
    async with browser.run_test(size=size) as pilot:
        for view in views:
            await pilot.press(view.key)
            await _finished(browser, pilot)
            await browser.settled()
            await _finished(browser, pilot)
            await _at_rest(browser, pilot)
            yield view, browser


async def _at_rest(browser: Browser, pilot: Pilot[None]) -> None:
    """Wait until nothing moves any more, including scrollbars."""
    shown: list[str] = []
    for _ in range(_STILL):
        await pilot.pause()
    while shown != (now := frame(browser)):
        shown = now
        await _finished(browser, pilot)
        await pilot.pause()


async def _finished(browser: Browser, pilot: Pilot[None]) -> None:
    """Wait until no work for the screen is running."""
    while any(not worker.is_finished for worker in browser.workers):
        await pilot.pause()


def lasting(lines: Sequence[str]) -> str:
    """Lines without their varying parts, as one text."""
    return "".join(f"{steady(line).rstrip()}\n" for line in lines)


def steady(line: str) -> str:
    """A line without how long it took to find it, and without a scroll bar at its end.

    How long a bar is rests on how long texts seem that nobody has seen yet.
    """
    return TOOK.sub(_at_once, _BAR_END.sub(" ", at_home(line)))


TOOK = re.compile(r" *(?P<count>\S+ [·-]) [\d.]+ m?s$")
"""How many were found and how long it took, with the blanks before it."""

_BAR_END = re.compile(r"[▐|]$")


def _at_once(took: re.Match[str]) -> str:
    return f"{took['count']} 1 ms".rjust(len(took[0]))
