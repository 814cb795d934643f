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


def of_link(link: Link, type_of_other: str | None = None) -> Arrow:
    """What `links` answers, as an arrow."""
    return Arrow(
        kind=link.type,
        comes_in=link.direction == "in",
        other=Node(ref=link.ref, title=link.title, type=type_of_other),
        strength=link.strength,
        edge=link.edge,
        is_broken=link.ref is None,
    )


def of_edge(edge: Edge, center: str, type_of_other: str | None = None) -> Arrow:
    """An edge as the record with the ref `center` sees it."""
    comes_in = edge.from_ != center
    ref, title = (edge.from_, edge.from_title) if comes_in else (edge.to, edge.to_title)
    return Arrow(
        kind=edge.type,
        comes_in=comes_in,
        other=Node(ref=ref, title=title, type=type_of_other),
        strength=edge.strength,
        edge=edge.ref,
        has_file=_IN_A_FILE in edge.sides,
        is_broken=bool(edge.problems) or ref is None,
    )
