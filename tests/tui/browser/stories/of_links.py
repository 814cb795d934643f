"""Stories of the links of a record."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.panes import LinksPane


@story("walk", "walk-back", "unfold", size=(120, 36))
async def a_walk_along_the_links(visit: Visit) -> None:
    await visit.ask('"Quarterly restore drill"')
    begin = visit.here
    await visit.press("l")
    assert "◉ PRC Quarterly restore drill" in "\n".join(visit.pane("links"))

    graph = visit.browser.query_one(LinksPane)
    rows = graph.count()
    await visit.press("space")
    assert graph.count() > rows
    await visit.press("space")
    assert graph.count() == rows

    await visit.press("l")
    assert visit.scope == "links"
    assert visit.here != begin
    second = visit.here
    await visit.press("enter")
    assert visit.here != second
    await visit.press("h")
    assert visit.here == second
    await visit.press("h")
    assert visit.here == begin
    await visit.press("h", "h")
    assert visit.scope == "memories"
