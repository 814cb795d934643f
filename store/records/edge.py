"""An edge: one memory pointing at another."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Value


class Edge(Struct, frozen=True, kw_only=True):
    """A typed link, put together from every place it is written in."""

    ref: str
    """Names the edge for every other command."""
    store: str
    """The absolute path of the store's root."""
    id: str | None
    """The edge's own identifier, where it has one."""
    type: str
    """What kind of link: SOLVES, CAUSES, link, …"""
    from_: str | None
    """The ref of the memory it starts at; null when there is none."""
    to: str | None
    """The ref of the memory it leads to; null when there is none."""
    from_type: str | None
    """What kind of memory it starts at, where that is one."""
    to_type: str | None
    """What kind of memory it leads to."""
    from_title: str | None
    """The title of its start; what the edge names it by where it dangles."""
    to_title: str | None
    """The title of its end; what the edge names it by where it dangles."""
    strength: float | None
    """How strong, 0…1."""
    context: str | None
    """Why, in the writer's words."""
    created: str | None
    """When it was made, as written."""
    path: str
    """The file that it is written in; the edge file where there is one."""
    sides: tuple[str, ...]
    """Where it is written: `file outgoing incoming wikilink index`."""
    problems: tuple[str, ...]
    """The codes of the problems that concern it."""


class EdgeInFull(Struct, frozen=True, kw_only=True):
    """An edge as `show` gives it, with what its own file holds."""

    edge: Edge
    """What a list shows of it."""
    body: str
    """The text of its file; empty where it has none of its own."""
    fields: Mapping[str, Value]
    """Everything else in that file's header, as it stands."""
