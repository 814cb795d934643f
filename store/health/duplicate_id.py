"""Memories of one store that carry the same identifier."""

from collections.abc import Iterator

from store.health.complaint import Complaint, quoted
from store.health.evidence import Evidence, MemorySeen


def check(evidence: Evidence) -> Iterator[Complaint]:
    """The first by path is the one that links lead to; each later one is reported."""
    first: dict[str, MemorySeen] = {}
    for memory in evidence.memories:
        if memory.own_id is None:
            continue
        holder = first.setdefault(memory.key, memory)
        if holder is memory:
            continue
        where = holder.path.decode(errors="replace")
        yield Complaint(
            code="duplicate-id",
            message=(
                f"The identifier {memory.own_id} belongs to {quoted(holder.title)} in "
                f"{quoted(where)} already; links lead there."
            ),
            path=memory.path,
            ref=memory.ref,
            line=memory.line,
        )
