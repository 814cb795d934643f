"""An edge one of whose ends is no memory of the store."""

from collections.abc import Iterator

from store.findings import Severity
from store.health.complaint import Complaint, quoted
from store.health.evidence import EdgeSeen, Evidence


def check(evidence: Evidence) -> Iterator[Complaint]:
    """Name each end that leads nowhere; a mere wikilink is a note, not a warning."""
    for edge in evidence.doubtful_edges:
        for end, key, named in (
            (edge.start, edge.start_key, edge.start_named),
            (edge.end, edge.end_key, edge.end_named),
        ):
            if end is None:
                yield _complaint(edge, key, named)


def _complaint(edge: EdgeSeen, key: str, named: str | None) -> Complaint:
    scheme, _, name = key.partition(":")
    mere_link = edge.sides == "wikilink"
    if scheme == "name":
        named, name = None, named or name
    called = f", which it calls {quoted(named)}" if named else ""
    return Complaint(
        code="dangling-link",
        message=(
            f"The {edge.type} link leads to {_WORDS[scheme]} {quoted(name)}{called}; "
            "no memory here has it."
        ),
        severity=Severity.NOTE if mere_link else Severity.WARNING,
        path=edge.path,
        ref=edge.ref,
        line=edge.line,
    )


_WORDS = {"id": "the identifier", "path": "the path", "name": "the name"}
