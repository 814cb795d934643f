"""The way back to the list from any pane."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting


@pytest.mark.parametrize("back", ["escape", "ctrl+g", "q", "1", "4"])
async def test_links_can_be_left_in_every_way(library: Library, back: str) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("l")
        assert visit.scope == "links"

        await visit.press(back)

        assert visit.table.sheet.has_focus


async def test_mentions_can_be_left_in_every_way(library: Library) -> None:
    async with visiting(library, (200, 50)) as visit:
        await visit.press("l", "tab")
        assert visit.browser.focused is visit.browser.query_one("#seen")

        await visit.press("escape")

        assert visit.table.sheet.has_focus
