"""Rows removed or added between two keys: no key hits another record."""

import pytest

from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.test_the_list_of_the_query import busy, strike, turn
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

THREE = "graph/fixes/memory-3.md"


def read(workbench: Workbench) -> None:
    """Read the stores, as the browser's child would."""
    with workbench.library.beside() as library:
        library.sync()


def remove(workbench: Workbench, path: str) -> None:
    """Remove a file, as another program would, and read the store."""
    (workbench.store / path).unlink()
    read(workbench)


async def find(visit: Visit, query: str) -> None:
    """Search for a few records."""
    await visit.ask(query)
    assert visit.table.count() == 1


@pytest.mark.parametrize(
    "key", ["f2", "r", "E", "e", "B", "t", "m", "M", "d", "p", "D"]
)
async def test_a_missing_marked_record_is_reported(
    workbench: Workbench, key: str
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await find(visit, '"Memory 3"')
        await visit.press("space")
        await visit.ask("")
        remove(workbench, THREE)
        await visit.press(key)

        assert "no longer in the store" in visit.status
        assert visit.browser.return_code is None
        assert workbench.library.journal.past() == []


async def test_a_missing_marked_record_is_not_replaced_in_an_export(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await find(visit, '"Memory 3"')
        await visit.press("space")
        await visit.ask("")
        remove(workbench, THREE)
        await visit.press("w")

        assert "no longer in the store" in visit.status


async def test_a_change_is_about_the_record_at_which_its_key_was_pressed(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await find(visit, '"Memory 3"')
        async with busy(visit, visit.browser.parts.session.worker):
            strike(visit, "d")
            await turn()
            visit.browser.parts.lists.ask_for('"Memory 4"')
            await visit.browser.parts.lists.listing.settled()

        (past,) = workbench.library.journal.past()
        assert past.paths == (THREE,)


@pytest.mark.parametrize("key", ["D", "E", "e"])
async def test_a_missing_link_is_reported_and_its_memory_left_alone(
    workbench: Workbench, key: str
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await find(visit, '"Memory 1" store:home')
        await visit.press("l")
        assert visit.scope == "links"
        for number, name in ((1, "one"), (2, "two")):
            write(workbench.store, f"graph/fixes/{name}.md", memory(number))
        remove(workbench, "graph/edges/one--SOLVES--two-000009.md")
        await visit.press(key)

        assert "no longer in the store" in visit.status
        assert visit.browser.return_code is None
        assert workbench.library.journal.past() == []


async def test_the_neighbour_of_a_missing_record_is_not_changed(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.ask("type:fix store:home")
        assert visit.table.count() > 1
        async with busy(visit, visit.browser.parts.session.worker):
            visit.table.bottom()
            strike(visit, "d")
            await turn()
            remove(workbench, str(getattr(visit.here, "path", "")))
            visit.browser.parts.lists.look()
            await visit.browser.parts.lists.listing.settled()

        assert "no longer exists" in visit.status
        assert workbench.library.journal.past() == []
