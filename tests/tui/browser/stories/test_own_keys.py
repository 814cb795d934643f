"""The user's own keys work everywhere: pressed, hinted, explained."""

from store.library import Library
from tests.frames.drawn import CHOSEN
from tests.tui.browser.stories.visit import visiting
from tui.browser.layout import Outfit
from tui.commands.registry import NEEDED, REGISTRY
from tui.keys import Wanted, remap


async def test_a_command_has_the_key_of_the_settings(library: Library) -> None:
    wanted: Wanted = {"filter": (["\\"], 1), "top": (["T"], 2), "theme": ([], 3)}
    keymap = remap(REGISTRY.usual_keys, wanted, NEEDED).keymap
    async with visiting(library, outfit=Outfit(keymap, CHOSEN)) as visit:
        assert "\\ search" in visit.pane("hints")[0]
        await visit.press("j", "j", "T")
        assert visit.table.cursor == 0

        await visit.press("backslash")
        await visit.type("redis")
        await visit.press("enter")
        assert visit.query == "redis"
        await visit.press("escape", "question_mark")
        await visit.type("filter")
        assert "\\  Search" in visit.text


async def test_a_refused_key_is_reported_with_its_line_until_the_next_key(
    library: Library,
) -> None:
    why = (
        "config.toml:2: 'n' is already used for 'next-hit'; "
        "give that command another key first."
    )
    outfit = Outfit(chosen=CHOSEN, complaints=(why,))
    async with visiting(library, outfit=outfit) as visit:
        assert visit.pane("first") == [f" {why}"]
        await visit.press("j")
        assert visit.pane("first") == [f" {why}"]
        await visit.press("s")
        assert not visit.pane("first")


async def test_messages_at_the_top_make_room_for_rows_on_small_screens(
    library: Library,
) -> None:
    outfit = Outfit(chosen=CHOSEN, complaints=("a · b · " + "c" * 60,))
    async with visiting(library, (60, 16), outfit=outfit) as visit:
        assert visit.pane("first") == [" a · b"]
    async with visiting(library, (40, 12), outfit=outfit) as visit:
        assert not visit.pane("first")
