"""Stories of the list of edges."""

from store.kinds.edges import Edge
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("view-edges", "go-to-end", "go-to-start")
async def from_an_edge_to_either_end(visit: Visit) -> None:
    await visit.press("2")
    edge = visit.here
    assert isinstance(edge, Edge)
    assert edge.type in visit.pane("list-edges")[1]

    await visit.press("l")
    assert visit.here.ref == edge.to
    await visit.press("H", "h")
    assert visit.here.ref == edge.from_
