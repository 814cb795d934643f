"""Keys of one's own hold everywhere: pressed, hinted, explained."""

from store.library import Library
from tests.frames.drawn import CHOSEN
from tests.tui.browser.stories.visit import visiting
from tui.browser.framed import Outfit
from tui.commands.registry import NEEDED, REGISTRY
from tui.keys.remap import Wanted, remap


async def test_a_command_has_the_key_that_was_wanted(library: Library) -> None:
    wanted: Wanted = {"filter": (["\\"], 1), "top": (["T"], 2), "theme": ([], 3)}
    keymap = remap(REGISTRY.usual_keys, wanted, NEEDED).keymap
    async with visiting(library, outfit=Outfit(keymap, CHOSEN)) as visit:
        assert "\\ filter" in visit.pane("hints")[0]
        await visit.press("j", "j", "T")
        assert visit.table.cursor == 0

        await visit.press("backslash")
        await visit.type("redis")
        await visit.press("enter")
        assert visit.query == "redis"
        await visit.press("escape", "question_mark")
        await visit.type("filter")
        assert "\\  Filter" in visit.text
