"""The browser opens on known data, reads the rest in a child, and moves by keys."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.kinds.edges import Edge
from store.library import Library
from tui.browser.app import Browser
from tui.browser.bars import VIEWS
from tui.browser.display import Part
from tui.browser.popups.popup import Popup
from tui.browser.popups.question import Question, Writing
from tui.browser.query_bar import QueryBar
from tui.browser.reports import ReportTable
from tui.browser.rooms.journals import JournalRoom
from tui.commands.registry import REGISTRY

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    stores = demo.write(tmp_path / "stores", NOW)
    catalogue = tmp_path / "cache" / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as opened:
        opened.stores.choose(beneath(stores, FORMATS).stores)
        yield opened


def lines_of(browser: Browser, name: str) -> list[str]:
    """The lines of a pane."""
    pane = browser.query_one(f"#{name}")
    return [pane.render_line(y).text for y in range(pane.size.height)]


def at_cursor(browser: Browser) -> str | None:
    """The ref of the record at the cursor."""
    record = browser.parts.lists.table.at_cursor
    return record.ref if record else None


async def settled(browser: Browser, pilot: Pilot[None]) -> None:
    """Wait until the list and the current record are loaded."""
    await pilot.pause()
    await browser.settled()
    await pilot.pause()


async def all_read(browser: Browser, pilot: Pilot[None]) -> None:
    """Wait until the child has read everything."""
    while browser.parts.session.is_reading:
        await pilot.pause()
    await settled(browser, pilot)


async def test_an_empty_catalogue_fills_during_browsing(library: Library) -> None:
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)

        assert (
            browser.parts.lists.table.count() == library.lists.count("memories") > 100
        )
        assert "1 Memories" in lines_of(browser, "tabs")[0]


async def test_an_unmoved_cursor_is_at_the_first_row_when_rows_arrive(
    library: Library, tmp_path: Path
) -> None:
    library.stores.choose(
        beneath([tmp_path / "stores/cognitive-memory"], FORMATS).stores
    )
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)

        assert browser.parts.lists.order.name == "strength"
        assert (browser.parts.lists.table.cursor, browser.parts.lists.table.first) == (
            0,
            0,
        )


async def test_the_cursor_moves_and_the_reader_follows(library: Library) -> None:
    library.sync()
    browser = Browser(library, reads=False)
    async with browser.run_test(size=(100, 30)) as pilot:
        await settled(browser, pilot)
        first = lines_of(browser, "reader")

        await pilot.press("j", "j")
        await settled(browser, pilot)
        third = lines_of(browser, "reader")
        await pilot.press("k", "k")
        await settled(browser, pilot)

        assert first != third
        assert lines_of(browser, "reader") == first

        await pilot.press("G")
        assert browser.parts.lists.table.cursor == browser.parts.lists.table.count() - 1
        await pilot.press("g", "g", "pagedown")
        assert 0 < browser.parts.lists.table.cursor < 30


@pytest.mark.parametrize("view", VIEWS, ids=lambda view: view.kind)
async def test_every_kind_has_a_number(library: Library, view: object) -> None:
    library.sync()
    browser = Browser(library, reads=False)
    async with browser.run_test(size=(120, 36)) as pilot:
        await settled(browser, pilot)
        for one in VIEWS:
            if one == view:
                await pilot.press(one.key)
                await settled(browser, pilot)

                assert browser.parts.lists.kind == one.kind
                found = browser.parts.lists.listing.found
                assert found is not None
                assert len(found.rows) == library.lists.count(one.kind)
                tab = next(
                    view for view in VIEWS if view.key == (one.within or one.key)
                )
                assert (tab.short or tab.label) in lines_of(browser, "tabs")[0]
                is_talk = one.kind in {"conversations", "messages"}
                pane = "transcript" if is_talk else "reader"
                assert any(line.strip() for line in lines_of(browser, pane))


async def test_an_edge_leads_to_its_ends_and_back_again(library: Library) -> None:
    library.sync()
    browser = Browser(library, reads=False)
    async with browser.run_test(size=(120, 36)) as pilot:
        await settled(browser, pilot)
        await pilot.press("2")
        await settled(browser, pilot)
        edge = browser.parts.lists.table.at_cursor
        assert isinstance(edge, Edge)

        await pilot.press("l")
        await settled(browser, pilot)
        assert browser.parts.lists.kind == "memories"
        assert at_cursor(browser) == edge.to

        await pilot.press("H")
        await settled(browser, pilot)
        assert browser.parts.lists.kind == "edges"
        assert at_cursor(browser) == edge.ref

        await pilot.press("L")
        await settled(browser, pilot)
        assert at_cursor(browser) == edge.to


async def test_zoom_gives_the_reader_the_screen_and_q_takes_it_back(
    library: Library,
) -> None:
    library.sync()
    browser = Browser(library, reads=False)
    async with browser.run_test(size=(80, 24)) as pilot:
        await settled(browser, pilot)
        await pilot.press("enter")
        await settled(browser, pilot)
        assert browser.parts.layout.reader.text.sheet.size.height > 18

        await pilot.press("q")
        await settled(browser, pilot)
        assert browser.parts.layout.reader.text.sheet.size.height < 18
        assert browser.is_running

        await pilot.press("q")
        assert browser.return_code == 0


@pytest.mark.parametrize(
    "size",
    [(1, 1), (20, 6), (40, 12), (60, 16), (80, 24), (120, 36), (200, 50), (250, 70)],
)
async def test_the_browser_is_drawn_at_every_size(
    library: Library, size: tuple[int, int]
) -> None:
    library.sync()
    browser = Browser(library, reads=False)
    async with browser.run_test(size=size) as pilot:
        await settled(browser, pilot)
        for keys in ("j", "2", "6", "enter", "q", "z", "z", "plus", "underscore"):
            await pilot.press(keys)
            await settled(browser, pilot)
        assert browser.failure == ""


async def test_every_command_belongs_to_a_pane_or_a_part(library: Library) -> None:
    library.sync()
    browser = Browser(library)
    panes = (
        Browser,
        JournalRoom,
        QueryBar,
        ReportTable,
        Popup,
        Question,
        Writing,
    )

    assert [
        command.id
        for command in REGISTRY.commands
        if not command.method
        and not any(hasattr(pane, command.handler) for pane in panes)
    ] == []

    left = {command.method for command in REGISTRY.commands if command.method}
    async with browser.run_test(size=(120, 36)) as pilot:
        for view in ("1", "2", "3", "4", "5", "6"):
            await pilot.press(view)
            await settled(browser, pilot)
            left -= {path for path in left if is_part(browser, path)}
    assert left == set()


def test_a_part_is_described_by_its_name_alone(library: Library) -> None:
    """Textual describes the method of each worker, and with it the part."""
    parts = [
        part for part in vars(Browser(library).parts).values() if isinstance(part, Part)
    ]

    assert len(parts) >= 15
    assert [repr(part) for part in parts] == [type(part).__name__ for part in parts]


def is_part(browser: Browser, path: str) -> bool:
    """Whether a method can be found under a path from the browser."""
    try:
        return callable(browser.parts.method(path))
    except AttributeError:
        return False
