"""Who waits for a list while something else is wished for goes on, and so do keys."""

import asyncio
from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.catalogue.stores import cognitive
from tui.browser.app import Browser


async def test_who_waits_is_not_given_up_with_what_was_wished_for(
    tmp_path: Path,
) -> None:
    store = cognitive(tmp_path / "store", 3)
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.choose(beneath([store], FORMATS).stores)
        library.sync()
        browser = Browser(library, reads=False)
        async with browser.run_test(size=(100, 30)) as pilot:
            await pilot.pause()
            waiting = asyncio.create_task(browser.looked())
            await asyncio.sleep(0)
            browser.look()

            await waiting
            await browser.settled()

            assert browser.table.count() == 3


async def test_what_goes_wrong_while_one_leaves_is_no_failure(tmp_path: Path) -> None:
    store = cognitive(tmp_path / "store", 3)
    with Library(tmp_path / "catalogue.db", 0) as library:
        library.choose(beneath([store], FORMATS).stores)
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
    """As a worker that finds its pane gone."""
    await left.wait()
    browser.base.query_one("#nowhere")
