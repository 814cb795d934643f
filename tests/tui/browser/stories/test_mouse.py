"""Everything that can be pressed can be clicked."""

from textual import events
from textual.widget import Widget

from store.kinds.memories import Memory
from store.library import Library
from tests.tui.browser.stories.visit import Visit, visiting


async def test_tabs_rows_column_titles_and_hints_are_clicked(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.click("list-memories", 10, 4)
        assert visit.table.cursor == 3
        assert visit.titles[3][:20] in visit.pane("reader")[0]

        await visit.click("list-memories", 0, 2)
        assert "✓ 1" in visit.status

        head = visit.pane("list-memories")[0]
        await visit.click("list-memories", head.index("newest first"), 0)
        assert "title ▲" in visit.pane("list-memories")[0]
        await visit.click("list-memories", head.index("newest first"), 0)
        assert "title ▼" in visit.pane("list-memories")[0]

        await visit.click("tabs", visit.screen[0].index("6 Hea"), 0)
        assert visit.browser.parts.lists.kind == "problems"
        await visit.click("hints", visit.screen[-1].index("search"), 0)
        assert visit.scope == "query"


async def test_the_state_is_clicked(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.click("tabs", visit.screen[0].index("read-only"), 0)
        assert "This session is read-only" in visit.status


async def test_a_clicked_stage_filters_the_list(library: Library) -> None:
    async with visiting(library) as visit:
        row = visit.status.splitlines()[-1]
        await visit.click("status", row.index("fading"), 0)
        assert visit.browser.parts.lists.text == "stage:fading"
        assert 0 < visit.table.count() < 226


async def test_two_clicks_open_a_row_and_one_closes_a_popup(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.click("list-memories", 10, 2, times=2)
        assert visit.scope == "reader"
        assert visit.table.cursor == 1

        await visit.press("q", "s")
        assert "sort by" in visit.text
        await visit.pilot.click(offset=(1, 1))
        await visit.settle()
        assert "sort by" not in visit.text
        assert "sort" in visit.screen[-1]


async def test_a_fast_double_click_leaves_only_the_popup(
    library: Library,
) -> None:
    async with visiting(library) as visit:
        await visit.press("s")
        over = visit.browser.screen
        for _ in range(2):
            one = events.Click(over, 1, 1, 0, 0, 1, False, False, False, 1, 1)  # noqa: FBT003  # as terminals report it
            over.post_message(one)
        await visit.settle()

        assert "sort by" not in visit.text
        assert visit.browser.failure == ""
        await visit.press("j")
        assert visit.table.cursor == 1


async def test_the_wheel_scrolls_what_is_under_the_pointer(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        first = visit.table.cursor_key
        await _wheel(visit, "list-memories")
        assert visit.table.first == 3
        assert visit.table.cursor_key == first

        before = visit.pane("reader")
        await _wheel(visit, "reader")
        assert visit.pane("reader") != before
        assert visit.table.first == 3


async def test_a_facet_and_a_tag_are_clicked(library: Library) -> None:
    async with visiting(library, (160, 40)) as visit:
        facets = visit.pane("facets")
        row = next(at for at, line in enumerate(facets) if "◐ fading" in line)
        await visit.click("facets", 6, row)
        assert visit.query == "stage:fading"
        assert {getattr(visit.here, "stage", None)} == {"fading"}
        facets = visit.pane("facets")
        row = next(at for at, line in enumerate(facets) if "◐ fading" in line)
        await visit.click("facets", 6, row)
        assert visit.query == ""

        reader = visit.pane("reader")
        row = next(at for at, line in enumerate(reader) if line.startswith(" #"))
        await visit.click("reader", 4, row)
        assert visit.query.startswith("tag")
        assert isinstance(visit.here, Memory)
        tags = {tag.casefold() for tag in visit.here.tags}
        assert visit.query.rpartition(":")[2] in tags


async def test_a_link_is_clicked(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        before = visit.here
        links = visit.pane("links")
        row = next(at for at, line in enumerate(links) if "BUILDS_ON" in line)
        await visit.click("links", 25, row, times=2)
        assert visit.here != before


async def _wheel(visit: Visit, pane: str) -> None:
    """One step of the wheel above a pane."""
    widget = visit.browser.parts.display.base.query_one(f"#{pane}", Widget)
    turn = events.MouseScrollDown(widget, 1, 1, 0, 1, 0, False, False, False)  # noqa: FBT003  # as terminals report it
    widget.post_message(turn)
    await visit.settle()
