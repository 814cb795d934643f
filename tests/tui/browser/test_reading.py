"""The child reads, says how far it is, and never outlives who listens to it."""

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


def children() -> set[str]:
    """The processes that this one has started and not buried yet."""
    tasks = Path("/proc/self/task")
    if not tasks.is_dir():
        pytest.skip("this system does not list a process's children")
    lists = (task.joinpath("children").read_text() for task in tasks.iterdir())
    return {pid for told in lists for pid in told.split()}


async def test_it_ends_when_nobody_listens_any_more(
    tmp_path: Path, stores: list[Path]
) -> None:
    before = children()
    child = read_stores(tmp_path / "cache/catalogue.db", stores)
    async with aclosing(child) as said:
        async for _ in said:
            assert children() - before
            break

    assert children() <= before
