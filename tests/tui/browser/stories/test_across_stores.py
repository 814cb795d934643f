"""Links and merges stay within a store: a memory of another is copied first."""

from tests.store.catalogue.stores import memory, write
from tests.tui.browser.stories.of_changes import at
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

NINE = "graph/fixes/memory-9.md"
THREE = "graph/fixes/memory-3.md"


async def chose_from_work(visit: Visit, key: str) -> None:
    """Choose a memory of the other store for what a key asks."""
    await at(visit, 3)
    await visit.press(key)
    await visit.type("Memory 9")
    await visit.press("enter")


async def test_a_link_to_another_store_copies_its_memory_first(
    workbench: Workbench,
) -> None:
    write(workbench.other, NINE, memory(9))
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        before = workbench.text(THREE)
        await chose_from_work(visit, "r")
        assert "is in work; links and merges stay within a store." in visit.text
        await visit.press("escape")
        assert workbench.text(THREE) == before

        await chose_from_work(visit, "r")
        await visit.press("enter")
        assert "link type" in visit.text
        await visit.press("escape")
        assert not (workbench.store / NINE).exists()

        await chose_from_work(visit, "r")
        await visit.press("enter", "enter")

        assert "linked" in visit.status
        assert "direction: outgoing" in workbench.text(THREE)
        await visit.press("u", "u")
        assert workbench.text(THREE) == before


async def test_a_merge_with_another_store_copies_its_memory_first(
    workbench: Workbench,
) -> None:
    write(workbench.other, NINE, memory(9))
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await chose_from_work(visit, "m")
        assert "copy it here" in visit.text
        await visit.press("enter")
        assert "keep which memory?" in visit.text
        assert "Body 9" in workbench.text(NINE)
        await visit.press("escape")
        assert "Cancelled; the copy was removed, too." in visit.status
        assert not (workbench.store / NINE).exists()


async def test_what_cannot_be_linked_is_listed_last(workbench: Workbench) -> None:
    write(workbench.other, NINE, memory(9))
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await at(visit, 3)
        await visit.press("r")
        assert "This is the same memory." not in visit.text
        await visit.type("Memory")
        rows = visit.text.splitlines()
        here, there, same = (
            next(number for number, row in enumerate(rows) if words in row)
            for words in ("Memory 4", "in work", "This is the same memory.")
        )
        assert max(here, there) < same


async def test_what_a_log_refuses_is_said_where_it_is_asked(
    workbench: Workbench,
) -> None:
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await visit.press("3", "A")
        if "choose a store" in visit.text:
            await visit.press("enter")
        assert "episode: title" in visit.text
        await visit.press("space", "enter")
        assert "Enter a title." in visit.text
        await visit.type("Moved the kiln")
        await visit.press("enter", "enter")
        assert "added · u undo" in visit.status
