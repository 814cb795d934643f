"""When the user last looked at each store, so that what came since can be told."""

import json
from collections.abc import Iterable
from os import fsdecode
from pathlib import Path
from typing import cast

from store.errors import UnreadableError
from store.findings import Json
from store.places import Places
from store.private import only_writer, read_own, replace_own

MOST = 1000
"""So many stores are remembered; those looked at longest ago go first."""

_LATEST = 2**62
_LIMIT = 4 * 1024 * 1024


def last_looks(places: Places) -> dict[str, int]:
    """The last look at each store in microseconds since 1970, by its path.

    What is damaged is as if nobody had looked. Never raises.
    """
    try:
        kept: Json = json.loads(read_own(_file(places), _LIMIT) or b"{}")
    except (UnreadableError, ValueError, RecursionError):
        return {}
    looks = cast("dict[str, Json]", kept) if isinstance(kept, dict) else {}
    return {
        store: instant
        for store, instant in looks.items()
        if type(instant) is int and 0 <= instant <= _LATEST
    }


def look(places: Places, stores: Iterable[Path], now: int) -> None:
    """Remember that the user looks at some stores; raises NotWrittenError."""
    seen = {fsdecode(store): now for store in stores}
    with only_writer(places.state):
        others = {k: v for k, v in last_looks(places).items() if k not in seen}
        kept = dict([*others.items(), *seen.items()][-MOST:])
        replace_own(_file(places), f"{json.dumps(kept)}\n".encode())


def _file(places: Places) -> Path:
    return places.state / "looked"
