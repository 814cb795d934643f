"""Values are completed from the current stores."""

from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench


async def completed(visit: Visit, text: str) -> str:
    """The screen after a text was typed in the empty query bar."""
    await visit.press("slash", "ctrl+u")
    await visit.type(text)
    return visit.text


async def test_a_store_being_read_for_the_first_time_has_values_too(
    workbench: Workbench,
) -> None:
    write(workbench.store, "graph/fixes/9.md", memory(9, tags="[kiln]"))
    with workbench.library.with_catalogue(workbench.places.cache / "new.db") as cold:
        cold.stores.choose(workbench.library.stores.found)
        async with visiting(cold, kept=workbench.kept, reads=True) as visit:
            await visit.until(lambda: "live" in visit.text)
            assert "kiln " in await completed(visit, "tag:")


async def test_a_new_tag_is_completed_and_found(workbench: Workbench) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        assert "kiln" not in await completed(visit, "tag:")
        await visit.press("ctrl+u", "enter", "t")
        await visit.type("+kiln")
        await visit.press("enter")

        assert "kiln " in await completed(visit, "tag:")
        await visit.press("escape")
        assert "kiln " in await completed(visit, "tag:kiln")
        assert "never" not in visit.text
        await visit.press("enter")
        assert visit.table.count() == 1


async def test_fields_that_are_not_filtered_by_are_completed_too(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        assert "SOLVES" in await completed(visit, "edge:")
        await visit.press("escape")
        assert "No edge" in await completed(visit, "edge:SLOVES")
