"""Only fields that a record has are offered."""

from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library, Writing
from store.machine import Places
from store.state import permit
from tests.frames.shelf import NOW, Shelf
from tests.tui.browser.stories.of_changes import at, text
from tests.tui.browser.stories.visit import visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.browser.session import Kept


async def test_a_title_is_offered_only_to_records_that_have_one(
    shelf: Shelf, tmp_path: Path
) -> None:
    places = Places(*(tmp_path / name for name in ("cache", "state", "config")))
    now = int(NOW.timestamp()) * 1_000_000
    writing = Writing(places, clock=lambda: now)
    with Library(shelf.catalogue, now, writing=writing) as library:
        library.stores.choose(beneath(shelf.stores, FORMATS).stores)
        for store in library.stores.chosen:
            permit(places, str(store), changes=True)
        async with visiting(library, kept=Kept(places=places)) as visit:
            await visit.press("escape")
            for query, is_titled in (("type:fix", True), ("type:task", False)):
                await visit.ask(query)
                await visit.press("E")
                assert "│ tags " in visit.text
                assert ("│ title " in visit.text) is is_titled
                await visit.press("escape")


THREE = "graph/fixes/memory-3.md"


async def test_typing_a_number_replaces_the_old_one(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        await visit.press("E")
        await visit.type("importance")
        await visit.press("enter", "7", "enter")
        assert "importance must be a number from 0 to 1." in visit.text
        assert "importance: 0.5" in text(visit, THREE)
        await visit.press("backspace", "0", "full_stop", "9", "enter")
        assert "importance: 0.9" in text(visit, THREE)

        await visit.press("E")
        await visit.type("importance")
        await visit.press("enter", "end", "backspace", "7", "enter")
        assert "importance: 0.7" in text(visit, THREE)


async def test_the_archive_key_also_unarchives(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        before = text(visit, THREE)
        await visit.press("d")
        assert "archived “Memory 3”" in visit.status
        assert "archived_importance: 0.5" in text(visit, THREE)

        await visit.press("d")
        assert "unarchived “Memory 3”" in visit.status
        back = text(visit, THREE)
        assert _undated(back) == _undated(before)


def _undated(header: str) -> list[str]:
    return [line for line in header.split("\n") if not line.startswith("updated")]
