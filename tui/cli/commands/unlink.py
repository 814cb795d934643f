"""`recollect unlink EDGE`, `recollect unlink REF REF`: take a link away."""

import argparse
from collections.abc import Sequence

from store.errors import AmbiguousError, NothingFoundError, WrongUseError
from store.library import Library
from store.records.edge import Edge
from store.records.intents import Delete
from tui.cli.changing.carrying import carry_out, changing
from tui.cli.session import Session

_ENDS = 2


def run(arguments: argparse.Namespace, session: Session) -> None:
    """Unlink two memories."""
    refs: Sequence[str] = arguments.refs
    if len(refs) > _ENDS:
        raise WrongUseError("An edge is named by its ref, or by both its ends.")
    with changing(session, arguments) as library:
        edge = _edge(library, refs, arguments.type)
        carry_out(library, session, arguments, library.plan(Delete(), [edge]))


def _edge(library: Library, refs: Sequence[str], kind: str | None) -> Edge:
    """The edge that is meant."""
    found = library.changeable(refs)
    if len(refs) == 1:
        (edge,) = found
        if not isinstance(edge, Edge):
            raise WrongUseError(f"{refs[0]!r} names no edge; name both its ends.")
        return edge
    start, end = (record.ref for record in [*found, *found][:_ENDS])
    edges = _between(library, str(start), str(end), kind)
    if len(edges) == 1:
        return edges[0]
    if edges:
        told = [f"  {edge.ref}  {edge.type}" for edge in edges]
        raise AmbiguousError("\n".join(["Several edges lead there:", *told]))
    wanted = f"{kind} edge" if kind else "edge"
    raise NothingFoundError(f"No {wanted} leads from the first to the second.")


def _between(library: Library, start: str, end: str, kind: str | None) -> list[Edge]:
    """The edges from one memory to another, of a type if that is told."""
    edges = {
        link.edge: record
        for link in library.links(start)
        if link.edge and link.direction == "out" and link.ref == end
        for record in library.changeable([link.edge])
    }
    found = [edge for edge in edges.values() if isinstance(edge, Edge)]
    return [edge for edge in found if kind is None or edge.type == kind]
