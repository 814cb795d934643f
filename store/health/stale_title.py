"""An edge file that copies a title which its memory no longer has."""

from collections.abc import Iterator

from store.health.complaint import Complaint, quoted
from store.health.evidence import Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """Compare the copied titles with the real ones."""
    for edge in evidence.doubtful_edges:
        if "file" not in edge.sides.split():
            continue
        for copied, real in (
            (edge.start_named, edge.start_title),
            (edge.end_named, edge.end_title),
        ):
            if copied and real and copied != real:
                yield Complaint(
                    code="stale-title",
                    message=(
                        f"The edge calls a memory {quoted(copied)}, "
                        f"which is called {quoted(real)} now."
                    ),
                    path=edge.path,
                    ref=edge.ref,
                    line=edge.line,
                )
