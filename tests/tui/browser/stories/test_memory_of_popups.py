"""Popups that were closed take no memory."""

import gc

from textual._styles_cache import StylesCache

from store.library import Library
from tests.tui.browser.stories.visit import visiting


def drawings() -> int:
    """How many widgets have drawn lines that are kept."""
    gc.collect()
    return sum(isinstance(one, StylesCache) for one in gc.get_objects())


async def test_popups_leave_nothing_that_they_drew(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("s", "escape")
        before = drawings()

        for _ in range(3):
            await visit.press("s", "down", "escape", "question_mark", "escape")

        assert drawings() <= before + 1
