"""The browser opens on what is known, reads the rest in a child, and moves by keys."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from store.records.edge import Edge
from tui.browser.app import Browser
from tui.browser.asking.query_bar import QueryBar
from tui.browser.facets.facet_pane import FacetPane
from tui.browser.panes import (
    EdgeList,
    LinksPane,
    MemoryList,
    ReadingPane,
    RecordList,
)
from tui.browser.popups.popup import Popup
from tui.browser.popups.question import Question
from tui.browser.popups.writing import Writing
from tui.browser.rooms.episodes.panes import CalendarPane
from tui.browser.rooms.episodes.room import EpisodeRoom
from tui.browser.rooms.journals.room import JournalRoom
from tui.browser.rooms.timeline.room import TimelineRoom
from tui.browser.transcript.pane import TranscriptPane
from tui.browser.views import VIEWS
from tui.commands.registry import REGISTRY

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    stores = demo.write(tmp_path / "stores", NOW)
    catalogue = tmp_path / "cache" / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as opened:
        opened.choose(beneath(stores, FORMATS).stores)
        yield opened


def lines_of(browser: Browser, name: str) -> list[str]:
    """What a pane shows, line by line."""
    pane = browser.query_one(f"#{name}")
    return [pane.render_line(y).text for y in range(pane.size.height)]


def at_cursor(browser: Browser) -> str | None:
    """The ref of the record at the cursor."""
    record = browser.table.at_cursor
    return record.ref if record else None


async def settled(browser: Browser, pilot: Pilot[None]) -> None:
    """Until the list is found and the record at the cursor is read."""
    await pilot.pause()
    await browser.settled()
    await pilot.pause()


async def all_read(browser: Browser, pilot: Pilot[None]) -> None:
    """Until the child has read everything."""
    while browser.is_reading:
        await pilot.pause()
    await settled(browser, pilot)


async def test_an_empty_catalogue_fills_while_one_looks(library: Library) -> None:
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)

        assert browser.table.count() == library.count("memories") > 100
        assert f"Memories {library.count('memories')}" in lines_of(browser, "tabs")[0]


async def test_who_did_not_move_while_rows_came_is_at_the_first(
    library: Library, tmp_path: Path
) -> None:
    library.choose(beneath([tmp_path / "stores/cognitive-memory"], FORMATS).stores)
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)

        assert browser.sorted_by == "strength"
        assert (browser.table.cursor, browser.table.first) == (0, 0)


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
        assert browser.table.cursor == browser.table.count() - 1
        await pilot.press("g", "g", "pagedown")
        assert 0 < browser.table.cursor < 30


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

                assert browser.kind == one.kind
                assert browser.table.count() == library.count(one.kind)
                assert f"{one.label}" in lines_of(browser, "tabs")[0]
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
        edge = browser.table.at_cursor
        assert isinstance(edge, Edge)

        await pilot.press("l")
        await settled(browser, pilot)
        assert browser.kind == "memories"
        assert at_cursor(browser) == edge.to

        await pilot.press("H")
        await settled(browser, pilot)
        assert browser.kind == "edges"
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
        assert browser.query_one(ReadingPane).size.height > 18

        await pilot.press("q")
        await settled(browser, pilot)
        assert browser.query_one(ReadingPane).size.height < 18
        assert browser.is_running

        await pilot.press("q")
        assert browser.return_code == 0


@pytest.mark.parametrize(
    "size",
    [(1, 1), (20, 6), (40, 12), (60, 16), (80, 24), (120, 36), (200, 50), (250, 70)],
)
async def test_it_is_drawn_at_every_size(
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


def test_every_command_is_carried_out_by_somebody() -> None:
    panes = (
        Browser,
        MemoryList,
        EdgeList,
        RecordList,
        EpisodeRoom,
        CalendarPane,
        JournalRoom,
        TimelineRoom,
        TranscriptPane,
        ReadingPane,
        LinksPane,
        FacetPane,
        QueryBar,
        Popup,
        Question,
        Writing,
    )

    assert [
        command.id
        for command in REGISTRY.commands
        if not any(hasattr(pane, command.handler) for pane in panes)
    ] == []
