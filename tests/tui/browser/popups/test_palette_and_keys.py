"""The palette finds commands, memories and stores; the page of keys explains itself."""

from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
import pytest_asyncio
from textual.pilot import Pilot

from store import demo
from store.discover import beneath
from store.formats.register import FORMATS
from store.library import Library
from tests.tui.browser.popups.opened import UNDECIDED, Opener
from tui.browser.data.desk import Desk
from tui.browser.popups.command_palette import (
    CommandPalette,
    GoToMemory,
    GoToStore,
    RunCommand,
)
from tui.browser.popups.keys_page import KeysPage
from tui.commands.keyed import Keyed
from tui.commands.listing import Listing
from tui.commands.registry import NEEDED, REGISTRY
from tui.commands.scopes import Scope
from tui.commands.situation import Situation
from tui.keys.remap import remap
from widgets.styles.palette import DARK

NOW = datetime(2026, 3, 1, tzinfo=UTC)
TODAY = NOW.date()
USUAL = REGISTRY.usual_keys
HEADINGS = {"commands", "memories", "stores"}
AT_A_MEMORY = Situation(rows=9, has_record=True, stores=2, has_file=True)


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder: Path = tmp_path_factory.mktemp("palette")
    stores = demo.write(folder / "stores", NOW)
    now = int(NOW.timestamp()) * 1_000_000
    with Library(folder / "cache" / "catalogue.db", now) as opened:
        opened.choose(beneath(stores, FORMATS).stores)
        opened.sync()
        yield opened


@pytest_asyncio.fixture
async def desk(library: Library) -> AsyncIterator[Desk]:
    opened = Desk(library)
    yield opened
    await opened.close()


def listing(situation: Situation = AT_A_MEMORY) -> Listing:
    return Listing(Keyed(REGISTRY, USUAL), Scope.MEMORIES, situation)


async def settled(app: Opener, pilot: Pilot[None]) -> list[str]:
    """The rows of the popup once everything asked for has been answered."""
    for worker in list(app.workers):
        await worker.wait()
    await pilot.pause()
    return [row.strip("│ ") for row in app.shown() if "│" in row]


async def test_all_commands_are_listed_with_their_keys(desk: Desk) -> None:
    app = Opener(CommandPalette(listing(), desk, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        rows = await settled(app, pilot)

        assert rows[0] == "> a command, a memory, a store, at DATE"
        first = listing().possible_first[0]
        assert first.why_not is None
        assert rows[1].startswith(f"{first.title} ")
        assert rows[1].endswith(f" {'  '.join(first.keys)}")
        assert rows[-1] in {first.help, first.why_not}


async def test_a_command_is_found_and_run(desk: Desk) -> None:
    app = Opener(CommandPalette(listing(), desk, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"theme")
        await settled(app, pilot)
        await pilot.press("enter")
        await pilot.pause()

    assert app.came_to == RunCommand("theme")


async def test_a_memory_is_found_by_half_of_its_name(
    desk: Desk, library: Library
) -> None:
    app = Opener(CommandPalette(listing(), desk, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"celrey")
        rows = await settled(app, pilot)
        assert rows[1] == "memories"
        assert "Celery" in rows[2]

        await pilot.press("enter")
        await pilot.pause()
    assert isinstance(app.came_to, GoToMemory)
    assert library.show(app.came_to.ref)


async def test_a_store_is_found_by_its_name(desk: Desk, library: Library) -> None:
    app = Opener(CommandPalette(listing(), desk, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await settled(app, pilot)
        await pilot.press(*"hearthbot")
        rows = await settled(app, pilot)
        choices = [row for row in rows[1:] if row not in HEADINGS]
        store = rows[rows.index("stores") + 1]
        await pilot.press(*["down"] * choices.index(store), "enter")
        await pilot.pause()

    assert app.came_to in {GoToStore(one.path) for one in library.stores()}
    assert "hearthbot" in app.came_to.path


async def test_what_cannot_be_done_stays_and_says_why(desk: Desk) -> None:
    app = Opener(CommandPalette(listing(Situation()), desk, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"reverse")
        await settled(app, pilot)
        await pilot.press("enter")
        rows = await settled(app, pilot)

        assert app.came_to is UNDECIDED
        assert rows[-1] == "The list is empty."


async def test_the_page_of_keys_stands_under_headings() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(120, 36) as pilot:
        rows = await settled(app, pilot)

        assert "keys · Memories" in "".join(app.shown())
        group, (first, *_) = listing().grouped()[0]
        assert rows[1] == group == "moving", "as one has to before all else"
        assert rows[2].startswith("  ".join(first.keys))
        assert not rows[2].endswith("…"), "there is room for the sentence"
        assert first.title in rows[2]
        assert rows[-1] in {first.help, first.why_not}


async def test_the_page_of_keys_is_searched_and_runs_what_is_chosen() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"zoom")
        rows = await settled(app, pilot)
        assert rows[1].split()[:2] == ["z", "Zoom"]

        await pilot.press("enter")
        await pilot.pause()
    assert app.came_to == "zoom"


async def test_the_page_of_keys_shows_the_keys_of_today() -> None:
    changed = remap(USUAL, {"zoom": (["\\"], 1)}, NEEDED).keymap
    keyed = Keyed(REGISTRY, changed)
    page = KeysPage("Memories", Listing(keyed, Scope.MEMORIES, AT_A_MEMORY), DARK)
    app = Opener(page)
    async with app.at(80, 24) as pilot:
        await pilot.press(*"zoom")
        rows = await settled(app, pilot)

        assert rows[1].split()[:2] == ["\\", "Zoom"]


async def test_the_key_that_opened_the_page_closes_it() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 24) as pilot:
        await pilot.press("f1")
        await pilot.pause()

    assert app.came_to is None


async def test_the_cursor_passes_over_headings_and_shows_the_first_one() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 24) as pilot:
        await pilot.press("pagedown", "pagedown", *["up"] * 40)
        rows = await settled(app, pilot)

        assert rows[1] == listing().grouped()[0][0]
        await pilot.press(*["down"] * 300)
        await pilot.press("enter")
        await pilot.pause()
    assert app.came_to not in {None, UNDECIDED}
