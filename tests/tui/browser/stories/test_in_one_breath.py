"""Keys that are pressed in one breath are each meant for where the one before led."""

from textual import events

from store.library import Library
from tests.tui.browser.stories.visit import visiting
from tui.browser.panes import LinksPane


async def test_the_links_hear_what_is_pressed_behind_the_key_that_leads_there(
    library: Library,
) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.ask('"Quarterly restore drill"')
        for key, character in (("l", "l"), ("space", " ")):
            visit.browser.post_message(events.Key(key, character))
        await visit.settle()

        assert visit.scope == "links"
        assert not visit.table.marks
        graph = visit.browser.query_one(LinksPane)
        assert any("│  └" in line for line in visit.pane("links"))
        assert graph.has_focus
