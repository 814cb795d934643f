"""A memory that the store's index document does not name."""

from collections.abc import Iterator

from store.findings import Severity
from store.health.complaint import Complaint
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """An agent that reads only the index never learns of such a memory."""
    indexes = evidence.memory_indexes()
    if not indexes:
        return
    for memory in evidence.memories:
        if not memory.mentioned:
            yield Complaint(
                code="unlisted-memory",
                message="MEMORY.md does not name this memory.",
                severity=Severity.NOTE,
                path=memory.path,
                ref=memory.ref,
                line=memory.line,
            )
