"""Of keys pressed at once, each applies where the previous one led."""

from textual import events

from store.library import Library
from tests.tui.browser.stories.visit import visiting
from tui.browser.app import Browser


class Awaited(Browser):
    """Gets its first key before anything is shown."""

    def on_load(self) -> None:
        super().on_load()
        self.post_message(events.Key("j", "j"))


async def test_keys_typed_before_the_first_rows_move_in_them(library: Library) -> None:
    browser = Awaited(library, reads=False)
    async with browser.run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        await browser.settled()

        assert browser.parts.lists.table.cursor == 1


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
