"""Stories of the links of a record."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("unfold", size=(80, 24))
async def where_there_is_no_room_the_graph_is_a_tab(visit: Visit) -> None:
    await visit.ask('"Quarterly restore drill"')
    await visit.press("right_square_bracket")
    assert visit.scope == "memories", "only what is read is another"
    drawn = visit.pane("links")
    assert "◉ PRC Quarterly restore drill" in "\n".join(drawn)
    assert drawn[1].startswith(" ┌◀━BUILDS_ON━━━")
    assert drawn[1].endswith(" 0.70 ✎"), "the edge has a file of its own"

    await visit.press("l")
    assert visit.scope == "links"
    graph = visit.browser.parts.layout.links
    rows = graph.lines.count()
    await visit.press("space")
    assert graph.lines.count() > rows
    assert visit.pane("links")[-1].startswith(" │  └"), "what lies beyond is in view"
    await visit.press("space")
    assert graph.lines.count() == rows

    await visit.press("enter")
    assert visit.scope == "links"
    assert len(visit.pane("reader")) == 1, "its title and no more"
    await visit.press("left_square_bracket")
    assert visit.scope == "reader"
    await visit.press("h")
    assert visit.scope == "memories"


@story("walk", "walk-back", size=(120, 36))
async def a_walk_along_the_links(visit: Visit) -> None:
    await visit.ask('"Quarterly restore drill"')
    begin = visit.here
    await visit.press("l")
    assert "◉ PRC Quarterly restore drill" in "\n".join(visit.pane("links"))

    await visit.press("l")
    assert visit.scope == "links"
    assert visit.here != begin
    second = visit.here
    assert visit.pane("reader")[0].startswith("─ Quarterly… → SOL ")
    await visit.press("enter")
    assert visit.here != second
    await visit.press("h")
    assert visit.here == second
    await visit.press("h")
    assert visit.here == begin
    assert visit.pane("reader")[0].startswith("─ PRC Quarterly restore")
    await visit.press("h", "h")
    assert visit.scope == "memories"
