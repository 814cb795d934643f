"""A desk answers in turn; what was given up for another question is put again."""

import asyncio
import threading
from pathlib import Path

import pytest

from store.errors import GivenUpError
from store.library import Library
from tui.browser.data.desk import Desk


async def test_a_question_that_is_given_up_says_so_or_is_put_again(
    tmp_path: Path,
) -> None:
    begun = threading.Event()
    asked: list[int] = []

    def long_one(library: Library) -> int:
        asked.append(1)
        begun.set()
        if len(asked) == 1:
            raise GivenUpError("Nobody waits for this answer any more.")
        return library.count("memories")

    with Library(tmp_path / "catalogue.db", 0) as library:
        desk = Desk(library)
        assert await desk.ask(long_one) == 0
        assert begun.is_set()
        assert len(asked) == 2

        asked.clear()
        with pytest.raises(GivenUpError):
            await desk.ask_once(long_one)
        await desk.close()


async def test_questions_are_answered_in_the_order_in_which_they_are_put(
    tmp_path: Path,
) -> None:
    with Library(tmp_path / "catalogue.db", 0) as library:
        desk = Desk(library)
        order: list[int] = []
        asked = [desk.ask(lambda _, number=n: order.append(number)) for n in range(9)]
        await asyncio.gather(*asked)
        await desk.close()

    assert order == list(range(9))


async def test_all_questions_about_a_library_may_be_answered_by_another(
    tmp_path: Path,
) -> None:
    with (
        Library(tmp_path / "now.db", 1) as now,
        Library(tmp_path / "then.db", 2) as then,
        Library(tmp_path / "else.db", 3) as elsewhere,
    ):
        desks = [Desk(now), Desk(now), Desk(elsewhere)]
        assert [await desk.ask(lambda one: one.now) for desk in desks] == [1, 1, 3]

        await Desk.turn_all(now, then)
        assert [await desk.ask(lambda one: one.now) for desk in desks] == [2, 2, 3]

        for desk in desks:
            await desk.close()


async def test_a_desk_that_nobody_asked_opens_nothing_to_be_closed(
    tmp_path: Path,
) -> None:
    with Library(tmp_path / "catalogue.db", 0) as library:
        desk = Desk(library)
    (tmp_path / "catalogue.db").unlink()

    await desk.close()

    assert not (tmp_path / "catalogue.db").exists()
