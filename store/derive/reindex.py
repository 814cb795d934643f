"""What an index would say of a memory if it were made anew from the memory's file."""

from collections.abc import Mapping

from store.findings import MemoryFound, Value


def entry(memory: MemoryFound, path: str) -> Mapping[str, Value]:
    """The facts of the memory's `IndexEntry`: an index that says otherwise drifted."""
    facts = {
        "title": memory.title,
        "type": memory.type,
        "tags": ", ".join(memory.tags),
        "importance": _number(memory.importance),
        "confidence": _number(memory.confidence),
        "created": memory.created.text if memory.created else None,
        "updated": memory.updated.text if memory.updated else None,
        "path": path,
    }
    return {key: fact for key, fact in facts.items() if fact is not None}


def _number(value: float | str | None) -> str | None:
    return str(float(value)) if isinstance(value, int | float) else value
