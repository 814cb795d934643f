"""What is around a record: its links as the graph draws them."""

from collections.abc import Sequence

from store.library import Library
from store.records.link import Link
from store.records.memory import Memory
from tui.browser.data.opened import Ends, Opened, ends_of
from tui.faces.hits import title
from widgets.graph.arrow import Arrow, Node, of_link


def around(opened: Opened) -> tuple[Node, list[Arrow]]:
    """The record in the middle, and what leads to it and from it."""
    record = opened.record
    kind = record.type if isinstance(record, Memory) else None
    node = Node(ref=record.ref, title=title(record), type=kind)
    return node, arrows(opened.links, opened.ends)


def beyond(library: Library, ref: str) -> list[Arrow]:
    """What leads to another record and from it."""
    links = list(library.links(ref))
    return arrows(links, ends_of(library, links))


def arrows(links: Sequence[Link], ends: Ends) -> list[Arrow]:
    """Links as arrows, each with the type of the memory at its other end."""
    return [
        of_link(link, ends.types.get(link.ref or ""), ends.edges.get(link.edge or ""))
        for link in links
    ]
