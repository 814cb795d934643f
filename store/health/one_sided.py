"""An edge that is written on one side and missing on the other."""

from collections.abc import Iterator

from store.health.complaint import Complaint
from store.health.evidence import Evidence

_WHERE = {
    "file": "an edge file",
    "outgoing": "the memory it starts at",
    "incoming": "the memory it leads to",
    "index": "the index",
}


def check(evidence: Evidence) -> Iterator[Complaint]:
    """Say which of the sides that belong together an edge lacks."""
    wanted = evidence.two_sided
    for edge in evidence.doubtful_edges:
        sides = set(edge.sides.split())
        missing = wanted - sides
        if not missing or sides <= {"wikilink"} or None in (edge.start, edge.end):
            continue
        has = " and ".join(where for side, where in _WHERE.items() if side in sides)
        lacks = " or ".join(where for side, where in _WHERE.items() if side in missing)
        yield Complaint(
            code="one-sided-link",
            message=f"The {edge.type} link is written in {has}, but not in {lacks}.",
            path=edge.path,
            ref=edge.ref,
            line=edge.line,
        )
