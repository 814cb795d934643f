"""Around a record: links of a hub, mentions, similar memories."""

import pytest

from store.library import Library
from tests.tui.browser.stories.visit import visiting


async def test_a_wide_screen_shows_where_a_memory_is_mentioned(
    library: Library,
) -> None:
    async with visiting(library, (200, 50)) as visit:
        await visit.ask('"Quarterly restore drill"')
        pane = visit.browser.parts.layout.seen
        seen = visit.pane("seen")
        assert seen[0].startswith("│─ Related ─")
        assert any("~ 0." in line for line in seen)

        before = visit.here
        pane.lines.sheet.focus()
        await visit.press("j", "l")
        assert visit.here != before
        assert visit.query == ""
        await visit.press("H")
        assert visit.here == before

        await visit.ask("zzzzqqqq")
        assert "~ 0." not in visit.text, "of what is not there nothing is told"


async def test_a_screen_that_grows_shows_it_too(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.ask('"Quarterly restore drill"')
        await visit.pilot.resize_terminal(200, 50)
        await visit.settle()
        assert any("~ 0." in line for line in visit.pane("seen"))


async def test_a_narrow_screen_shows_it_in_a_tab(library: Library) -> None:
    async with visiting(library, (80, 24)) as visit:
        await visit.ask('"Quarterly restore drill"')
        assert not visit.pane("seen")
        await visit.press("enter", "right_square_bracket", "right_square_bracket")
        assert visit.reader.tab == "related"
        assert "similar" in "\n".join(visit.pane("reader"))


async def test_facets_appear_and_disappear_with_their_room(library: Library) -> None:
    async with visiting(library, (149, 36)) as visit:
        assert not visit.browser.query("#facets")
        await visit.pilot.resize_terminal(150, 36)
        await visit.settle()
        facets = visit.browser.query_one("#facets")
        assert facets.display
        assert "pinned" in "\n".join(visit.pane("facets"))

        await visit.press("F", "F")
        await visit.pilot.resize_terminal(200, 36)
        await visit.settle()
        assert not facets.display


@pytest.mark.parametrize("width", [40, 80, 119])
async def test_on_small_screens_filters_are_a_page(
    library: Library, width: int
) -> None:
    async with visiting(library, (width, 24)) as visit:
        await visit.press("F")
        assert visit.browser.query_one("#facets").region.width == width
        assert visit.pane("facets")[1].strip().startswith("stage")
        assert visit.pane("facets")[0].startswith("━ Filters ━ ")

        await visit.press("enter")
        assert not visit.browser.parts.facets.are_shown


@pytest.mark.parametrize("width", [120, 149, 150, 200])
async def test_on_wide_screens_filters_push_the_list(
    library: Library, width: int
) -> None:
    async with visiting(library, (width, 36)) as visit:
        await visit.press("F")
        filters, lists = (
            visit.browser.query_one(pane).region for pane in ("#facets", "#lists")
        )
        assert filters.right == lists.x
        title = visit.titles[0][:20]
        assert title in "\n".join(visit.pane("lists")), "it can be read"

        await visit.press("enter")
        assert visit.browser.parts.facets.are_shown
        assert visit.scope == "memories"


@pytest.mark.parametrize("size", [(80, 24), (120, 36)])
async def test_escape_takes_filters_back(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await visit.ask("redis")
        await visit.press("F", "space", "j", "minus")
        assert visit.query.startswith("redis ")

        await visit.press("escape")
        assert visit.query == "redis"
        assert visit.scope == "memories"

        await visit.press("F", "space", "enter", "F")
        kept = visit.query
        await visit.press("j", "space", "escape")
        assert visit.query == kept != "redis"


async def test_an_empty_list_says_which_views_have_matches(library: Library) -> None:
    async with visiting(library, (120, 36)) as visit:
        await visit.ask("redis timeout")
        memories = visit.table.count()
        assert memories
        await visit.press("8")
        _, reason, *others = visit.pane("list-messages")
        assert reason.strip() == "No message matches `redis timeout` · esc clears"
        assert f"Matches elsewhere: Memories {memories} (key 1) ·" in others[0]
        assert not "".join(visit.pane("reader")).strip("─ ")

        await visit.ask("postgers")
        assert "Similar titles elsewhere: Memories" in visit.text
        await visit.ask("redis timeout is:orphan")
        assert "Matches elsewhere" not in visit.text.partition("Memories")[0]
        await visit.press("1")
        assert visit.query.startswith("redis timeout")


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24)])
async def test_an_empty_list_says_why_at_any_size(
    library: Library, size: tuple[int, int]
) -> None:
    async with visiting(library, size) as visit:
        await visit.ask("importance>2")
        told = " ".join(visit.text.split())
        assert "No memory matches `importance>2` – importance is 0…1 · esc" in told
        assert told.count("No memory matches") == 1
        await visit.pilot.resize_terminal(size[0], 9)
        await visit.settle()
        assert visit.text.count("No memory matches") == 1
        await visit.pilot.resize_terminal(*size)
        await visit.settle()
        await visit.press("z")
        assert "No memory matches" in visit.text
        await visit.ask("zzyzx")
        await visit.press("3")
        assert "No episode matches `zzyzx`" in " ".join(visit.text.split())
        await visit.press("5")
        assert "No metric matches `zzyzx`" in " ".join(visit.text.split())
        await visit.press("1")

        await visit.press("escape", "escape")
        assert visit.table.count() > 0
        assert "No memory matches" not in visit.text
