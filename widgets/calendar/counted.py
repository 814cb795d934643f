"""What a calendar shows: how much there is of each day."""

from collections.abc import Mapping
from typing import NamedTuple

from msgspec import Struct, field

from widgets.calendar.heat import Bounds, bounds, level
from widgets.calendar.names import ordinal
from widgets.calendar.weeks import WEEK, longest_streak, weekday


class Noun(NamedTuple):
    """What is counted."""

    one: str
    """The word for one of it."""
    many: str
    """The word for any other number."""

    def counted(self, number: int) -> str:
        """A number of it, in words."""
        return f"{number:,} {self.one if number == 1 else self.many}".replace(",", " ")


ENTRIES = Noun("entry", "entries")
MEMORIES = Noun("memory", "memories")
TALKS = Noun("conversation", "conversations")
DAYS = Noun("day", "days")


class Counted(Struct, frozen=True):
    """Counts by day, and what follows from them."""

    counts: Mapping[int, int] = field(default_factory=dict[int, int])
    """How many there are of a day, by its ordinal; days without any are left out."""
    noun: Noun = ENTRIES
    undated: int = 0
    """How many are of no day."""
    bounds: Bounds = ()
    """The greatest count of each level but the highest."""
    total: int = 0
    """How many there are of all days together."""
    earliest: int | None = None
    """The first day of all."""
    latest: int | None = None
    """The last day of all."""
    weekdays: tuple[int, ...] = (0,) * WEEK
    """How many there are of each day of the week, Monday first."""
    streak: int = 0
    """On how many days in a row there is something, at most."""

    @classmethod
    def of(cls, days: Mapping[str, int], noun: Noun = ENTRIES) -> "Counted":
        """Counts by days as they are written; what is written otherwise has no day."""
        counts = {
            day: number
            for text, number in days.items()
            if number > 0 and (day := ordinal(text)) is not None
        }
        total = sum(counts.values())
        weekdays = [0] * WEEK
        for day, number in counts.items():
            weekdays[weekday(day)] += number
        return cls(
            counts,
            noun,
            undated=sum(days.values()) - total,
            bounds=bounds(counts.values()),
            total=total,
            earliest=min(counts, default=None),
            latest=max(counts, default=None),
            weekdays=tuple(weekdays),
            streak=longest_streak(counts),
        )

    def on(self, day: int) -> int:
        """How many there are of a day."""
        return self.counts.get(day, 0)

    def heat(self, day: int) -> int:
        """How warm a day is, 0…4."""
        return level(self.on(day), self.bounds)
