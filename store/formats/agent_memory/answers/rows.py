"""A memory as a row of an answer, and the orders that rows come in."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, cast

from store.findings import Json
from store.formats.agent_memory.schema import IMPORTANCES
from store.formats.agent_memory.taken import Kept
from store.times import Instant

Row = Mapping[str, Json]

DAY = 86_400_000_000
"""A day in microseconds."""

_NEVER = -(2**63)
_WEIGHTS = {word: len(IMPORTANCES) - at for at, word in enumerate(IMPORTANCES)}


def row(one: Kept, **more: Json) -> Row:
    """A memory; its text is shown by `show`."""
    memory = one.memory
    return {
        "id": memory.id,
        "type": memory.type,
        "title": memory.title,
        "category": one.category,
        "importance": memory.importance,
        "tags": cast("list[Json]", list(memory.tags)),
        **more,
        "created_at": _text(memory.created),
        "updated_at": _text(memory.updated),
        "accessed_at": _text(memory.accessed),
        "access_count": memory.access_count,
        "archived": memory.archived,
        "path": one.path,
        "line": memory.line,
    }


def micros(instant: Instant | None) -> int:
    """An instant to sort by; what tells no time comes before all else."""
    known = instant.micros if instant else None
    return _NEVER if known is None else known


def weight(one: Kept) -> int:
    """How much a memory matters, to sort by."""
    return _WEIGHTS.get(str(one.memory.importance), 0)


def accessed(one: Kept) -> int:
    """When it was last recalled."""
    return micros(one.memory.accessed)


def ordered(
    kept: Iterable[Kept], key: Callable[[Kept], Any], *, descending: bool = True
) -> list[Kept]:
    """In order of something; what is the same in that keeps the order of the files."""
    return sorted(kept, key=key, reverse=descending)


def is_within(instant: Instant | None, days: int, now: int) -> bool:
    """Whether something happened in so many days before now, or later."""
    return micros(instant) >= now - days * DAY


def is_older(instant: Instant | None, days: int, now: int) -> bool:
    """Whether something is known to have happened more than so many days ago."""
    at = micros(instant)
    return _NEVER < at < now - days * DAY


def _text(instant: Instant | None) -> str | None:
    return instant.iso if instant else None
