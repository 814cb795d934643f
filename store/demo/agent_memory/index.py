"""index.json: right, but that one memory came after it was counted."""

import json
from collections import defaultdict
from datetime import datetime

from store.demo.agent_memory.things import Thing, last, stamp


def index(things: dict[str, list[Thing]], size: int) -> tuple[str, datetime]:
    """The index, and when it was written; its total is one short on purpose."""
    live = [one for part, some in things.items() if part != "archive" for one in some]
    kinds = [one.told["type"] for one in live]
    written = max(last(some) for some in things.values())
    whole = {
        "version": "1.0.0",
        "last_updated": stamp(written),
        "statistics": {
            "total_memories": len(live) - 1,
            "by_type": {
                kind: kinds.count(kind) for kind in ("core", "learning", "task")
            },
            "archived_count": len(things["archive"]),
            "total_storage_bytes": size,
        },
        "tags_index": _lists(live, "tags"),
        "category_index": _lists(live, "category"),
        "importance_index": {"high": [], "medium": [], "low": []}
        | _lists(live, "importance"),
    }
    return json.dumps(whole, indent=2, ensure_ascii=False) + "\n", written


def _lists(live: list[Thing], field: str) -> dict[str, list[str]]:
    """The identifiers for each word that a field of memories holds."""
    lists: defaultdict[str, list[str]] = defaultdict(list)
    for thing in live:
        value: str | list[str] = thing.told[field]
        for word in [value] if isinstance(value, str) else value:
            lists[word].append(thing.told["id"])
    return dict(sorted(lists.items()))
