"""The palette finds commands, memories and stores; the page of keys."""

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
from tui.browser.popups.palette import (
    CommandPalette,
    GoToMemory,
    GoToStore,
    KeysPage,
    RunCommand,
    SignsPage,
)
from tui.browser.popups.popup import Choice, Heading
from tui.browser.worker import Worker
from tui.commands.command import Scope, Situation
from tui.commands.registry import NEEDED, REGISTRY, Keyed, Listing
from tui.keys import remap
from widgets.styles import DARK

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
        opened.stores.choose(beneath(stores, FORMATS).stores)
        opened.sync()
        yield opened


@pytest_asyncio.fixture
async def worker(library: Library) -> AsyncIterator[Worker]:
    opened = Worker(library)
    yield opened
    await opened.close()


def listing(situation: Situation = AT_A_MEMORY) -> Listing:
    return Listing(Keyed(REGISTRY, USUAL), Scope.MEMORIES, situation)


async def settled(app: Opener, pilot: Pilot[None]) -> list[str]:
    """The rows of the popup once all requests have been answered."""
    for worker in list(app.workers):
        await worker.wait()
    await pilot.pause()
    return [row.strip("│▐ ") for row in app.shown() if "│" in row]


async def test_what_newcomers_need_is_listed_first_with_its_keys(
    worker: Worker,
) -> None:
    app = Opener(CommandPalette(listing(), worker, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        rows = await settled(app, pilot)

        assert rows[0] == "> command, memory, store, or at DATE"
        assert rows[1] == "start here"
        firsts = ["Search", "Pin / unpin", "Edit", "Undo", "Allow edits", "Help"]
        for title, row in zip(firsts, rows[2:8], strict=True):
            assert row.startswith(f"{title} ")
        assert rows[2].endswith(" /")
        assert rows[8] == "all commands"
        assert rows[-1] == "Search as you type; typos are fine."


async def test_descriptions_use_the_width_of_the_screen(worker: Worker) -> None:
    app = Opener(CommandPalette(listing(), worker, DARK, TODAY))
    async with app.at(100, 30) as pilot:
        rows = await settled(app, pilot)

        assert "Toggle read-only for the open stores." in "\n".join(rows)


async def test_every_command_is_listed_once(worker: Worker) -> None:
    page = CommandPalette(listing(), worker, DARK, TODAY, ["sort", "edit"])
    app = Opener(page)
    async with app.at(80, 24) as pilot:
        await settled(app, pilot)
        rows = page.rows("")
        commands = [row.value for row in rows if isinstance(row, Choice)]

    assert len(commands) == len(set(commands)) == len(listing().entries)
    assert commands[:2] == [RunCommand("sort"), RunCommand("edit")]
    assert rows[0] == Heading("used last")


async def test_a_command_is_found_and_run(worker: Worker) -> None:
    app = Opener(CommandPalette(listing(), worker, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"theme")
        await settled(app, pilot)
        await pilot.press("enter")
        await pilot.pause()

    assert app.came_to == RunCommand("theme")


async def test_a_memory_is_found_by_half_of_its_name(
    worker: Worker, library: Library
) -> None:
    app = Opener(CommandPalette(listing(), worker, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"celrey")
        rows = await settled(app, pilot)
        assert rows[1] == "memories"
        assert "Celery" in rows[2]

        await pilot.press("enter")
        await pilot.pause()
    assert isinstance(app.came_to, GoToMemory)
    assert library.records.show(app.came_to.ref)


async def test_a_store_is_found_by_its_name(worker: Worker, library: Library) -> None:
    app = Opener(CommandPalette(listing(), worker, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await settled(app, pilot)
        await pilot.press(*"hearthbot")
        rows = await settled(app, pilot)
        choices = [row for row in rows[1:] if row not in HEADINGS]
        store = rows[rows.index("stores") + 1]
        await pilot.press(*["down"] * choices.index(store), "enter")
        await pilot.pause()

    assert app.came_to in {GoToStore(one.path) for one in library.lists.stores()}
    assert "hearthbot" in app.came_to.path


async def test_an_unavailable_command_stays_and_says_why(worker: Worker) -> None:
    app = Opener(CommandPalette(listing(Situation()), worker, DARK, TODAY))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"reverse")
        await settled(app, pilot)
        await pilot.press("enter")
        rows = await settled(app, pilot)

        assert app.came_to is UNDECIDED
        assert rows[-1] == "The list is empty."


async def test_the_page_of_keys_has_headings() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(120, 36) as pilot:
        rows = await settled(app, pilot)

        assert "keys · Memories" in "".join(app.shown())
        assert rows[1] == "signs"
        assert rows[2].startswith("g?  Signs and types")
        group, (first, *_) = listing().grouped()[0]
        assert rows[3] == group == "moving", "as one has to before all else"
        assert rows[4].startswith("  ".join(first.keys))
        assert not rows[4].endswith("…"), "there is room for the sentence"
        assert first.title in rows[4]


async def test_the_page_of_keys_is_searched_and_runs_the_chosen_command() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 24) as pilot:
        await pilot.press(*"zoom")
        rows = await settled(app, pilot)
        assert rows[1].split()[:2] == ["z", "Zoom"]

        await pilot.press("enter")
        await pilot.pause()
    assert app.came_to == "zoom"


async def test_the_page_of_keys_shows_the_current_keys() -> None:
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


async def test_signs_and_types_are_explained() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 60) as pilot:
        await pilot.press("p", "i", "n", "n", "e", "d")
        rows = await settled(app, pilot)
        assert any(row.split()[:3] == ["◆", "pinned", "Never"] for row in rows)

        await pilot.press("ctrl+u", "S", "O", "L")
        rows = await settled(app, pilot)
        assert ["SOL", "solution"] in [row.split() for row in rows]


async def test_the_cursor_skips_headings_and_shows_the_first_one() -> None:
    app = Opener(KeysPage("Memories", listing(), DARK))
    async with app.at(80, 24) as pilot:
        await pilot.press("pagedown", "pagedown", *["up"] * 40)
        rows = await settled(app, pilot)

        assert rows[1] == "signs"
        await pilot.press("enter")
        await pilot.pause()
    assert app.came_to == "signs"


async def test_the_signs_of_the_view_are_first_and_only_to_read() -> None:
    app = Opener(SignsPage("conversations", DARK))
    async with app.at(80, 24) as pilot:
        rows = await settled(app, pilot)
        assert rows[1] == "signs · timeline"
        assert rows[3].split()[:3] == ["◇", "ready", "Over;"]
        await pilot.press("enter")
        assert app.came_to is UNDECIDED
        await pilot.press(*"unseen")
        rows = await settled(app, pilot)
        assert rows[1].split()[:2] == ["⊘", "unseen"]
