"""Who a lock file names, and whether that process is still there."""

import os
import re
from typing import cast

import orjson

STALE = 30.0
"""After how many seconds the lock of a process that is gone counts no more."""

LARGEST = 4096
"""How large a lock file can be that is read; it holds two numbers."""

_MOST = 2**31 - 1
_FIRST = re.compile(rb"\s*(?:pid\W{0,4})?(\d{1,10})\s*(?:[\n,; ]|\Z)", re.IGNORECASE)


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
