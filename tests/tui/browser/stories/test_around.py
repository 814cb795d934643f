"""Around a record: links of a hub, where it is seen, what is like it."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting
from tui.browser.facets.facet_pane import FacetPane
from tui.browser.panes import SeenPane


async def test_a_wide_screen_tells_where_a_memory_is_seen(library: Library) -> None:
    async with visiting(library, (200, 50)) as visit:
        await visit.ask('"Quarterly restore drill"')
        pane = visit.browser.query_one(SeenPane)
        seen = visit.pane("seen")
        assert seen[0].startswith("│ seen in")
        assert any("~ 0." in line for line in seen)

        before = visit.here
        pane.focus()
        await visit.press("j", "l")
        assert visit.here != before
        assert visit.query == ""
        await visit.press("H")
        assert visit.here == before

        await visit.ask("zzzzqqqq")
        assert "~ 0." not in visit.text, "of what is not there nothing is told"


async def test_a_screen_that_grows_tells_it_too(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.ask('"Quarterly restore drill"')
        await visit.pilot.resize_terminal(200, 50)
        await visit.settle()
        assert any("~ 0." in line for line in visit.pane("seen"))


async def test_a_narrow_one_tells_it_in_a_tab(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.ask('"Quarterly restore drill"')
        assert not visit.pane("seen")
        await visit.press("enter", "right_square_bracket", "right_square_bracket")
        assert visit.reader.tab == "seen"
        assert "alike" in "\n".join(visit.pane("reader"))


async def test_facets_come_and_go_with_the_room_for_them(library: Library) -> None:
    async with visiting(library, (149, 36)) as visit:
        assert not visit.browser.query(FacetPane)
        await visit.pilot.resize_terminal(150, 36)
        await visit.settle()
        facets = visit.browser.query_one(FacetPane)
        assert facets.display
        assert "vault" in "\n".join(visit.pane("facets"))

        await visit.press("F")
        await visit.pilot.resize_terminal(200, 36)
        await visit.settle()
        assert not facets.display


async def test_below_that_facets_lie_over_the_list(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        wide = visit.browser.query_one("#lists").region
        await visit.press("F")
        assert visit.browser.query_one("#lists").region == wide
        assert visit.pane("facets")[0].strip().startswith("stage")


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24)])
async def test_an_empty_list_says_why_however_small_the_screen_is(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await visit.ask("importance>2")
        told = " ".join(visit.text.split())
        assert "No memory matches `importance>2` – importance is 0…1 · esc" in told
        await visit.press("z")
        assert "No memory matches" in visit.text
        await visit.ask("zzyzx")
        await visit.press("3")
        assert "No episode matches `zzyzx`" in " ".join(visit.text.split())
        await visit.press("1")

        await visit.press("escape", "escape")
        assert visit.table.count() > 0
        assert "No memory matches" not in visit.text
