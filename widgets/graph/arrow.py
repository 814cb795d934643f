"""An arrow: a link as a memory sees it that it begins or ends at."""

from msgspec import Struct

from store.records.edge import Edge
from store.records.link import Link

_IN_A_FILE = "file"


class Node(Struct, frozen=True, kw_only=True):
    """A record in a graph."""

    ref: str | None
    """Its ref; None where a link leads to nothing."""
    title: str | None
    """What it is called, or what the link names it by."""
    type: str | None = None
    """What kind of memory it is, where that is known."""


class Arrow(Struct, frozen=True, kw_only=True):
    """A link to another record, or from it."""

    kind: str
    """The type of the link."""
    comes_in: bool
    """Whether it comes from the other record."""
    other: Node
    """The other record."""
    strength: float | None = None
    """How strong, 0…1."""
    edge: str | None = None
    """The ref of the edge, where the link is one."""
    has_file: bool = False
    """Whether a file of its own tells of it."""
    is_broken: bool = False
    """Whether only one side knows of it, or it leads to nothing."""


def of_link(
    link: Link, type_of_other: str | None = None, edge: Edge | None = None
) -> Arrow:
    """What `links` answers, as an arrow; where it is an edge, with what that tells."""
    return Arrow(
        kind=link.type,
        comes_in=link.direction == "in",
        other=Node(ref=link.ref, title=link.title, type=type_of_other),
        strength=link.strength,
        edge=link.edge,
        has_file=edge is not None and _IN_A_FILE in edge.sides,
        is_broken=link.ref is None or bool(edge and edge.problems),
    )
