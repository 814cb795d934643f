"""A visit to the browser: keys pressed, and the screen afterwards."""

import asyncio
import os
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from textual import events
from textual.pilot import Pilot
from textual.widget import Widget

from store.library import Library, Record
from tests.frames.drawn import CHOSEN
from tests.tui.browser.host import frame
from tui.browser.app import Browser
from tui.browser.layout import Outfit
from tui.browser.session import Kept
from widgets.lines import Lines
from widgets.reader import Reader

USUAL = (100, 30)

_PATIENCE = 60.0
"""Seconds after which what is waited for is taken not to come."""


class Visit:
    """A user at the browser."""

    def __init__(self, browser: Browser, pilot: Pilot[None]) -> None:
        self.browser = browser
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until their effect is on the screen."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type a text at once."""
        self.browser.post_message(events.Paste(text))
        await self.settle()

    async def ask(self, text: str) -> None:
        """Replace the query."""
        self.browser.parts.lists.ask_for(text)
        await self.settle()

    async def click(self, pane: str, x: int, y: int, times: int = 1) -> None:
        """Click into a pane."""
        await self.pilot.click(f"#{pane}", offset=(x, y), times=times)
        await self.settle()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition from outside holds."""
        async with asyncio.timeout(_PATIENCE):
            while not holds():
                await self.settle()

    async def begun(self) -> None:
        """Wait until what the browser does after its first rows has begun."""
        drawn, screen = asyncio.Event(), self.browser.screen
        self.browser.call_after_refresh(drawn.set)
        await self.until(lambda: drawn.is_set() or screen is not self.browser.screen)
        await self.settle()

    async def settle(self) -> None:
        """Wait until the browser is idle."""
        await self.pilot.pause()
        await self.browser.settled()
        while any(not worker.is_finished for worker in self.browser.workers):
            await self.pilot.pause()
            await self.browser.settled()
        await self.pilot.pause()

    @property
    def scope(self) -> str:
        """The scope that gets the keys."""
        return self.browser.parts.focus.scope.value

    @property
    def table(self) -> Lines[Any]:
        """The list."""
        return self.browser.parts.lists.table

    @property
    def here(self) -> Record:
        """The record at the cursor."""
        record = self.table.at_cursor
        assert record is not None
        return record

    @property
    def screen(self) -> list[str]:
        """The lines on the screen."""
        return frame(self.browser)

    @property
    def text(self) -> str:
        """The same as one text."""
        return "\n".join(self.screen)

    def pane(self, name: str) -> list[str]:
        """The lines on the screen within a pane, without its scroll bar."""
        region = self.browser.parts.display.base.query_one(f"#{name}", Widget).region
        rows = self.screen[region.y : region.bottom]
        return [row[region.x : region.right].rstrip(" ▐") for row in rows]

    @property
    def status(self) -> str:
        """The status line, with the last message."""
        return self.pane("status")[0]

    @property
    def reader(self) -> Reader:
        """The reader pane."""
        return self.browser.parts.layout.reader

    @property
    def copied(self) -> str:
        """The last copied text, from its file."""
        clip = Path(os.environ["XDG_RUNTIME_DIR"], "recollect-clip")
        return clip.read_text(encoding="utf-8")

    @property
    def query(self) -> str:
        """The current query."""
        return self.browser.parts.lists.text

    @property
    def found(self) -> int:
        """The number of records found; rows of the list may stand for several."""
        found = self.browser.parts.lists.listing.found
        return len(found.rows) if found else 0

    @property
    def titles(self) -> list[str]:
        """The titles of the records in view."""
        page = self.table.rows.page(
            self.table.first, self.table.first + self.table.sheet.room
        )
        return [getattr(record, "title", "") for record in page]


@asynccontextmanager
async def visiting(
    library: Library,
    size: tuple[int, int] = USUAL,
    *,
    kept: Kept | None = None,
    outfit: Outfit | None = None,
    reads: bool = False,
) -> AsyncGenerator[Visit]:
    """The browser at a size, with all known data shown."""
    browser = Browser(
        library, reads=reads, kept=kept, outfit=outfit or Outfit(chosen=CHOSEN)
    )
    async with browser.run_test(size=size) as pilot:
        visit = Visit(browser, pilot)
        await visit.settle()
        await visit.begun()
        yield visit
