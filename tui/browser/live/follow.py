"""Start the child, listen to it, start it again once, and never leave it behind.

```
browser ── stdin: held open, nothing is said ──> child: recollect sync --events --watch
        <── stdout: an event a line ────────────
```

The child reads at a lower priority than the screen draws. It ends when its stdin does,
which is how it notices that a browser was killed.
"""

import asyncio
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing, suppress
from pathlib import Path

from tui import start
from tui.browser.live.reading import Reading, understood

_LIFE = 2
"""How often the child is started: what crashes twice would go on crashing."""

_LONGEST = 1 << 24
"""Bytes that an event may have: one may name every store of a machine."""

_COMPLAINT = 4096
"""So much of what the child complains of is kept: the end, where the reason is."""

_GONE = "Nothing is read any more: the reader ended{}. What is shown may be old."


async def follow(
    catalogue: Path, stores: Sequence[Path], since: int | None = None
) -> AsyncGenerator[Reading]:
    """Have the catalogue kept up to date, and hear of it, until nobody listens.

    `since` is the library's newest move before anything was shown: what another process
    reads from then on is told of too. What the child has written stays.
    """
    told = reason = ""
    for _ in range(_LIFE):
        child = await _started(catalogue, stores, since)
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
        if told:  # it could not even begin, and said why
            return
    yield Reading(failure=_GONE.format(f" ({reason})" if reason else ""))


async def _started(
    catalogue: Path, stores: Sequence[Path], since: int | None
) -> Process:
    """The child, at work; it shares nothing with the screen, not even ^C."""
    words = [word for store in stores for word in ("--store", str(store))]
    words += ["--catalogue", str(catalogue)]
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
    """What the child says, until it ends."""
    if child.stdout:
        async for line in child.stdout:
            if line.endswith(b"\n"):
                yield understood(line)


async def _last_words(child: Process) -> str:
    """The end of what the child complains of, on one line; read lest it be stuck."""
    told = b""
    if child.stderr:
        while more := await child.stderr.read(_COMPLAINT):
            told = (told + more)[-_COMPLAINT:]
    lines = told.decode("utf-8", "replace").split("\n")
    return next((line.strip() for line in reversed(lines) if line.strip()), "")


async def _end(child: Process, complaint: asyncio.Task[str]) -> None:
    """End the child, and wait until it and all that it started are gone."""
    with suppress(ProcessLookupError):
        child.terminate()
    complaint.cancel()
    await asyncio.gather(complaint, return_exceptions=True)
    await child.communicate()
