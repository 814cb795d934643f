"""Stories of popups."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("choose", "choice-down", "choice-up", "choices-page-down", "choices-page-up")
async def a_choice_among_many(visit: Visit) -> None:
    await visit.press("s")
    await visit.press("down", "ctrl+n", "tab", "up")
    await visit.press("enter")
    assert visit.browser.parts.lists.order.name == "accessed"

    await visit.press("s", "pagedown", "pageup", "ctrl+p", "enter")
    assert visit.browser.parts.lists.order.name == "updated"
    await visit.press("s", "down", "escape")
    assert visit.browser.parts.lists.order.name == "updated"
