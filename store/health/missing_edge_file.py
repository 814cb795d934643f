"""A relation that names an edge file which is not there."""

from collections.abc import Iterator

from store.health.complaint import Complaint, quoted
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """The file that would tell more about such a link is gone, or never was."""
    for claim in evidence.claims_without_edge_file():
        yield Complaint(
            code="missing-edge-file",
            message=(
                f"A relation names the edge {quoted(claim.edge_id)}, "
                "and no edge file has that identifier."
            ),
            path=claim.path,
            ref=claim.ref,
            line=claim.line,
        )
