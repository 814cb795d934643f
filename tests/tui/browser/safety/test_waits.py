"""Waiting for a list continues when a newer request replaces it."""

import asyncio
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.catalogue.stores import cognitive
from tests.tui.browser.stories.visit import visiting
from tui.browser.app import Browser


async def test_waiting_continues_when_a_newer_query_replaces_the_old(
    tmp_path: Path,
) -> None:
    store = cognitive(tmp_path / "store", 3)
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        library.sync()
        async with visiting(library) as visit:
            lists = visit.browser.parts.lists
            waiting = asyncio.create_task(lists.looked())
            await asyncio.sleep(0)
            lists.look()

            await waiting
            await visit.settle()

            assert visit.table.count() == 3


async def test_a_failure_during_quitting_is_not_reported(tmp_path: Path) -> None:
    store = cognitive(tmp_path / "store", 3)
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        library.sync()
        browser = Browser(library, reads=False)
        async with browser.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            left = asyncio.Event()
            browser.run_worker(_late(browser, left))
            await pilot.pause()
            browser.exit(return_code=0)
            left.set()
            await pilot.pause()

        assert browser.return_code == 0
        assert browser.failure == ""


async def _late(browser: Browser, left: asyncio.Event) -> None:
    """Like a worker whose pane is gone."""
    await left.wait()
    browser.parts.display.base.query_one("#nowhere")
