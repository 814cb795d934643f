"""An agent writes during browsing: it appears, and nothing else moves."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.store.catalogue.stores import cognitive, memory, relation, write
from tests.tui.browser.stories.visit import Visit, visiting
from tui.browser import live as living


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return cognitive(tmp_path / "store", 60)


@pytest.fixture
def own(tmp_path: Path, store: Path) -> Iterator[Library]:
    with Library(tmp_path / "cache" / "catalogue.db", 0) as library:
        library.stores.choose(beneath([store], FORMATS).stores)
        yield library


def told_as_new(visit: Visit, title: str) -> bool | None:
    """Whether a memory has the mark of a change; None if it has no row."""
    shown = [line for line in visit.pane("list-memories") if title in line]
    return shown[0].startswith("•") if shown else None


async def test_changes_of_an_agent_appear_at_once(
    own: Library, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(living, "_FRESH", 600.0)
    async with visiting(own, reads=True) as visit:
        await visit.until(lambda: visit.table.count() == 60)
        await visit.press("s")
        await visit.type("title")
        await visit.press("enter", "G", "k")
        before, top = visit.here, visit.table.first
        row = visit.table.cursor - top

        write(store, "graph/fixes/new.md", memory(99, title="AAA first of all"))
        await visit.until(lambda: visit.table.count() == 61)
        assert visit.here.ref == before.ref
        assert visit.table.cursor - visit.table.first == row

        await visit.press("g", "g")
        write(store, "graph/fixes/new.md", memory(99, title="AAA rewritten"))
        await visit.until(lambda: told_as_new(visit, "AAA rewritten") is True)
        assert visit.table.cursor == 0

        (store / "graph/fixes/new.md").unlink()
        await visit.until(lambda: visit.table.count() == 60)


async def test_they_are_highlighted_for_a_moment(
    own: Library, store: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(living, "_FRESH", 0.01)
    async with visiting(own, reads=True) as visit:
        await visit.until(lambda: visit.table.count() == 60)

        write(store, "graph/fixes/new.md", memory(99, title="AAA new"))
        await visit.until(lambda: visit.table.count() == 61)
        await visit.ask("AAA")

        await visit.until(lambda: told_as_new(visit, "AAA new") is False)


async def test_live_updates_can_be_switched_off(own: Library, store: Path) -> None:
    async with visiting(own, reads=True) as visit:
        await visit.until(lambda: visit.table.count() == 60)
        assert visit.browser.parts.live.is_following

        await visit.press("colon")
        await visit.type("live")
        await visit.press("enter")
        await visit.until(lambda: "Live updates paused" in visit.status)
        assert not visit.browser.parts.live.is_following

        write(store, "graph/fixes/new.md", memory(99, title="New"))
        await visit.press("R")
        await visit.until(lambda: visit.table.count() == 61)


async def test_many_links_of_a_type_are_cut_and_listed_on_demand(
    own: Library, store: Path
) -> None:
    spokes = [relation(number, "outgoing", "RELATED_TO") for number in range(1, 9)]
    write(store, "graph/fixes/hub.md", memory(99, *spokes, title="Hub"))
    own.sync()
    async with visiting(own, (120, 50)) as visit:
        await visit.ask("^Hub")
        await visit.press("l", "G")
        assert "… 3 more RELATED_TO" in visit.pane("links")[7]

        await visit.press("l")
        assert visit.browser.parts.lists.kind == "edges"
        assert visit.table.count() == len(spokes)
        await visit.press("H")
        assert getattr(visit.here, "title", "") == "Hub"
