"""Stories of the facets."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("toggle-facet", "negate-facet")
async def what_is_chosen_is_written_in_the_query(visit: Visit) -> None:
    everything = visit.table.count()
    await visit.press("F", "enter")
    assert visit.query == "stage:vault"
    assert visit.pane("query")[0].startswith("/ stage:vault")
    vault = visit.table.count()
    assert visit.pane("facets")[1][1:].startswith("✓◆ vault")

    await visit.press("enter")
    assert visit.query == ""
    await visit.press("minus")
    assert visit.query == "-stage:vault"
    assert visit.table.count() == everything - vault
    await visit.press("j", "space")
    assert visit.query == "-stage:vault stage:active"

    await visit.press("escape")
    assert visit.scope == "memories"
    assert not visit.browser.has_facets, "it lay over the list"
    assert visit.query == "-stage:vault stage:active"
