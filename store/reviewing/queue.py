"""What is left of a review: memories that no one has found right as they stand."""

from collections.abc import Iterable, Iterator, Mapping

from store.records.due import Due
from store.records.memory import Memory
from store.reviewing.queues import Queue


def stood(memory: Memory) -> str:
    """How a memory stands; it is due again once this is something else."""
    parts = (
        memory.updated or "",
        memory.title,
        memory.path,
        " ".join(memory.tags),
        str(memory.importance),
    )
    return "\n".join(parts)


def due(
    found: Iterable[tuple[Queue, Iterable[Memory]]], reviewed: Mapping[str, str]
) -> Iterator[Due]:
    """The memories of some queues, each once, those left out that were seen to."""
    told: set[str] = set()
    for queue, memories in found:
        for memory in memories:
            is_right = reviewed.get(memory.ref) == stood(memory)
            if memory.ref not in told and not is_right:
                told.add(memory.ref)
                yield Due(memory=memory, queue=queue.name, why=queue.why)
