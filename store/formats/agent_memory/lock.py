"""`.lock`: whether a writer is at work or left it behind. It is only looked at."""

import os
import re
from datetime import UTC, datetime
from typing import cast

import orjson

from store.findings import Flaw, Severity

STALE = 30_000_000_000
"""How old, in nanoseconds, the lock of a dead writer is when it counts no more."""

HEAD = 4096
"""How much of the file is read; it holds two numbers."""

_MOST = 2**31 - 1
_FIRST = re.compile(rb"\s*(?:pid\W{0,4})?(\d{1,10})\s*(?:[\n,; ]|\Z)", re.IGNORECASE)


def judge(raw: bytes, written: int, now: int) -> Flaw:
    """What to say of a lock that was written at one time and is seen at another.

    It is stale if it is old and its writer is gone, or never said who it was; nobody
    is known to be gone who cannot be told.
    """
    old = now - written > STALE
    since = datetime.fromtimestamp(written // 1_000_000_000, UTC)
    told = f"{since:%Y-%m-%dT%H:%M:%SZ}"
    if not raw.strip():
        who, gone = "a writer that does not say who it is", old
    else:
        pid = pid_of(raw)
        alive = pid is None or is_alive(pid)
        who = "a writer that cannot be told" if pid is None else f"process {pid}"
        gone = old and not alive
    if gone:
        message = f"The lock was left behind by {who}, on {told}."
        return Flaw(code="stale-lock", message=message, severity=Severity.NOTE)
    message = f"The store is locked by {who}, since {told}."
    return Flaw(code="locked", message=message, severity=Severity.NOTE)


def pid_of(raw: bytes) -> int | None:
    """The process that a lock names, alone on a line or as `pid` of an object."""
    found: object = None
    try:
        found = orjson.loads(raw)
        if isinstance(found, dict):
            found = cast("dict[str, object]", found).get("pid")
    except orjson.JSONDecodeError:
        match = _FIRST.match(raw)
        found = int(match[1]) if match else None
    if isinstance(found, bool) or not isinstance(found, int):
        return None
    return found if 0 < found <= _MOST else None


def is_alive(pid: int) -> bool:
    """Whether there is such a process; it is sent nothing."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
