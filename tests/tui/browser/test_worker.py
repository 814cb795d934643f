"""A worker answers in turn; a request cancelled for another is made again."""

import asyncio
import threading
from pathlib import Path

import pytest

from store.errors import GivenUpError
from store.kinds import KINDS
from store.library import Library, Page
from tests.bench.stores import make_store
from tests.store.catalogue.stores import Shelf
from tests.store.catalogue.test_damaged_in_use import damage
from tui.browser.worker import MINUTE, Wish, Worker, find


async def test_a_cancelled_request_says_so_or_is_made_again(
    tmp_path: Path,
) -> None:
    begun = threading.Event()
    asked: list[int] = []

    def long_one(library: Library) -> int:
        asked.append(1)
        begun.set()
        if len(asked) == 1:
            raise GivenUpError("Nobody waits for this answer any more.")
        return library.lists.count("memories")

    with Library(tmp_path / "catalogue.db", 0) as library:
        worker = Worker(library)
        assert await worker.ask(long_one) == 0
        assert begun.is_set()
        assert len(asked) == 2

        asked.clear()
        with pytest.raises(GivenUpError):
            await worker.ask_once(long_one)
        await worker.close()


async def test_requests_are_answered_in_order(
    tmp_path: Path,
) -> None:
    with Library(tmp_path / "catalogue.db", 0) as library:
        worker = Worker(library)
        order: list[int] = []
        asked = [worker.ask(lambda _, number=n: order.append(number)) for n in range(9)]
        await asyncio.gather(*asked)
        await worker.close()

    assert order == list(range(9))


async def test_an_answer_is_kept_until_a_row_moves_or_a_minute_has_passed(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    make_store(shelf.places[0] / "a", 2)
    shelf.sync()
    asked: list[int] = []

    def count(library: Library) -> int:
        asked.append(library.stores.now)
        return library.lists.count("memories")

    with shelf.opened() as library:
        worker = Worker(library)
        assert [await worker.ask(count, "all") for _ in range(3)] == [2, 2, 2]
        assert len(asked) == 1

        make_store(shelf.places[0] / "b", 1)
        shelf.sync()
        assert [await worker.ask(count, "all") for _ in range(2)] == [2, 2]
        assert len(asked) == 2

        library.stores.as_of(library.stores.now + MINUTE)
        assert await worker.ask(count, "all") == 2
        assert len(asked) == 3
        await worker.close()


async def test_all_requests_about_a_library_can_be_moved_to_another(
    tmp_path: Path,
) -> None:
    with (
        Library(tmp_path / "now.db", 1) as now,
        Library(tmp_path / "then.db", 2) as then,
        Library(tmp_path / "else.db", 3) as elsewhere,
    ):
        workers = [Worker(now), Worker(now), Worker(elsewhere)]
        assert [await worker.ask(lambda one: one.stores.now) for worker in workers] == [
            1,
            1,
            3,
        ]

        await Worker.turn_all(now, then)
        assert [await worker.ask(lambda one: one.stores.now) for worker in workers] == [
            2,
            2,
            3,
        ]

        for worker in workers:
            await worker.close()


async def test_a_worker_without_requests_opens_nothing(
    tmp_path: Path,
) -> None:
    with Library(tmp_path / "catalogue.db", 0) as library:
        worker = Worker(library)
    (tmp_path / "catalogue.db").unlink()

    await worker.close()

    assert not (tmp_path / "catalogue.db").exists()


async def test_an_index_damaged_meanwhile_is_read_again(
    tmp_path: Path,
) -> None:
    shelf = Shelf(tmp_path / "catalogue.db", tmp_path / "stores")
    make_store(shelf.places[0] / "a", 60)
    shelf.sync()
    with shelf.opened() as library:
        worker = Worker(library)
        assert await worker.ask(lambda now: now.lists.count("memories")) == 60
        damage(shelf.catalogue, "memories")

        found = await worker.ask(lambda now: list(now.lists.page("memories", Page())))

        assert len(found) == 60
        await worker.close()


@pytest.mark.parametrize("kind", sorted(KINDS))
def test_every_kind_can_be_listed_without_the_archived(
    tmp_path: Path, kind: str
) -> None:
    with Library(tmp_path / "catalogue.db", 0) as library:
        assert find(library, Wish(kind, has_archived=False)).total == 0
