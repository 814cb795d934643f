"""Of keys pressed at once, each applies where the previous one led."""

from textual import events

from store.library import Library
from tests.tui.browser.stories.visit import visiting


async def test_keys_typed_after_opening_the_links_go_to_the_links(
    library: Library,
) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.ask('"Quarterly restore drill"')
        for key, character in (("l", "l"), ("space", " ")):
            visit.browser.post_message(events.Key(key, character))
        await visit.settle()

        assert visit.scope == "links"
        assert not visit.table.marks
        graph = visit.browser.parts.layout.links
        assert any("│  └" in line for line in visit.pane("links"))
        assert graph.lines.sheet.has_focus
