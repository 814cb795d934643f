"""The links of a graph, as both of their ends and their own files speak of them."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from msgspec import Struct

from store.demo.cognitive.placed import Placed
from store.demo.identity import identify
from store.demo.model import Graph, Link

SLUG_LENGTH = 32


class Edge(Struct, frozen=True, kw_only=True):
    """A link between two memories that are both in the graph."""

    link: Link
    start: Placed
    end: Placed
    created: datetime
    id: str | None
    """Its own identifier, where it has a file."""
    path: str | None
    """Its own file, where it was worth one."""


def connect(graph: Graph, placed: Mapping[str, Placed]) -> list[Edge]:
    """All edges of a graph, in the order of their starts; what dangles is none."""
    return [
        _edge(link, placed[memory.slug], placed[link.to])
        for memory in graph.memories
        for link in memory.links
        if link.to in placed
    ]


def _edge(link: Link, start: Placed, end: Placed) -> Edge:
    own = identify("edge", start.memory.slug, link.type, link.to)
    names = (start.name, end.name)
    ends = [name[:SLUG_LENGTH].rstrip("-") for name in names]
    file = f"graph/edges/{ends[0]}--{link.type}--{ends[1]}-{own[:6]}.md"
    return Edge(
        link=link,
        start=start,
        end=end,
        created=max(start.created, end.created) + timedelta(minutes=2),
        id=own if link.told else None,
        path=file if link.told else None,
    )
