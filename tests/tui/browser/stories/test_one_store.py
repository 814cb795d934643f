"""A store that was chosen among others is named, and esc shows all again."""

from pathlib import Path

from store.library import Library
from store.machine import Places
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.session import Kept

SMALL = (80, 24)
NAME = "cognitive-memory"


async def choose(visit: Visit) -> None:
    """Choose one store."""
    await visit.press("g", "s")
    await visit.type("cognitive")
    await visit.press("enter")


async def test_lists_name_the_chosen_store(library: Library) -> None:
    async with visiting(library, SMALL) as visit:
        assert NAME not in visit.pane("list-memories")[0]
        await choose(visit)

        for key, kind in (
            ("1", "memories"),
            ("2", "edges"),
            ("3", "episodes"),
            ("4", "conversations"),
            ("6", "problems"),
            ("8", "messages"),
        ):
            await visit.press(key)
            assert NAME in visit.pane(f"list-{kind}")[0]


async def test_a_store_of_the_last_session_is_named_and_esc_shows_all(
    library: Library, tmp_path: Path
) -> None:
    kept = Kept(places=Places(tmp_path / "cache", tmp_path / "state", tmp_path / "c"))
    async with visiting(library, SMALL, kept=kept) as visit:
        every = visit.table.count()
        await choose(visit)

    async with visiting(library, SMALL, kept=kept) as visit:
        assert visit.table.count() < every
        assert f"Only {NAME}, as in your last session" in visit.status
        assert NAME in visit.pane("list-memories")[0]
        await visit.press("escape")

        assert visit.table.count() == every
        assert NAME not in visit.pane("list-memories")[0]
        await visit.press("escape")
        assert "Press q to quit" in visit.status


async def test_the_first_row_of_stores_shows_all(library: Library) -> None:
    async with visiting(library, SMALL) as visit:
        every = visit.table.count()
        await choose(visit)
        await visit.press("g", "s", "enter")

        assert visit.table.count() == every


async def test_what_only_other_stores_have_is_counted(library: Library) -> None:
    async with visiting(library, SMALL) as visit:
        await visit.ask("-format:cognitive")
        others = visit.table.count()
        assert others
        await choose(visit)
        assert f"{others} in other stores · g s enter shows all" in visit.text
        await visit.press("g", "s", "enter")

        assert visit.table.count() == others
