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


async def test_a_search_from_the_reader_shows_the_list_that_it_narrows(
    library: Library,
) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.press("enter")
        assert visit.scope == "reader"

        await visit.press("slash", *"redis")

        assert visit.table.sheet.size.height > 1
        assert any(visit.titles[0][:20] in row for row in visit.pane("lists"))


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_closing_the_filters_keeps_them(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await visit.press("F", "space")
        chosen = visit.query
        await visit.press("q")

        assert visit.query == chosen != ""
        assert not visit.browser.parts.facets.are_shown
        assert visit.table.sheet.has_focus
