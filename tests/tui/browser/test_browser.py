"""The browser opens on what is known, reads the rest in a child, and moves by keys."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot
from textual.widgets import Static

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tui.browser.app import Browser
from tui.words import KINDS
from widgets.lines import Lines
from widgets.reader import Reader

NOW = datetime(2026, 3, 1, tzinfo=UTC)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    stores = demo.write(tmp_path / "stores", NOW)
    catalogue = tmp_path / "cache" / "catalogue.db"
    with Library(catalogue, int(NOW.timestamp()) * 1_000_000) as opened:
        opened.choose(beneath(stores, FORMATS).stores)
        yield opened


def shown(browser: Browser) -> str:
    return str(browser.query_one(Reader).query_one(Static).content)


def kinds(browser: Browser) -> str:
    return str(browser.query_one("#kinds", Static).content)


async def all_read(browser: Browser, pilot: Pilot[None]) -> None:
    """Until the child has read everything."""
    while browser.is_reading:
        await pilot.pause()


async def test_an_empty_catalogue_fills_while_one_looks(library: Library) -> None:
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        assert len(browser.query_one(Lines).lines) == 0

        await all_read(browser, pilot)
        await pilot.pause()

        assert len(browser.query_one(Lines).lines) == library.count("memories") > 100
        assert f"memories {library.count('memories')}" in kinds(browser)


async def test_the_cursor_moves_and_the_reader_follows(library: Library) -> None:
    library.sync()
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)
        first = shown(browser)

        await pilot.press("j", "j")
        third = shown(browser)
        await pilot.press("k", "k")

        assert first != third
        assert shown(browser) == first

        await pilot.press("G")
        lines = browser.query_one(Lines)
        assert lines.cursor == len(lines.lines) - 1
        await pilot.press("g", "pagedown")
        assert 0 < lines.cursor < 30


async def test_every_kind_has_a_key_of_one_character(library: Library) -> None:
    library.sync()
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        for kind, key in zip(KINDS, "1234567890", strict=True):
            await pilot.press(key)
            await pilot.pause()

            assert len(browser.query_one(Lines).lines) == library.count(kind) > 0
            assert f"{key} {kind} {library.count(kind)}" in kinds(browser)
            assert shown(browser)


async def test_it_opens_on_what_there_is(library: Library, tmp_path: Path) -> None:
    talk = tmp_path / "stores" / "claude" / "projects"
    library.choose([one for one in beneath([talk], FORMATS).stores if one.path == talk])
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await all_read(browser, pilot)
        await pilot.pause()
        assert "4 conversations 18" in kinds(browser)
        assert browser.query_one(Lines).lines

        await pilot.press("1")
        await pilot.resize_terminal(80, 24)
        await pilot.pause()

        assert "1 memories 0" in kinds(browser)
        assert shown(browser) == "Nothing here."


async def test_the_keys_of_all_kinds_are_told(library: Library) -> None:
    async with Browser(library, reads=False).run_test(size=(80, 24)) as pilot:
        hints = str(pilot.app.query_one("#hints", Static).content)

    assert "1–9 0 kinds" in hints
    assert cell_len(hints) <= 78


async def test_a_problem_is_told_before_what_it_concerns(library: Library) -> None:
    library.sync()
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await pilot.press("0")
        await pilot.pause()

        problem, concerned = shown(browser).split("─" * 24)[:2]
        assert "error · " in problem
        assert concerned.strip()


async def test_what_has_no_text_of_its_own_begins_with_its_fields(
    library: Library,
) -> None:
    library.sync()
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await pilot.press("7")
        await pilot.pause()

        assert shown(browser).startswith("ref  ")


async def test_it_survives_every_size(library: Library) -> None:
    library.sync()
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        for width, height in [(80, 24), (250, 70), (40, 12), (1, 1), (120, 36)]:
            await pilot.resize_terminal(width, height)
            await pilot.press("j")

        assert browser.query_one(Lines).cursor >= 0


async def test_q_leaves(library: Library) -> None:
    browser = Browser(library)
    async with browser.run_test(size=(100, 30)) as pilot:
        await pilot.press("q")

    assert browser.return_code == 0
