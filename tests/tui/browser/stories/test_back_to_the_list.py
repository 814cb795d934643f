"""From whatever lies beside the list, one comes back to it."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting


@pytest.mark.parametrize("back", ["escape", "ctrl+g", "q", "1", "4"])
async def test_links_are_left_by_any_way_back(library: Library, back: str) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("l")
        assert visit.scope == "links"

        await visit.press(back)

        assert visit.table.has_focus


async def test_so_is_what_tells_where_it_was_seen(library: Library) -> None:
    async with visiting(library, (200, 50)) as visit:
        await visit.press("l", "tab")
        assert visit.browser.focused is visit.browser.query_one("#seen")

        await visit.press("escape")

        assert visit.table.has_focus
