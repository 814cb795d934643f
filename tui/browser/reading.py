"""The child that reads the stores, and what it says while it is at it."""

import asyncio
import sys
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncGenerator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import orjson

from tui import start


@dataclass(frozen=True, slots=True)
class Reading:
    """How far the child is."""

    done: int
    """Files read so far."""
    total: int
    """Files to be read."""
    finished: bool
    """Whether all of them are."""


async def read_stores(
    catalogue: Path, stores: Sequence[Path]
) -> AsyncGenerator[Reading]:
    """Let a child bring the catalogue up to date; it shares nothing with the screen.

    Whoever stops listening ends the child; what it has written stays.
    """
    paths = [word for store in stores for word in ("--store", str(store))]
    paths += ["--catalogue", str(catalogue)]
    child = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", start.__file__, "sync", "--events", *paths),
        stdin=DEVNULL,
        stdout=PIPE,
        stderr=DEVNULL,
    )
    try:
        if child.stdout:
            async for line in child.stdout:
                yield _understood(line)
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
        await child.communicate()


def _understood(line: bytes) -> Reading:
    """One event of the child."""
    event = orjson.loads(line)
    if event["event"] == "done":
        return Reading(event["changed"], event["changed"], finished=True)
    return Reading(event["done"], event["total"], finished=False)
