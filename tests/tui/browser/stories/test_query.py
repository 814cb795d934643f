"""The query: live, forgiving, remembered, and the same in every view."""

from pathlib import Path

from store.library import Library
from store.machine import Places
from store.settings import Settings, settings_file
from tests.tui.browser.stories.visit import visiting
from tui.browser.session import Kept


async def test_without_exact_results_similar_ones_are_shown(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("restixx")

        assert visit.table.count() > 0
        told = f"no exact match · {visit.table.count()} similar"
        assert told in visit.pane("query")[0]
        assert visit.text.count("no exact match") == 1
        assert any("restic" in title for title in visit.titles)


async def test_an_error_is_shown_and_the_rest_still_applies(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("type:fxi restic")
        assert "fix" in visit.pane("query")[0]

        await visit.ask("restic")
        narrow = visit.table.count()
        await visit.ask("restic importance>")
        assert visit.table.count() == narrow


async def test_the_query_follows_into_other_views(library: Library) -> None:
    async with visiting(library, (140, 30)) as visit:
        await visit.ask("stage:fading restic")
        for key in ("3", "4", "2"):
            await visit.press(key)
            assert visit.query == "stage:fading restic"
        assert visit.table.count() < library.lists.count("edges")
        struck = visit.browser.parts.layout.palette.style("struck")
        line = visit.browser.parts.display.base.query_one("QueryInput").render_line(0)
        assert struck.strike
        assert "stage:fading" in "".join(
            part.text for part in line if part.style and part.style.strike
        )

        await visit.press("1")
        found = visit.table.count()
        await visit.ask("stage:fading restic")
        assert visit.table.count() == found


async def test_the_best_come_first_and_otherwise_the_newest(library: Library) -> None:
    async with visiting(library) as visit:
        assert visit.browser.parts.lists.order.name == "updated"
        await visit.ask("restic")
        assert visit.browser.parts.lists.order.name == "relevance"
        assert all("restic" in title.casefold() for title in visit.titles[:3])
        await visit.ask("stage:fading")
        assert visit.browser.parts.lists.order.name == "updated"


async def test_in_fading_stores_the_strongest_come_first(
    library: Library,
) -> None:
    async with visiting(library) as visit:
        await visit.press("g", "s")
        await visit.type("cognitive")
        await visit.press("enter", "g", "g")

        assert visit.browser.parts.lists.order.name == "strength"
        assert "▼strength" in visit.pane("list-memories")[0]
        assert "◆" in visit.pane("list-memories")[1]


async def test_hits_are_highlighted_in_the_list(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.ask("restic")
        shown = visit.table.sheet.render_line(1)

        hits = [part.text for part in shown if part.style and part.style.underline]
        assert [hit.casefold() for hit in hits] == ["restic"]


async def test_queries_are_saved_and_chosen(library: Library, tmp_path: Path) -> None:
    settings = Settings(queries={"backups": "tag:backup"})
    places = Places(tmp_path / "c", tmp_path / "s", tmp_path / "f")
    kept = Kept(settings, places)
    async with visiting(library, kept=kept) as visit:
        await visit.press("slash")
        await visit.type("restic")
        await visit.press("enter", "apostrophe")
        assert "' backups" in visit.text
        await visit.press("enter")
        assert visit.query == "tag:backup"

        await visit.ask("tag:redis str<.5")
        await visit.press("colon")
        await visit.type("save the query")
        await visit.press("enter")
        await visit.type("weak")
        await visit.press("enter")
        assert "“weak” saved · ' saved queries" in visit.status
        await visit.press("escape", "apostrophe")
        assert "' weak" in visit.text
        assert "weak" in settings_file(places).read_text(encoding="utf-8")

    async with visiting(library, kept=kept) as visit:
        await visit.press("slash", "ctrl+u", "up")
        assert visit.query == "restic"


async def test_an_unknown_field_is_left_out_as_an_invalid_value_is(
    library: Library,
) -> None:
    async with visiting(library, (120, 36)) as visit:
        everything = visit.table.count()
        for query in ("stremgth<.2", "strength<abc"):
            await visit.press("slash")
            await visit.type(query)
            assert visit.table.count() == everything
            assert "No memory matches" not in visit.text
            await visit.press("escape", "escape")
