"""Memories, as lists show them."""

import os
import sqlite3

import orjson

from store.catalogue.views.view import PLACE, PROBLEMS_OF, View, of_source
from store.derive.decay import PINNED, stage, strength
from store.records.memory import Memory


def _memory(row: sqlite3.Row, now: int) -> Memory:
    """A memory, its strength computed for `now` (microseconds since 1970)."""
    score, word = faded(now, row["fades"], row["pinned"], row["vigour"])
    return Memory(
        ref=row["ref"],
        store=os.fsdecode(row["store_path"]),
        format=row["format"],
        id=row["own_id"],
        type=row["type"],
        title=row["title"],
        description=row["description"],
        tags=tuple(orjson.loads(row["tags"])),
        importance=row["importance"],
        confidence=row["confidence"],
        created=row["created"],
        updated=row["updated"],
        accessed=row["accessed"],
        access_count=row["access_count"],
        strength=score,
        stage=word,
        pinned=bool(row["pinned"]),
        archived=bool(row["archived"]),
        path=os.fsdecode(row["path"]),
        line=row["line"],
        links_in=row["links_in"],
        links_out=row["links_out"],
        problems=tuple((row["codes"] or "").split()),
    )


def faded(
    now: int, fades: int, pinned: int, vigour: float | None
) -> tuple[float | None, str | None]:
    """Strength and stage; both null where nothing fades or no score can be told."""
    if not fades:
        return None, None
    if pinned:
        return PINNED, "vault"
    if vigour is None:
        return None, None
    score = strength(vigour, now)
    return score, stage(score)


MEMORIES: View[Memory] = View(
    make=_memory,
    table="memories",
    ties=("memories.ref",),
    columns=f"memories.*, {PLACE}, {PROBLEMS_OF.format('memories')} AS codes",
    belongs=of_source("memories"),
    sorts={
        "updated": "memories.changed_at",
        "created": "memories.created_at",
        "accessed": "memories.accessed_at",
        "modified": "sources.mtime_ns",
        "strength": "memories.vigour",
        "importance": "memories.importance",
        "confidence": "memories.confidence",
        "access_count": "memories.access_count",
        "links_in": "memories.links_in",
        "links_out": "memories.links_out",
        "links": "(memories.links_in + memories.links_out)",
        "title": "memories.title COLLATE NOCASE",
        "type": "memories.type",
        "path": "sources.path",
        "store": "stores.path",
    },
    largest_first=frozenset(
        {
            "updated",
            "created",
            "accessed",
            "modified",
            "strength",
            "importance",
            "confidence",
            "access_count",
            "links_in",
            "links_out",
            "links",
        }
    ),
)
