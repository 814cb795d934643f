"""A link of an episode or a document that leads to no memory of the store."""

from collections.abc import Iterator

from store.health.complaint import Complaint, quoted
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """Neither the path nor the file name of such a link is known."""
    for link in evidence.lost_links():
        yield Complaint(
            code="lost-link",
            message=f"The link {quoted(link.link)} leads to no memory of this store.",
            path=link.path,
            ref=link.ref,
            line=link.line,
        )
