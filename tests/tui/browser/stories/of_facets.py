"""Stories of the facets."""

from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit


@story("toggle-facet", "negate-facet", "show-result")
async def what_is_chosen_is_written_in_the_query(visit: Visit) -> None:
    everything = visit.table.count()
    await visit.press("F", "space")
    assert visit.query == "stage:vault"
    assert visit.pane("query")[0].startswith("/ stage:vault")
    vault = visit.table.count()
    assert visit.pane("facets")[0].startswith(f"━ Filters ━ {vault} of {everything} ")
    assert visit.pane("facets")[2].startswith(" ✓◆ pinned")

    await visit.press("space")
    assert visit.query == ""
    await visit.press("minus")
    assert visit.query == "-stage:vault"
    assert visit.table.count() == everything - vault
    await visit.press("j", "space")
    assert visit.query == "-stage:vault stage:active"

    await visit.press("enter")
    assert visit.scope == "memories"
    assert not visit.browser.parts.facets.are_shown, "it was a page of its own"
    assert visit.query == "-stage:vault stage:active"
