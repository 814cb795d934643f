"""A small store, a catalogue, and the child that is followed."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive
from tui.browser.live.follow import follow
from tui.browser.live.reading import Reading

DEADLINE = 60
"""Seconds in which whatever is waited for must come: a bound, not a measurement."""


class Follower:
    """Who listens to the child."""

    def __init__(self, readings: AsyncGenerator[Reading]) -> None:
        self.readings = readings

    async def next(self) -> Reading:
        """What it says next."""
        return await asyncio.wait_for(anext(self.readings), DEADLINE)

    async def finished(self) -> Reading:
        """What it says next when it is through, or what is in the way."""
        while not (reading := await self.next()).finished:
            if reading.failure:
                return reading
        return reading


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return cognitive(tmp_path / "store", 3)


@pytest.fixture
def catalogue(tmp_path: Path) -> Path:
    return tmp_path / "cache/catalogue.db"


@pytest.fixture
async def follower(catalogue: Path, store: Path) -> AsyncGenerator[Follower]:
    """Somebody who follows the store."""
    async with aclosing(follow(catalogue, [store])) as readings:
        yield Follower(readings)
