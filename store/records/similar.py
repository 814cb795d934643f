"""A memory that is like another one."""

from msgspec import Struct

from store.records.memory import Memory


class Similar(Struct, frozen=True, kw_only=True):
    """A memory that is like another: how much, why, and whether a link says so."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    score: float
    """How alike their tags and words are, 0…1."""
    reason: str
    """Why: shared tags, rare words, how near their vectors lie."""
    linked: bool
    """Whether an edge leads from one to the other already."""
