"""The story's calendar: everything happened so many days before the day of `now`."""

import hashlib
from datetime import UTC, date, datetime, time, timedelta

from msgspec import Struct


class Days(Struct, frozen=True):
    """Turns the story's days ago into instants, so that it always ends yesterday."""

    today: date

    @classmethod
    def before(cls, now: datetime) -> "Days":
        """The calendar of the day, in UTC, that `now` falls on."""
        return cls(now.astimezone(UTC).date())

    def ago(self, days: int, at: str) -> datetime:
        """The instant at a time of day (`HH:MM`) so many days ago."""
        midnight = datetime.combine(self.today, time(), UTC)
        return midnight - timedelta(days=days) + _since_midnight(at)


def iso(moment: datetime) -> str:
    """An instant as the cognitive stores write it."""
    return moment.isoformat(timespec="seconds")


def iso_z(moment: datetime) -> str:
    """An instant as Claude Code writes it, milliseconds and `Z`."""
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def micros(moment: datetime) -> int:
    """Microseconds since 1970."""
    return (moment - datetime.fromtimestamp(0, UTC)) // timedelta(microseconds=1)


def evening(name: str) -> str:
    """A time of day for what does not say its own: between 17:00 and 22:59."""
    minute = int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]) % 360
    return f"{17 + minute // 60:02}:{minute % 60:02}"


def _since_midnight(at: str) -> timedelta:
    hours, minutes = at.split(":")
    return timedelta(hours=int(hours), minutes=int(minutes))
