"""An edge: one memory pointing at another."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Edge:
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
    from_title: str | None
    """The title of its start; as the edge remembers it where it dangles."""
    to_title: str | None
    """The title of its end; as the edge remembers it where it dangles."""
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
