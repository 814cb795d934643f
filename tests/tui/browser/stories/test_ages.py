"""Ages are updated while time passes."""

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Writing
from tests.frames.shelf import NOW
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench

MINUTE = 60_000_000


async def test_a_record_changed_just_now_is_not_in_the_future(
    workbench: Workbench,
) -> None:
    chosen = beneath(workbench.library.stores.chosen, FORMATS).stores
    clock = [int(NOW.timestamp()) * 1_000_000]
    writing = Writing(workbench.places, clock=lambda: clock[0])
    with Library(workbench.places.catalogue, clock[0], writing=writing) as library:
        library.stores.choose(chosen)
        async with visiting(library, kept=workbench.kept) as visit:
            await visit.ask('"Memory 3" store:home')
            clock[0] += 90 * MINUTE
            await visit.press("t")
            await visit.type("+later")
            await visit.press("enter")
            assert "tagged" in visit.status
            assert visit.pane("list-memories")[1].endswith(" now")
            assert "updated now" in "\n".join(visit.pane("reader"))

            clock[0] += 5 * MINUTE
            visit.browser.parts.lists.pass_time()
            await visit.settle()
            assert visit.pane("list-memories")[1].endswith(" 5m")
