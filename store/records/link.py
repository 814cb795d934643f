"""A link: the same edge, episode or mention, seen from one of its ends."""

from msgspec import Struct


class Link(Struct, frozen=True, kw_only=True):
    """What a record points to, or what points to it."""

    direction: str
    """`out` for what it points to, `in` for what points to it."""
    by: str
    """What makes the link: `edge`, `episode`, `document` or `transcript`."""
    type: str
    """The edge's type, else `tells of names wrote started holds answered by …`."""
    ref: str | None
    """The ref of the other end; null when it dangles."""
    title: str | None
    """The title of the other end, as far as it is known."""
    strength: float | None
    """How strong, 0…1."""
    context: str | None
    """Why, in the writer's words."""
    edge: str | None
    """The ref of the edge, where the link is one."""
    store: str
    """The absolute path of the store's root."""
    path: str
    """The file that it is written in."""
