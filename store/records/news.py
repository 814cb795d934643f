"""News: what came to a store, or changed in it, since somebody last looked at it."""

from msgspec import Struct


class News(Struct, frozen=True, kw_only=True):
    """How much is new in a store, kind by kind."""

    store: str
    """The absolute path of the store's root."""
    name: str
    """What to call it: the project, or the folder."""
    looked: str | None
    """When somebody last looked at it; null where nobody did, and all is new."""
    memories: int
    """How many memories are new or changed."""
    edges: int
    """How many edges are new."""
    episodes: int
    """How many episodes are new."""
    conversations: int
    """How many conversations are new or went on."""
    messages: int
    """How many messages are new."""
    documents: int
    """How many documents are new or changed."""
    problems: int
    """How many problems were met for the first time."""
