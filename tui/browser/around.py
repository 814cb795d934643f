"""What is around a record: its links as the graph draws them."""

from collections.abc import Mapping, Sequence

from store.library import Library
from store.records.link import Link
from store.records.memory import Memory
from tui.browser.data.opened import Opened
from tui.faces.hits import title
from widgets.graph.arrow import Arrow, Node, of_link


def around(opened: Opened) -> tuple[Node, list[Arrow]]:
    """The record in the middle, and what leads to it and from it."""
    record = opened.record
    kind = record.type if isinstance(record, Memory) else None
    node = Node(ref=record.ref, title=title(record), type=kind)
    return node, arrows(opened.links, opened.types)


def beyond(library: Library, ref: str) -> list[Arrow]:
    """What leads to another record and from it."""
    links = list(library.links(ref))
    return arrows(links, library.types([link.ref for link in links if link.ref]))


def arrows(links: Sequence[Link], types: Mapping[str, str | None]) -> list[Arrow]:
    """Links as arrows, each with the type of the memory at its other end."""
    return [of_link(link, types.get(link.ref or "")) for link in links]
