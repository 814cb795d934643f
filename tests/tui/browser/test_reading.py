"""The child reads, says how far it is, and never outlives who listens to it."""

import os
from contextlib import aclosing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from store import demo
from tui.browser.reading import read_stores


@pytest.fixture
def stores(tmp_path: Path) -> list[Path]:
    return demo.write(tmp_path / "stores", datetime(2026, 3, 1, tzinfo=UTC))


async def test_it_says_how_far_it_is_until_all_is_read(
    tmp_path: Path, stores: list[Path]
) -> None:
    said = [one async for one in read_stores(tmp_path / "cache/catalogue.db", stores)]

    *on_the_way, last = said
    assert on_the_way
    assert all(not one.finished and one.done <= one.total for one in on_the_way)
    assert last.finished
    assert last.done == last.total == on_the_way[-1].total


async def test_it_ends_when_nobody_listens_any_more(
    tmp_path: Path, stores: list[Path]
) -> None:
    child = read_stores(tmp_path / "cache/catalogue.db", stores)
    async with aclosing(child) as said:
        async for _ in said:
            break

    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)  # noqa: ASYNC222  # asks, and does not wait
