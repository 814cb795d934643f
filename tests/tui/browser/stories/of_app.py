"""Stories of commands in every view."""

from store.kinds.memories import Memory
from tests.tui.browser.stories.telling import story
from tests.tui.browser.stories.visit import Visit
from tui.browser.bars import VIEWS
from tui.commands.command import Scope


@story(*(f"view-{view.kind}" for view in VIEWS if view.kind != "edges"))
async def a_number_for_every_kind(visit: Visit) -> None:
    for view in VIEWS:
        await visit.press(view.key)
        assert visit.browser.parts.lists.kind == view.kind
        count = visit.found
        assert f" {count}/{count} · " in visit.screen[1]
        assert count > 0
        assert any(line.strip() for line in visit.pane("side")[1:])


@story("filter", "saved-queries", "save-query")
async def the_list_follows_every_letter(visit: Visit) -> None:
    everything = visit.table.count()
    counts: list[int] = []
    await visit.press("slash")
    for letter in "redis":
        await visit.press(letter)
        counts.append(visit.table.count())
    assert counts == sorted(counts, reverse=True)
    assert 0 < counts[-1] < everything

    await visit.press("enter", "escape")
    assert visit.table.count() == everything
    await visit.press("apostrophe")
    assert "No saved queries" in visit.text
    assert "esc close" in visit.text
    await visit.press("escape", "colon")
    await visit.type("save query")
    assert "No search active. Press / to search." in visit.text


@story("palette")
async def a_command_by_its_name(visit: Visit) -> None:
    await visit.press("colon")
    await visit.type("reverse")
    assert "Reverse order" in visit.text
    assert "S" in visit.text

    last = visit.titles[0]
    await visit.press("enter")
    await visit.press("g", "g")
    assert visit.titles[0] != last


@story("facets")
async def what_the_result_consists_of(visit: Visit) -> None:
    await visit.press("F")
    assert visit.scope == "facets"
    facets = "\n".join(visit.pane("facets"))
    assert "◆ pinned" in facets
    assert "type" in facets

    await visit.press("F")
    assert visit.scope == "memories"
    assert not visit.browser.parts.facets.are_shown


@story("go-back", "go-forward")
async def back_and_forward_as_in_a_web_browser(visit: Visit) -> None:
    await visit.press("H")
    assert "Nothing to go back to." in visit.status
    await visit.ask("redis")
    found = visit.here
    await visit.press("2", "3")

    await visit.press("H", "ctrl+o")
    assert (visit.browser.parts.lists.kind, visit.query) == ("memories", "redis")
    assert visit.here == found
    await visit.press("L", "L")
    assert visit.browser.parts.lists.kind == "episodes"
    await visit.press("L")
    assert "Nothing to go forward to." in visit.status


@story("go-to-store", size=(200, 50))
async def one_store_and_all_of_them_again(visit: Visit) -> None:
    everything = visit.table.count()
    await visit.press("g", "s")
    assert "All stores" in visit.text
    await visit.type("cognitive")
    await visit.press("enter")
    assert 0 < visit.table.count() < everything
    assert {one.rpartition("/")[2] for one in visit.browser.parts.session.stores} == {
        "cognitive-memory"
    }
    title = visit.screen[0]
    assert title.startswith(f" ◈ cognitive-memory  1 Memories {visit.table.count()} ")
    assert f" {visit.table.count()}/{visit.table.count()} · " in visit.screen[1]

    await visit.press("g", "s")
    await visit.type("all")
    await visit.press("enter")
    assert visit.table.count() == everything


@story("next-pane", "previous-pane", size=(120, 36))
async def from_pane_to_pane(visit: Visit) -> None:
    scopes = [visit.scope]
    for _ in range(3):
        await visit.press("tab")
        scopes.append(visit.scope)
    assert scopes == ["memories", "reader", "links", "query"]

    await visit.press("escape", "shift+tab")
    assert visit.scope == "query"
    await visit.press("escape", "tab", "tab", "shift+tab")
    assert visit.scope == "reader"


@story("zoom", "widen", "narrow", size=(80, 24))
async def more_room_for_this_or_that(visit: Visit) -> None:
    assert len(visit.pane("list-memories")) == 9
    await visit.press("plus")
    assert len(visit.pane("list-memories")) > 9
    await visit.press("underscore", "underscore")
    assert len(visit.pane("list-memories")) < 9

    await visit.press("plus")
    assert visit.pane("list-memories")[0].endswith("age▼"), "it is no wider now"
    await visit.press("underscore")

    await visit.press("z")
    assert len(visit.pane("list-memories")) == 20
    await visit.press("z", "plus")
    assert len(visit.pane("list-memories")) == 9


@story("theme")
async def other_colours(visit: Visit) -> None:
    await visit.press("T")
    assert "light text on dark" in visit.text
    await visit.type("light")
    before = visit.browser.parts.layout.palette.name
    await visit.press("enter")
    assert visit.browser.parts.layout.palette.name != before
    assert visit.browser.parts.layout.chosen_theme
    assert visit.table.sheet.palette is visit.browser.parts.layout.palette


@story("read-again", "live")
async def what_agents_write_is_read_or_not(visit: Visit) -> None:
    await visit.press("R")
    assert not visit.browser.parts.live.is_following

    await visit.press("colon")
    await visit.type("live")
    await visit.press("enter")
    assert visit.status.strip().endswith("Live updates on.")


@story("settings")
async def where_the_settings_are(visit: Visit) -> None:
    await visit.press("colon")
    await visit.type("config")
    assert "Settings" in visit.text

    await visit.press("enter")
    assert "settings file" in visit.status


@story("forecast")
async def the_forecast_lists_what_changes_its_stage_soonest_first(visit: Visit) -> None:
    await visit.press("colon")
    await visit.type("forecast")
    await visit.press("enter")
    assert visit.scope == Scope.REPORT

    words = [word for row in visit.screen for word in row.split()[1:3]]
    days = [word for word in words if word.startswith("20") and "-" in word]
    assert days
    assert days == sorted(days)
    await visit.press("enter")
    assert isinstance(visit.here, Memory)
    assert visit.here.fades_in is not None


@story(
    *("reports", "report-open", "report-down", "report-up", "report-top"),
    *("report-bottom", "report-page-down", "report-page-up", "report-filter"),
    *("report-sort", "report-reverse", "report-export", "report-parameters"),
    "report-close",
)
async def a_report_is_a_table_to_sort_filter_and_follow(visit: Visit) -> None:
    await visit.press("g", "R")
    await visit.type("statistics")
    await visit.press("enter")
    assert visit.scope == Scope.REPORT
    await visit.press("q")
    assert visit.scope == Scope.MEMORIES
    await visit.press("g", "R", *"statistics", "enter")
    await visit.press("s", "S", "j", "k", "pagedown", "pageup", "G", "g")
    await visit.press("w")
    assert "export · statistics" in visit.text
    await visit.press("escape", "e")
    assert "statistics" in visit.text
    await visit.press("enter", "enter", "slash")
    await visit.type("part:type")
    await visit.press("enter", "enter")
    assert visit.query.startswith("type:")


@story("signs")
async def the_signs_of_the_list_are_explained(visit: Visit) -> None:
    await visit.press("g", "question_mark")
    assert "◐  fading" in visit.text
    await visit.press("escape")


@story("recall", "accept")
async def a_prompt_lists_what_it_would_recall(visit: Visit) -> None:
    await visit.press("g", "q")
    assert "hearthbot: what would a prompt recall?" in visit.text
    assert visit.text.count("what you would ask the agent") == 1
    assert "↵ accept" in visit.screen[-1]
    await visit.press(*"kiln", "enter")

    assert "recalled by words · kiln" in visit.text
    await visit.press("escape")


@story("by-meaning")
async def search_by_meaning_says_where_to_set_a_provider(visit: Visit) -> None:
    await visit.press("g", "f")

    assert "Search by meaning is off." in visit.text
    assert "Couldn't do that" not in visit.text
    await visit.press("enter")


@story("context")
async def what_agents_read_first_is_listed(visit: Visit) -> None:
    await visit.press("g", "a")

    assert ": what agents read first" in visit.text
