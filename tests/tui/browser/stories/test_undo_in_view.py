"""Undo, redo, their counts and the change log are about the stores on the screen."""

from pathlib import Path

from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.memories import Memory
from store.library import Library, Page
from store.records.intents import Retag
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

OWN, OTHER = "graph/fixes/memory-3.md", "graph/fixes/memory-2.md"


def tag(library: Library, store: Path, path: str, word: str) -> None:
    """Tag a memory, as the command line would."""
    (ref,) = (
        one.ref
        for one in library.lists.page("memories", Page())
        if isinstance(one, Memory) and (one.store, one.path) == (str(store), path)
    )
    planned = library.plans.plan(Retag(add=(word,), remove=()), [ref])
    library.changes.apply(planned, is_permitted=True)


def both_changed(workbench: Workbench) -> None:
    """A change in one store, and a newer one in another."""
    library = workbench.library
    tag(library, workbench.store, OWN, "ours")
    tag(library, workbench.other, OTHER, "theirs")


def tagged(workbench: Workbench) -> tuple[bool, bool]:
    """Which of the two changes are in effect."""
    return (
        "ours" in workbench.text(OWN),
        "theirs" in (workbench.other / OTHER).read_text(encoding="utf-8"),
    )


async def choose(visit: Visit, store: str) -> None:
    """Choose one store; an empty name chooses all."""
    await visit.press("g", "s")
    await visit.type(store)
    await visit.press("enter")


async def test_undo_is_about_the_chosen_store(workbench: Workbench) -> None:
    both_changed(workbench)
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        assert "↶ 2 undo" in visit.status
        await choose(visit, "home")
        assert "↶ 1 undo" in visit.status

        await visit.press("u")
        assert tagged(workbench) == (False, True)
        assert "undo" not in visit.status.partition("undone")[0]

        await visit.press("u")
        assert tagged(workbench) == (False, True)
        assert "1 change in other stores" in visit.status

        await visit.press("ctrl+r")
        assert tagged(workbench) == (True, True)


async def test_a_store_that_is_not_open_is_left_alone(workbench: Workbench) -> None:
    both_changed(workbench)
    library = workbench.library
    with library.with_catalogue(library.stores.path) as narrow:
        narrow.stores.choose(beneath([workbench.store], FORMATS).stores)
        async with visiting(narrow, kept=workbench.kept) as visit:
            await visit.press("U")
            assert "tag “Memory 3”" in visit.text
            assert "tag “Memory 2”" not in visit.text
            await visit.press("escape", "u")
            assert tagged(workbench) == (False, True)


async def test_a_key_widens_the_changes_to_all_stores_and_back(
    workbench: Workbench,
) -> None:
    both_changed(workbench)
    async with visiting(workbench.library, kept=workbench.kept) as visit:
        await choose(visit, "home")
        await visit.press("g", "u")
        assert "all stores" in visit.status
        assert "↶ 2 undo" in visit.status

        await visit.press("u")
        assert tagged(workbench) == (True, False)
        await visit.press("g", "u")
        assert "↶ 1 undo" in visit.status


async def test_a_read_only_store_elsewhere_is_named(workbench: Workbench) -> None:
    both_changed(workbench)
    kept = workbench.kept
    kept.permit({str(workbench.other): "work"}, changes=False)
    async with visiting(workbench.library, kept=kept) as visit:
        await choose(visit, "home")
        await visit.press("g", "u", "u")

        assert tagged(workbench) == (True, True)
        assert "work is read-only" in visit.text
