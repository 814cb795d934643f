"""When the entries of a log were, all in a list, and how much each has to tell."""

from array import array
from collections.abc import Iterable, Sequence
from enum import IntFlag
from typing import NamedTuple

from msgspec import Struct, field

from store.derive.clock import minute_of

UNTOLD = -1
"""The minute of an entry that tells no time."""


class Parts(IntFlag):
    """What an entry has besides its title."""

    SUMMARY = 1
    """What happened."""
    LINK = 2
    """A link to what tells more."""


class Moment(NamedTuple):
    """One entry."""

    day: str
    """The day, as written."""
    time: str | None
    """The time of day, as written."""
    parts: int
    """What it has, as `Parts`."""


class Timing(Struct, frozen=True):
    """The days, the minutes and the parts of entries, in the order of a list."""

    days: Sequence[str] = ()
    """The day of each, as written; mostly YYYY-MM-DD."""
    minutes: "array[int]" = field(default_factory=lambda: array("h"))
    """The minute of that day."""
    parts: bytes = b""
    """What each has."""

    def __len__(self) -> int:
        return len(self.days)

    @classmethod
    def of(cls, moments: Iterable[Moment]) -> "Timing":
        """The timing of these entries."""
        once: dict[str, str] = {}
        days: list[str] = []
        minutes = array("h")
        parts = bytearray()
        for day, time, has in moments:
            days.append(once.setdefault(day, day))
            minute = minute_of(time)
            minutes.append(UNTOLD if minute is None else minute)
            parts.append(has)
        return cls(days, minutes, bytes(parts))
