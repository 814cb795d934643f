"""How far a database was read, and what was counted on the way."""

import orjson
from msgspec import Struct
from msgspec.structs import astuple

from store.findings import START, Mark


class Progress(Struct, frozen=True):
    """What was read so far."""

    conversations: int | None = None
    """The number of the last conversation; None before the first."""
    entries: int | None = None
    """The number of the last entry; None before the first."""
    listed: bool = False
    """Whether all conversations were read."""
    ended: bool = False
    """Whether all entries were read."""
    read: int = 0
    """How many entries were read."""
    orphans: int = 0
    """How many of them belong to no conversation."""
    shared: int = 0
    """How many of them belong to two."""

    @classmethod
    def at(cls, mark: Mark) -> "Progress":
        """What a mark of ours says."""
        return cls() if mark == START else cls(*orjson.loads(mark.memory))

    @property
    def mark(self) -> Mark:
        """The mark to go on from."""
        return Mark(self.read, orjson.dumps(astuple(self)))
