"""When conversations were, many of them at once: columns of numbers, no records."""

from array import array
from collections.abc import Mapping
from enum import IntEnum

from msgspec import Struct

from store.records.conversation import Tokens

UNDATED = -(2**63)
"""The beginning of what tells no time: before all else."""

NEVER = 0
"""The removal of what nobody removes."""

ALONE = -1
"""The parent of what no other conversation started."""


class Keeping(IntEnum):
    """What the vault has of a conversation."""

    NOTHING = 0
    EARLIER = 1
    """It as it was; it was written since."""
    WHOLE = 2
    """It as it is."""
    ONLY = 3
    """It as it was last: where it was found it is gone."""


class Spans(Struct, frozen=True):
    """A number for each conversation in every column; instants in microseconds."""

    begins: "array[int]"
    """When each began; `UNDATED` where that is not known."""
    ends: "array[int]"
    """When each ended."""
    parents: "array[int]"
    """Where the conversation stands that started each; `ALONE` where none here did."""
    messages: "array[int]"
    """How many messages each has."""
    leaves: "array[int]"
    """When the agent's own clean-up removes each; `NEVER` where it does not."""
    kept: "array[int]"
    """What the vault has of each, as `Keeping` says it."""

    def __len__(self) -> int:
        return len(self.begins)

    @classmethod
    def none(cls) -> "Spans":
        """Of no conversation."""
        return cls(*(array("q") for _ in range(6)))


class Closeup(Struct, frozen=True):
    """What is told of a conversation only once it comes into view."""

    tools: tuple[tuple[str, int], ...] = ()
    """The tools that it called and how often, the most used first."""
    spent: Mapping[str, Tokens] | None = None
    """The tokens of each model; None where no message tells any."""
