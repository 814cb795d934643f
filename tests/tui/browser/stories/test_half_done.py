"""A change that another program interfered with: shown, compared, decided."""

import pytest

from store.library import Library
from tests.tui.browser.stories.of_half_done import PATHS, come_between
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench

SIZE = (100, 60)


@pytest.fixture
def library(workbench: Workbench) -> Library:
    """A link between two memories; another program wrote one of them meanwhile."""
    library = workbench.library
    come_between(library, workbench.kept.places)
    return library


def is_theirs(workbench: Workbench) -> bool:
    """Whether the other program's version is there, and nothing else."""
    text = workbench.text(PATHS[0])
    return "Theirs." in text and "SOLVES" not in text


async def opened(visit: Visit) -> None:
    """The dialog is on the screen, with both versions."""
    assert "half done" in visit.text
    assert "mine" in visit.text
    assert "theirs" in visit.text
    assert PATHS[0] in visit.text
    assert "target: 00000004" in visit.text
    assert "Theirs." in visit.text


async def test_a_half_done_change_is_counted_and_undo_asks_about_it(
    library: Library, workbench: Workbench
) -> None:
    async with visiting(library, SIZE, kept=workbench.kept) as visit:
        assert "⚠ 1 half-done" in visit.status
        before = workbench.text(PATHS[0])

        await visit.press("u")
        await opened(visit)
        await visit.press("enter")

        assert "⚠ 1 half-done" in visit.status
        assert workbench.text(PATHS[0]) == before


async def test_mine_finishes_it_and_u_restores_theirs(
    library: Library, workbench: Workbench
) -> None:
    async with visiting(library, SIZE, kept=workbench.kept) as visit:
        await visit.press("u", "1")

        assert "half-done" not in visit.status
        assert "finished link" in visit.status
        assert all("SOLVES" in workbench.text(path) for path in PATHS)

        await visit.press("u")
        assert is_theirs(workbench)
        assert "SOLVES" not in workbench.text(PATHS[1])


async def test_theirs_is_chosen_from_the_palette(
    library: Library, workbench: Workbench
) -> None:
    async with visiting(library, SIZE, kept=workbench.kept) as visit:
        await visit.press("colon")
        await visit.type("resolve")
        await visit.press("enter")
        await opened(visit)
        await visit.press("2")

        assert "half-done" not in visit.status
        assert is_theirs(workbench)
        assert list((workbench.store / "graph/edges").glob("memory-3*")) == []


async def test_health_lists_it_and_x_decides_about_it(
    library: Library, workbench: Workbench
) -> None:
    async with visiting(library, SIZE, kept=workbench.kept) as visit:
        await visit.press("6")
        await visit.ask("half-done-change")
        assert visit.table.count() == 1
        await visit.press("x")
        await opened(visit)
        await visit.press("4")

        assert visit.table.count() == 0
        assert is_theirs(workbench)
        assert "dismissed: link" in visit.status


async def test_without_permission_nothing_is_written(
    library: Library, workbench: Workbench
) -> None:
    async with visiting(library, SIZE, kept=workbench.kept) as visit:
        await visit.press("exclamation_mark")
        await visit.press("u", "1")

        assert "Read-only" in visit.status
        assert is_theirs(workbench)
        assert "⚠ 1 half-done" in visit.status
