"""Stories of the list of memories."""

import re

from store.kinds.memories import Memory
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("way-between")
async def the_way_between_two_that_are_marked(visit: Visit) -> None:
    await visit.press("g", "p")
    assert "Mark two memories first, with space." in visit.status

    await visit.ask("glibc")
    await visit.press("space")
    await visit.ask("rollback|roll kilnbook")
    await visit.press("space", "g", "p")
    rows = visit.text
    assert "path between" in rows
    assert re.search(r"━[A-Z_]+━*▶ ", rows), "by which edge one comes is told"

    await visit.press("down", "enter")
    assert visit.query == ""
    assert isinstance(visit.here, Memory)


@story("into-links", size=(120, 36))
async def into_the_links_and_back(visit: Visit) -> None:
    await visit.press("l")
    assert visit.scope == "links"
    await visit.press("h")
    assert visit.scope == "memories"

    await visit.press("l")
    await visit.pilot.resize_terminal(80, 24)
    await visit.settle()
    assert visit.scope == "memories", "there is no such pane any more"
    assert visit.pane("hints")[0].startswith(" l links  ↵ read  / search")
    await visit.press("l")
    assert visit.scope == "links"
    assert "BUILDS_ON" in visit.text

    await visit.pilot.resize_terminal(120, 36)
    await visit.settle()
    assert visit.scope == "links"
    assert visit.reader.tab == "read"
    assert visit.titles[0][:20] in visit.pane("list-memories")[1], "it is back too"


@story("show-archived")
async def what_was_put_away_is_listed_or_not(visit: Visit) -> None:
    everything = visit.table.count()
    await visit.press("full_stop")
    kept = visit.table.count()
    assert kept < everything
    assert "archived" not in visit.status

    await visit.press("full_stop")
    assert visit.table.count() == everything
    assert "archived" in visit.status
