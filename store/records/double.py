"""A memory that stands more than once."""

from msgspec import Struct

from store.records.memory import Memory


class Double(Struct, frozen=True, kw_only=True):
    """A memory that another one of its store says as well, or nearly so."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    of: str
    """The ref of the first of those that are one; its own, where it is the first."""
    share: float
    """How much of all their words those two share that are most alike, 0…1."""
    why: str
    """Why they are taken for one."""
