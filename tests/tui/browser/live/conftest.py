"""A small store, a catalogue, and the child that is followed."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path

import pytest

from tests.store.catalogue.stores import cognitive
from tui.browser.sync import Reading, follow

DEADLINE = 60
"""Seconds in which whatever is waited for must come: a bound, not a measurement."""


class Follower:
    """The listener of the child."""

    def __init__(self, readings: AsyncGenerator[Reading]) -> None:
        self.readings = readings

    async def next(self) -> Reading:
        """Its next event."""
        return await asyncio.wait_for(anext(self.readings), DEADLINE)

    async def finished(self) -> Reading:
        """Its next event when it is done or has failed."""
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
    """A follower of the store."""
    async with aclosing(follow(catalogue, [store])) as readings:
        yield Follower(readings)
