"""A visit to the browser: what one presses, and what is then on the screen."""

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
from tui.browser.framed import Outfit
from tui.browser.kept import Kept
from tui.browser.panes import ReadingPane
from widgets.columns.table import Table

USUAL = (100, 30)

_PATIENCE = 60.0
"""Seconds after which what is waited for is taken not to come."""


class Visit:
    """Somebody sits before the browser."""

    def __init__(self, browser: Browser, pilot: Pilot[None]) -> None:
        self.browser = browser
        self.pilot = pilot

    async def press(self, *keys: str) -> None:
        """Press keys, and wait until all that follows is on the screen."""
        await self.pilot.press(*keys)
        await self.settle()

    async def type(self, text: str) -> None:
        """Type a text, all of it at once."""
        self.browser.post_message(events.Paste(text))
        await self.settle()

    async def ask(self, text: str) -> None:
        """Ask for something else."""
        self.browser.ask_for(text)
        await self.settle()

    async def click(self, pane: str, x: int, y: int, times: int = 1) -> None:
        """Click into a pane."""
        await self.pilot.click(f"#{pane}", offset=(x, y), times=times)
        await self.settle()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something is so that comes from outside."""
        async with asyncio.timeout(_PATIENCE):
            while not holds():
                await self.settle()

    async def settle(self) -> None:
        """Until nothing is going on any more."""
        await self.pilot.pause()
        await self.browser.settled()
        while any(not worker.is_finished for worker in self.browser.workers):
            await self.pilot.pause()
            await self.browser.settled()
        await self.pilot.pause()

    @property
    def scope(self) -> str:
        """Where keys go."""
        return self.browser.scope.value

    @property
    def table(self) -> Table[Any]:
        """The list."""
        return self.browser.table

    @property
    def here(self) -> Record:
        """The record at the cursor."""
        record = self.table.at_cursor
        assert record is not None
        return record

    @property
    def screen(self) -> list[str]:
        """All that is on the screen."""
        return frame(self.browser)

    @property
    def text(self) -> str:
        """The same in one."""
        return "\n".join(self.screen)

    def pane(self, name: str) -> list[str]:
        """What is on the screen where a pane is."""
        region = self.browser.base.query_one(f"#{name}", Widget).region
        rows = self.screen[region.y : region.bottom]
        return [row[region.x : region.right].rstrip() for row in rows]

    @property
    def status(self) -> str:
        """The line that tells what has just happened."""
        return self.pane("status")[0]

    @property
    def reader(self) -> ReadingPane:
        """The pane in which one reads."""
        return self.browser.base.query_one(ReadingPane)

    @property
    def copied(self) -> str:
        """What was copied last: it is always written into a file too."""
        clip = Path(os.environ["XDG_RUNTIME_DIR"], "recollect-clip")
        return clip.read_text(encoding="utf-8")

    @property
    def query(self) -> str:
        """What is asked."""
        return self.browser.text

    @property
    def titles(self) -> list[str]:
        """What the records in view are called."""
        page = self.table.rows.page(
            self.table.first, self.table.first + self.table.room
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
    """The browser, open at a size, with everything shown that is known."""
    browser = Browser(
        library, reads=reads, kept=kept, outfit=outfit or Outfit(chosen=CHOSEN)
    )
    async with browser.run_test(size=size) as pilot:
        visit = Visit(browser, pilot)
        await visit.settle()
        yield visit
