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


@story("menu-down", "menu-up")
async def letters_move_in_a_short_menu_while_nothing_is_typed(visit: Visit) -> None:
    await visit.press("s", "j", "j", "k", "enter")
    assert visit.browser.parts.lists.order.name == "created"

    await visit.press("s", *"path", "j", "k")
    assert "> pathjk" in visit.text


@story("other-project")
async def another_project_for_what_agents_read(visit: Visit) -> None:
    await visit.press("g", "a", "ctrl+o")
    assert "choose a project" in visit.text
    await visit.press("enter")
    assert "homelab, " in visit.text.partition("what agents read first")[0]
