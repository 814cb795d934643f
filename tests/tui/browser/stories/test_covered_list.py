"""Filters that cover the list close when the focus or the view leaves them."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench

SMALL = (80, 24)


@pytest.mark.parametrize(
    ("keys", "scope"),
    [
        (("slash",), "query"),
        (("slash", "r", "e", "d", "i", "s", "enter"), "memories"),
        (("2",), "edges"),
        (("tab",), "memories"),
        (("g", "v"), "memories"),
    ],
)
async def test_what_leaves_the_filters_shows_the_list(
    library: Library, keys: tuple[str, ...], scope: str
) -> None:
    async with visiting(library, SMALL) as visit:
        await visit.press("F")
        assert visit.scope == "facets"
        assert "Filters" in visit.text
        await visit.press(*keys)

        assert visit.scope == scope
        assert "Filters" not in visit.text
        assert not visit.browser.parts.facets.are_shown


async def test_a_change_never_reaches_a_list_behind_filters(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, SMALL, kept=workbench.kept) as visit:
        await visit.press("F", "p")
        assert "does nothing here" in visit.status
        await visit.press("slash", "enter", "p")
        assert "pinned" in visit.status
        assert any(getattr(visit.here, "title", "")[:8] in row for row in visit.screen)


async def test_esc_takes_filters_back_though_a_popup_was_open(
    library: Library,
) -> None:
    async with visiting(library, SMALL) as visit:
        await visit.press("F", "space")
        assert visit.query == "stage:vault"
        await visit.press("question_mark", "escape")
        assert visit.scope == "facets"
        await visit.press("escape")

        assert visit.query == ""
        assert visit.scope == "memories"


async def test_filters_beside_the_list_do_not_cover_it_in_a_smaller_terminal(
    library: Library,
) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.press("F", "tab")
        assert visit.browser.parts.facets.are_shown
        await visit.pilot.resize_terminal(*SMALL)
        await visit.settle()
        assert "Filters" not in visit.text
        await visit.pilot.resize_terminal(120, 36)
        await visit.settle()

        assert "Filters" in visit.text
