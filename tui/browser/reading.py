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
    finished: bool = False
    """Whether it is done."""
    moved: bool = False
    """Whether anything is other than before."""
    failure: str = ""
    """What went wrong, where it did."""


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
        stderr=PIPE,
    )
    try:
        if child.stdout:
            async for line in child.stdout:
                yield _understood(line)
        _, complaint = await child.communicate()
        if child.returncode:
            told = complaint.decode("utf-8", "replace").strip()
            yield Reading(0, 0, finished=True, failure=told or "Reading failed.")
    finally:
        with suppress(ProcessLookupError):
            child.terminate()
        await child.communicate()


def _understood(line: bytes) -> Reading:
    """One event of the child."""
    event = orjson.loads(line)
    if event["event"] == "done":
        changed, removed = event["changed"], event["removed"]
        return Reading(changed, changed, finished=True, moved=bool(changed or removed))
    return Reading(event["done"], event["total"])
