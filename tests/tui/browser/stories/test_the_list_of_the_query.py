"""Keys act on the list of the query on the screen, however slow the search is."""

import asyncio
import threading
from collections.abc import AsyncGenerator, Iterable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

from textual import events

from store.library import Library
from store.machine import Places
from tests.tui.browser.stories.visit import Visit, visiting
from tests.tui.browser.stories.workbench import Workbench
from tui.browser.session import Kept
from tui.browser.worker import Worker

_PATIENCE = 60.0
"""Seconds after which the end of a rest is taken not to come."""

_TURNS = 1000
"""Turns of the event loop in which all keys are surely handled."""


def strike(visit: Visit, keys: Iterable[str]) -> None:
    """Press keys at once, without waiting for their effect."""
    named = {"\r": "enter", " ": "space"}
    for key in keys:
        visit.browser.post_message(events.Key(named.get(key, key), key))


def slow_search(visit: Visit) -> AbstractAsyncContextManager[None]:
    """The thread that searches is busy until the end of the block."""
    worker = visit.browser.parts.session.list_worker
    return busy(visit, worker)


@asynccontextmanager
async def busy(visit: Visit, worker: Worker) -> AsyncGenerator[None]:
    """A worker thread is busy until the end of the block."""
    over = threading.Event()
    waiting = asyncio.create_task(worker.ask(lambda _library: over.wait()))
    try:
        yield
        await turn()
    finally:
        over.set()
        await waiting
    await visit.settle()


async def turn() -> None:
    """Run everything that does not wait for the search."""
    for _ in range(_TURNS):
        await asyncio.sleep(0)


def listed(visit: Visit) -> set[object]:
    """The keys of all rows in the list."""
    table = visit.table
    return {table.key(position) for position in range(table.count())}


async def test_mark_all_marks_the_results_of_the_query(library: Library) -> None:
    async with visiting(library) as visit:
        everything = visit.table.count()
        async with slow_search(visit):
            strike(visit, "/tag:redis\ra")

        assert 0 < visit.table.count() < everything
        assert visit.table.marks == listed(visit)


async def test_moves_and_ranges_begin_in_the_new_list(library: Library) -> None:
    async with visiting(library) as visit:
        await visit.press("G")
        async with slow_search(visit):
            strike(visit, "/tag:redis\rjvj")

        table = visit.table
        assert table.cursor == 2
        assert table.marks == {table.key(1), table.key(2)}


async def test_arrows_in_the_query_bar_move_in_the_new_list(library: Library) -> None:
    async with visiting(library) as visit:
        async with slow_search(visit):
            strike(visit, "/tag:redis")
            visit.browser.post_message(events.Key("down", None))
            strike(visit, "\r ")

        assert visit.table.marks == {visit.table.key(1)}


async def test_a_change_is_made_to_the_first_hit(workbench: Workbench) -> None:
    library = workbench.library
    async with visiting(library, kept=workbench.kept) as visit:
        async with slow_search(visit):
            strike(visit, '/"Memory 4"\rd')

        assert "archived “Memory 4”" in visit.status
        assert [one.action for one in library.journal.past()] == ["archive “Memory 4”"]


async def test_a_change_waits_for_the_record_of_a_list_that_arrives_again(
    workbench: Workbench,
) -> None:
    library = workbench.library
    async with visiting(library, kept=workbench.kept) as visit:
        await visit.ask("tag:unknown")
        assert visit.found == 0
        async with busy(visit, visit.browser.parts.session.worker):
            visit.browser.parts.lists.ask_for('"Memory 4"')
            await visit.browser.parts.lists.listing.settled()
            strike(visit, "d")
            await turn()
            visit.browser.parts.lists.look()
            await visit.browser.parts.lists.listing.settled()
            await turn()

        assert "archived “Memory 4”" in visit.status


async def test_a_list_that_arrives_while_a_record_opens_after_a_rest(
    library: Library,
) -> None:
    async with visiting(library) as visit:
        parts = visit.browser.parts
        async with busy(visit, parts.session.worker):
            strike(visit, "j")
            await turn()
            first = parts.reader.task
            strike(visit, "jj")
            async with asyncio.timeout(_PATIENCE):
                while parts.reader.task is first:  # noqa: ASYNC110  # the rest ends by the clock
                    await asyncio.sleep(0)
            opening = parts.reader.task
            await turn()
            parts.lists.look()
            await parts.lists.listing.settled()
            await turn()
            assert opening
            assert opening.cancelled()

        await visit.press("j")
        assert visit.browser.is_running
        assert visit.table.cursor == 4


async def test_a_command_from_the_palette_waits_too(library: Library) -> None:
    async with visiting(library) as visit:
        async with slow_search(visit):
            strike(visit, "/tag:redis\r")
            await turn()
            await visit.browser.obey("mark-all")

        assert visit.table.marks == listed(visit)


async def test_leaving_the_bar_with_the_mouse_applies_the_query(
    library: Library,
) -> None:
    async with visiting(library) as visit:
        await visit.press("slash", *"tag:redi")
        assert visit.query != "tag:redi"
        await visit.click("list-memories", 20, 5)

        assert visit.query == "tag:redi"
        strike(visit, "a")
        await visit.settle()
        assert visit.table.marks == listed(visit)


async def test_letters_and_enter_at_once_are_one_query(
    library: Library, tmp_path: Path
) -> None:
    kept = Kept(places=Places(tmp_path / "c", tmp_path / "s", tmp_path / "f"))
    async with visiting(library, kept=kept) as visit:
        strike(visit, "/restic\r")
        await visit.settle()
        assert visit.query == "restic"
        await visit.press("slash", "ctrl+u", "up")

        assert visit.pane("query")[0].startswith("/ restic")
