"""Records that are new since the last visit are highlighted."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from store.machine import Places
from store.state import last_looks, look
from tests.store.catalogue.stores import Shelf, note, notes, write
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser.session import Kept


@pytest.fixture
def kiln(shelf: Shelf) -> Path:
    return notes(shelf.places[0] / "kiln/.memory", "glaze", "cone")


@pytest.fixture
def oven(shelf: Shelf) -> Path:
    return notes(shelf.places[0] / "oven/.memory", "brick")


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "catalogue.db", tmp_path / "stores")


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "cache", tmp_path / "state", tmp_path / "config")


@asynccontextmanager
async def visit_of(shelf: Shelf, places: Places) -> AsyncGenerator[Visit]:
    shelf.sync()
    with shelf.opened() as library:
        async with visiting(library, (120, 36), kept=Kept(places=places)) as visit:
            await visit.press("escape")
            yield visit


def marked(visit: Visit) -> list[str]:
    """The titles of the rows with a mark."""
    rows = [line[1:] for line in visit.pane("lists") if line.startswith("•")]
    return sorted(
        row.translate({ord("⚠"): "", ord("⊘"): ""}).split()[1] for row in rows
    )


async def test_new_records_are_marked_and_counted(
    shelf: Shelf, places: Places, kiln: Path, oven: Path
) -> None:
    moment = (oven / "MEMORY.md").stat().st_mtime_ns // 1000 + 1
    look(places, [kiln, oven], moment)
    write(kiln, "copper.md", note("copper"))

    async with visit_of(shelf, places) as visit:
        assert marked(visit) == ["copper"]

        await visit.press("g", "n")
        assert "1 memory" in visit.text
        assert "kiln" in visit.text
        assert "oven" not in visit.text.partition("what is new")[2].partition("╰")[0]

        await visit.press("enter")
        assert visit.titles == ["copper"]


async def test_nothing_new_is_reported_as_such(
    shelf: Shelf, places: Places, kiln: Path
) -> None:
    shelf.sync()
    look(places, [kiln], 4_000_000_000_000_000)

    async with visit_of(shelf, places) as visit:
        assert marked(visit) == []

        await visit.press("g", "n")
        assert "Nothing new since your last visit." in visit.text


@pytest.mark.usefixtures("kiln")
async def test_the_first_time_nothing_is_marked_because_everything_is_new(
    shelf: Shelf, places: Places
) -> None:
    async with visit_of(shelf, places) as visit:
        assert marked(visit) == []
        await visit.ask("since:last")
        assert visit.table.count() == 2


async def test_quitting_counts_as_the_last_visit(
    shelf: Shelf, places: Places, kiln: Path, oven: Path
) -> None:
    async with visit_of(shelf, places) as visit:
        visit.browser.parts.session.stores = frozenset({str(kiln)})
        await visit.browser.parts.lists.looked()
        await visit.settle()

    assert last_looks(places).keys() == {str(kiln)}
    async with visit_of(shelf, places) as visit:
        visit.browser.parts.session.stores = frozenset()
        await visit.browser.parts.lists.looked()
        await visit.settle()
        assert marked(visit) == ["brick"]

    assert last_looks(places).keys() == {str(kiln), str(oven)}
