"""A memory that is due for a review."""

from msgspec import Struct

from store.records.memory import Memory


class Due(Struct, frozen=True, kw_only=True):
    """A memory that is due for a review, and what there is to decide."""

    memory: Memory
    """The memory; its fields come first in the JSON."""
    queue: str
    """The queue that it stands in; the first, where it stands in several."""
    why: str
    """What there is to decide."""
