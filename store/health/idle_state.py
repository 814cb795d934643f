"""An entry of the state file that speaks of a memory which is not there."""

from collections.abc import Iterator

from store.findings import Severity
from store.health.complaint import Complaint, quoted
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """Such entries count accesses that nothing can show."""
    for path, key in evidence.idle_accesses():
        yield Complaint(
            code="state-without-memory",
            message=f"The state of {quoted(key.partition(':')[2])} has no memory.",
            severity=Severity.NOTE,
            path=path,
        )
