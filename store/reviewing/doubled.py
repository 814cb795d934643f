"""Which of several memories that are one stays."""

from collections.abc import Sequence

from store.records.memory import Memory
from store.times import parse

FIRST, NEWEST, MERGE = "first", "newest", "merge"
WAYS = (FIRST, NEWEST, MERGE)
"""What can be made of them: what the first says, what the newest says, or all of it."""


def in_order(memories: Sequence[Memory], way: str) -> list[Memory]:
    """The one that stays, then the others; the newest was changed last."""
    if way != NEWEST:
        return list(memories)
    stays = max(memories, key=_changed)
    return [stays, *(memory for memory in memories if memory is not stays)]


def _changed(memory: Memory) -> tuple[int, int, str]:
    return parse(memory.updated or memory.created or "").order
