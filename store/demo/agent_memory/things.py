"""The memories as objects of the format, with what only the demo knows of them."""

import hashlib
from datetime import datetime
from typing import Any
from uuid import UUID

from msgspec import Struct

from store.demo.days import Days, evening
from store.demo.source import Source, Table

_KINDS = {"core": "core", "learnings": "learning", "tasks": "task"}
_LISTED = {"core_memories": "core", **_KINDS}


class Thing(Struct, frozen=True):
    """One memory."""

    told: dict[str, Any]
    """The object that is written."""
    changed: datetime
    """When a writer last touched it: an access counts."""
    list: str
    """The list of a version 1.0 document that it is in."""


def read_things(days: Days) -> dict[str, list[Thing]]:
    """The memories of each part of the story, oldest first."""
    parts = (Source.story(days) / "agent-memories.toml").table()
    return {
        part: sorted(
            (_thing(part, entry, days) for entry in entries),
            key=lambda thing: thing.told["created_at"],
        )
        for part, entries in parts.items()
    }


def last(things: list[Thing]) -> datetime:
    """When the last of them was touched."""
    return max(thing.changed for thing in things)


def stamp(moment: datetime) -> str:
    """An instant as the server writes it."""
    return moment.isoformat(timespec="seconds").replace("+00:00", "Z")


def _thing(part: str, entry: Table, days: Days) -> Thing:
    content: str = entry["content"]
    at = evening(content)
    created = days.ago(entry["ago"], at)
    updated = days.ago(entry.get("changed", entry["ago"]), at)
    accessed = max(updated, days.ago(entry["used"], at))
    told: dict[str, Any] = {
        "id": _identifier(content),
        "type": _LISTED.get(entry.get("list", part), "learning"),
        "content": content,
        "category": entry["category"],
        "created_at": stamp(created),
        "updated_at": stamp(updated),
        "accessed_at": stamp(accessed),
        "access_count": entry["uses"],
        "tags": entry["tags"],
        "importance": entry["importance"],
        "archived": part == "archive",
    }
    if "status" in entry:
        told["task_metadata"] = _metadata(entry, updated)
    return Thing(told, accessed, entry.get("list", part))


def _metadata(entry: Table, updated: datetime) -> dict[str, Any]:
    done = {"completed_at": stamp(updated)} if entry["status"] == "completed" else {}
    more = {key: entry[key] for key in ("blockers", "outcome") if key in entry}
    return {"status": entry["status"], **done, **more}


def _identifier(content: str) -> str:
    """A UUID of version 4, as the format wants them, that is the same every time."""
    return str(UUID(bytes=hashlib.sha256(content.encode()).digest()[:16], version=4))
