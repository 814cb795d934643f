"""Stories of the query bar."""

import os
from pathlib import Path

from store.machine import Places
from store.settings import Settings
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.session import Kept


@story("query-accept", "query-history")
async def what_was_asked_before(visit: Visit) -> None:
    places = Places(*(Path(os.environ["XDG_RUNTIME_DIR"], name) for name in "csf"))
    visit.browser.parts.session.kept = Kept(Settings(), places)
    await visit.press("slash", "ctrl+r")
    assert "No earlier query." in visit.status
    await visit.type("redis")
    await visit.press("ctrl+r")
    assert "No earlier query like this." in visit.status
    await visit.press("enter")
    assert visit.scope == "memories"
    await visit.press("slash", "ctrl+u")
    await visit.type("glibc")
    await visit.press("enter")
    assert "list" not in visit.pane("hints")[0].split()

    await visit.press("slash", "ctrl+u", "ctrl+r")
    assert "↶ glibc" in visit.text
    assert "↶ redis" in visit.text
    await visit.press("down", "enter")
    assert visit.query == "redis"
    assert visit.scope == "query"


@story("query-complete")
async def the_word_is_completed(visit: Visit) -> None:
    await visit.press("slash")
    await visit.type("stage:va")
    await visit.press("tab")
    assert visit.query == "stage:vault "
    assert "◆" in visit.pane("list-memories")[1]
    assert visit.scope == "query"


@story("query-down", "query-up")
async def the_list_moves_while_one_types(visit: Visit) -> None:
    await visit.press("slash")
    await visit.type("the")
    await visit.press("down", "ctrl+n", "down", "up")
    assert visit.table.cursor == 2
    await visit.type("n")
    assert visit.query == "then"
    await visit.press("ctrl+p")
    assert visit.scope == "query"
