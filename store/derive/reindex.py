"""What an index would say of a memory if it were made anew from the memory's file."""

from collections.abc import Mapping
from typing import cast

from store.findings import Json, MemoryFound, Value


def indexed(memory: MemoryFound, path: str) -> dict[str, Json]:
    """The memory's entry in an index that is made anew."""
    facts: dict[str, Json] = {
        "title": memory.title,
        "type": memory.type,
        "tags": cast("list[Json]", list(memory.tags)),
        "importance": memory.importance,
        "confidence": memory.confidence,
        "created": memory.created.text if memory.created else None,
        "updated": memory.updated.text if memory.updated else None,
        "path": path,
    }
    return {name: fact for name, fact in facts.items() if fact is not None}


def entry(memory: MemoryFound, path: str) -> Mapping[str, Value]:
    """The facts of the memory's `IndexEntry`: an index that says otherwise drifted."""
    return {name: _told(fact) for name, fact in indexed(memory, path).items()}


def _told(fact: Json) -> str:
    """A fact as the reader of an index tells it."""
    if isinstance(fact, list):
        return ", ".join(map(str, fact))
    return str(float(fact)) if isinstance(fact, int | float) else str(fact)
