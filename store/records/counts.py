"""Columns of numbers: times of conversations, totals per day; problems alike."""

from array import array
from collections.abc import Mapping, Sequence
from enum import IntEnum, StrEnum
from typing import NamedTuple

from msgspec import Struct, field

from store.derive.conversations import Tokens

# The times of many conversations: columns of numbers instead of records.

UNDATED = -(2**63)
"""The start of a conversation without a time: before all others."""

NEVER = 0
"""The time of removal, if no clean-up removes it."""

ALONE = -1
"""The parent, if no other conversation started it."""


class Keeping(IntEnum):
    """What the vault has of a conversation."""

    NOTHING = 0
    EARLIER = 1
    """An earlier version; the conversation has been continued since."""
    WHOLE = 2
    """The current version."""
    ONLY = 3
    """The last version; the original is gone."""


class Spans(Struct, frozen=True):
    """Columns with one number per conversation; times in microseconds."""

    begins: "array[int]"
    """The start of each; `UNDATED` if unknown."""
    ends: "array[int]"
    """The end of each."""
    parents: "array[int]"
    """The position of the conversation that started each; `ALONE` if none here did."""
    messages: "array[int]"
    """The number of messages of each."""
    leaves: "array[int]"
    """When the agent's clean-up removes each; `NEVER` if it does not."""
    kept: "array[int]"
    """What the vault has of each, as a `Keeping`."""

    def __len__(self) -> int:
        return len(self.begins)

    @classmethod
    def none(cls) -> "Spans":
        """The spans of no conversations."""
        return cls(*(array("q") for _ in range(6)))


class Closeup(Struct, frozen=True):
    """Details of a conversation that are read only when it comes into view."""

    tools: tuple[tuple[str, int], ...] = ()
    """The tools it called and how often, most used first."""
    spent: Mapping[str, Tokens] | None = None
    """The tokens of each model; None if no message has any."""


# A tally: counts and durations per hour or per day.


class Step(StrEnum):
    """The length of a period."""

    HOUR = "hour"
    DAY = "day"


class Slot(NamedTuple):
    """The count and the total duration of one period."""

    number: int = 0
    """How many there are."""
    seconds: float = 0.0
    """The total duration in seconds."""


NOTHING = Slot()
"""An empty period."""


class Tally(Struct, frozen=True):
    """Periods by their start in local time: `2026-02-14`, `2026-02-14T09`."""

    slots: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    """The counts of each period; empty ones are left out."""
    undated: int = 0
    """How many records have no time."""


class Durations(Struct, frozen=True):
    """The durations of some records, shortest first."""

    seconds: Sequence[float] = ()
    """The duration of each record."""
    total: float = 0.0
    """The total duration."""


# Problems that can be shown together.


class Alike(NamedTuple):
    """What problems of one kind in one file have in common."""

    store: int
    """The row of their store."""
    path: bytes
    """Their file; empty if the index sums up those of many files."""
    code: str
    """What is wrong, as a word."""
    severity: str
    """How severe it is."""
