"""Stories of the welcome page."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("welcome", "welcome-close", size=(80, 24))
async def the_page_comes_back_by_name(visit: Visit) -> None:
    before = visit.screen
    await visit.press("colon")
    await visit.type("welcome")
    await visit.press("enter")
    assert visit.pane("welcome")[0].startswith("━ Welcome ━")
    assert "◐ fading" in visit.text

    await visit.press("escape")
    assert visit.screen[2:] == before[2:]


@story("welcome-stores", size=(80, 24))
async def the_stores_that_were_found(visit: Visit) -> None:
    await visit.press("colon")
    await visit.type("welcome")
    await visit.press("enter", "s")
    assert "All stores" in visit.text
    await visit.press("escape")
    assert "Welcome" in visit.text, "it was only looked at"

    await visit.press("s")
    await visit.type("homelab")
    await visit.press("enter")
    assert "Welcome" not in visit.text
    assert (
        "homelab"
        in visit.browser.parts.session.names[
            next(iter(visit.browser.parts.session.stores))
        ]
    )
