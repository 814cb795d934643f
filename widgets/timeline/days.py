"""Days and times of day, by the calendar of whoever looks."""

from datetime import date, datetime, time, timedelta
from typing import NamedTuple

from store.records.spans import UNDATED

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
"""Microseconds; a day here may have an hour more or less."""

_WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_EPOCH = date(1970, 1, 1)


class Day(NamedTuple):
    """From one midnight to the next, in microseconds."""

    begin: int
    end: int


NO_DAY = Day(UNDATED, UNDATED + 1)
"""The day of what tells no time."""


def day_of(instant: int) -> Day:
    """The day that an instant lies in."""
    if instant == UNDATED:
        return NO_DAY
    moment = _moment(instant)
    if moment is None:
        begin = instant // DAY * DAY
        return Day(begin, begin + DAY)
    today = moment.date()
    try:
        return Day(_midnight(today), _midnight(today + timedelta(days=1)))
    except OverflowError:
        begin = _midnight(today)
        return Day(begin, begin + DAY)


def clock(instant: int) -> str:
    """The time of day, to the minute; nothing where that is not known."""
    moment = None if instant == UNDATED else _moment(instant)
    return f"{moment.hour:02}:{moment.minute:02}" if moment else ""


def day_told(instant: int, *, with_weekday: bool = True) -> str:
    """The day of an instant in words: `Sat 14 Feb 2026`."""
    moment = None if instant == UNDATED else _moment(instant)
    if moment is None:
        return "no date"
    told = f"{moment.day} {_MONTHS[moment.month - 1]} {moment.year}"
    return f"{_WEEKDAYS[moment.weekday()]} {told}" if with_weekday else told


def date_told(instant: int) -> str:
    """The day of an instant in figures, which sort as they stand."""
    moment = None if instant == UNDATED else _moment(instant)
    return moment.date().isoformat() if moment else ""


def lasting(micros: int) -> str:
    """A span of time in few cells: `35m`, `1h 15m`, `3d 4h`."""
    minutes = max(round(micros / MINUTE), 0)
    hours, days = minutes // 60, minutes // (24 * 60)
    if not hours:
        return f"{minutes}m"
    if not days:
        return f"{hours}h {minutes % 60:02}m"
    return f"{days}d {hours % 24}h"


def _moment(instant: int) -> datetime | None:
    """An instant here; None where no calendar reaches."""
    try:
        return datetime.fromtimestamp(instant // SECOND)  # noqa: DTZ006  # by the clock of whoever looks
    except (OverflowError, OSError, ValueError):
        return None


def _midnight(day: date) -> int:
    """When a day begins here."""
    try:
        begin = datetime.combine(day, time.min).timestamp()
    except (OverflowError, OSError, ValueError):
        return (day - _EPOCH) // timedelta(days=1) * DAY
    return int(begin) * SECOND
