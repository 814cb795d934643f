"""The child process that reads the stores, and the events it prints."""

import asyncio
import json
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Hashable, Mapping, Sequence
from contextlib import aclosing, suppress
from pathlib import Path
from typing import Any, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from store.kinds.conversations import Conversation
from store.kinds.memories import Memory
from store.library import Record
from tui import start

# The child's events.


class Changed(Struct, frozen=True):
    """What has changed; everything else on the screen is still valid."""

    stores: frozenset[Path]
    """The stores that changed."""
    kinds: frozenset[str]
    """The kinds with added, deleted or changed records."""


class Reading(Struct, frozen=True):
    """The progress of the child, or its result."""

    done: int = 0
    """Files read so far."""
    total: int = 0
    """Files to read; 0 if another process reads, because only that one knows."""
    finished: bool = False
    """Whether everything that can be read is read."""
    changed: Changed | None = None
    """What changed since the last finished sync, if anything."""
    failure: str = ""
    """An error message; cleared by the next finished sync."""
    is_unwritable: bool = False
    """Whether the error is that the index can't be written."""
    move: int | None = None
    """The number of the last move reported."""


def understood(line: bytes) -> Reading:
    """Parse an event of the child."""
    # orjson rejects file names that are not valid UTF-8
    event: dict[str, Any] = json.loads(line)
    match event["event"]:
        case "done":
            files = event["files"]
            changed = _changed(event["moved"])
            move = event["move"]
            return Reading(files, files, finished=True, changed=changed, move=move)
        case "failed":
            return Reading(failure=event["message"], is_unwritable=event["index"])
        case "waiting":
            return Reading(event["done"])
        case _:
            return Reading(event["done"], event["total"])


def _changed(moved: list[dict[str, Any]]) -> Changed | None:
    """The changed stores and kinds of an event, if any."""
    if not moved:
        return None
    stores = frozenset(Path(each["store"]) for each in moved)
    return Changed(stores, frozenset(kind for each in moved for kind in each["kinds"]))


# Which visible records are new or changed.
#
# The displayed values of a record also change as time passes: memories fade, and
# conversations come to an end. That does not count as a change.

Name = TypeVar("Name", bound=Hashable)


def changed(before: Mapping[Name, Record], after: Mapping[Name, Record]) -> set[Name]:
    """The names of the records that were added or changed between two states.

    Names stay the same over time: refs, if all records have one. A few dozen records
    take some microseconds, and the library is not needed.
    """
    return {
        name
        for name, record in after.items()
        if name not in before or _is_other(before[name], record)
    }


def gone(before: Mapping[Name, Record], after: Mapping[Name, Record]) -> set[Name]:
    """The names of the records that no longer exist."""
    return set(before) - set(after)


def _is_other(before: Record, after: Record) -> bool:
    """Whether a record differs in more than values that change with time."""
    return before != after and _lasting(before) != _lasting(after)


def _lasting(record: Record) -> Record:
    """A record without the values that change with time."""
    match record:
        case Memory():
            return replace(record, strength=None, stage=None, fades_in=None)
        case Conversation():
            return replace(record, status="", ready_at=None)
        case _:
            return record


# Start the child, listen to it, restart it once, and never leave it behind.
#
#   browser ── stdin: held open, nothing is written ──> child: recollect sync
#           <── stdout: one event per line ────────────        --events --watch
#
# The child has a lower priority than the browser. It ends when its stdin is closed,
# which is how it notices that the browser was killed.

_LIFE = 2
"""Maximum starts of the child: after two crashes it would crash again."""

_LONGEST = 1 << 24
"""Maximum bytes of an event, which may name every store of the machine."""

_COMPLAINT = 4096
"""Bytes saved of the child's stderr: the end, where the reason is."""

_GONE = "Live updates stopped{}. The data may be out of date; press R to reload."


async def follow(
    catalogue: Path,
    stores: Sequence[Path],
    since: int | None = None,
    form: str | None = None,
    others: Sequence[str] = (),
) -> AsyncGenerator[Reading]:
    """Keep the catalogue up to date and yield the progress, until closed.

    `since` is the library's newest move before anything was shown, so that changes read
    by another process since then are reported too. What the child has written stays.
    `form` is the format of the stores if the user named it. `others` are stores that a
    search would not find, as FORMAT:PATH.
    """
    words = [word for store in stores for word in ("--store", str(store))]
    words += [word for store in others for word in ("--also", store)]
    words += [] if form is None else ["--as", form]
    told = reason = ""
    for _ in range(_LIFE):
        child = await _started(catalogue, since, words)
        complaint = asyncio.create_task(_last_words(child))
        try:
            async with aclosing(_heard(child)) as readings:
                async for reading in readings:
                    since = since if reading.move is None else reading.move
                    told = reading.failure
                    yield reading
            reason = await complaint
        finally:
            await _end(child, complaint)
        if told:  # it could not start, and said why
            return
    yield Reading(failure=_GONE.format(f" ({reason})" if reason else ""))


async def _started(
    catalogue: Path, since: int | None, stores: Sequence[str]
) -> Process:
    """The running child, in its own session, so that ^C does not reach it."""
    words = [*stores, "--catalogue", str(catalogue)]
    words += [] if since is None else ["--since", str(since)]
    return await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", start.__file__, "sync", "--events", "--watch", *words),
        stdin=PIPE,
        stdout=PIPE,
        stderr=PIPE,
        limit=_LONGEST,
        start_new_session=True,
    )


async def _heard(child: Process) -> AsyncGenerator[Reading]:
    """The child's events, until it ends."""
    if child.stdout:
        async for line in child.stdout:
            if line.endswith(b"\n"):
                yield understood(line)


async def _last_words(child: Process) -> str:
    """The last line of the child's stderr, which must be read to avoid blocking."""
    told = b""
    if child.stderr:
        while more := await child.stderr.read(_COMPLAINT):
            told = (told + more)[-_COMPLAINT:]
    lines = told.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


async def _end(child: Process, complaint: asyncio.Task[str]) -> None:
    """End the child and wait until it is gone, unless that is cancelled too.

    What is open to it then would be closed after the loop has ended, which fails with a
    traceback on the terminal.
    """
    with suppress(ProcessLookupError):
        child.terminate()
    complaint.cancel()
    try:
        await asyncio.gather(complaint, return_exceptions=True)
        await child.communicate()
    finally:
        child._transport.close()  # noqa: SLF001  # pyright: ignore[reportUnknownMemberType, reportAttributeAccessIssue]  # nothing public closes it
