"""What the child says of its reading, as the browser takes it."""

import json
from pathlib import Path
from typing import Any

from msgspec import Struct


class Changed(Struct, frozen=True):
    """What is other than before; everything else may stay on the screen as it is."""

    stores: frozenset[Path]
    """The stores that moved."""
    kinds: frozenset[str]
    """The kinds of record of which some came, went or changed."""


class Reading(Struct, frozen=True):
    """How far the child is, or what it came to."""

    done: int = 0
    """Files read so far."""
    total: int = 0
    """Files to be read; 0 where another process reads, and only it knows."""
    finished: bool = False
    """Whether all is read, so far as it can be."""
    changed: Changed | None = None
    """What moved since the last time that it was finished, if anything did."""
    failure: str = ""
    """What is in the way, in a sentence; the next that is finished takes it back."""
    move: int | None = None
    """The number of the last move that was told."""


def understood(line: bytes) -> Reading:
    """One event of the child."""
    # orjson takes no name of a file that holds what is no UTF-8
    event: dict[str, Any] = json.loads(line)
    match event["event"]:
        case "done":
            files = event["files"]
            changed = _changed(event["moved"])
            move = event["move"]
            return Reading(files, files, finished=True, changed=changed, move=move)
        case "failed":
            return Reading(failure=event["message"])
        case "waiting":
            return Reading(event["done"])
        case _:
            return Reading(event["done"], event["total"])


def _changed(moved: list[dict[str, Any]]) -> Changed | None:
    """The stores and kinds of an event, if there are any."""
    if not moved:
        return None
    stores = frozenset(Path(each["store"]) for each in moved)
    return Changed(stores, frozenset(kind for each in moved for kind in each["kinds"]))
