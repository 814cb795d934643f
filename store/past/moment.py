"""A moment as people say it: a day, whose end is meant, an instant, how long ago."""

from datetime import date, datetime, time, timedelta

from store.errors import WrongUseError
from store.search.language import dates
from store.search.language.tree import Age
from store.times import parse

SECOND = 1_000_000
_DAYS = {"h": 1 / 24, "d": 1.0, "w": 7.0, "m": 30.0, "y": 365.0}
"""How many days a unit of an age has."""

_WORDS = {"yesterday": Age(1, "d"), "today": Age(0, "d")}


def moment_of(text: str, now: int) -> int:
    """The moment that is meant, in microseconds since 1970; raises WrongUseError."""
    said = text.strip().casefold()
    days = dates.days(said)
    if days is not None:
        return end_of_day(days.last)
    age = _WORDS.get(said) or dates.age(said)
    if age is not None:
        return now - int(age.amount * _DAYS[age.unit] * 86_400 * SECOND)
    moment = parse(text.strip()).micros
    if moment is None:
        raise WrongUseError(
            f"{text!r} is no time; try 2026-01-15, 2026-01-15T10:30 or 30d."
        )
    return moment


def end_of_day(day: date) -> int:
    """The last moment of a day, by the clock on the wall."""
    try:
        after = datetime.combine(day + timedelta(days=1), time.min).astimezone()
        return int(after.timestamp()) * SECOND - 1
    except (OverflowError, OSError, ValueError):
        elapsed = day - date(1970, 1, 1)
        return (elapsed.days + 1) * 86_400 * SECOND - 1


def moment_of_day(year: int, month: int, day: int) -> int | None:
    """When a day begins, by the clock on the wall; None where there is no such day."""
    try:
        begin = datetime(year, month, day).astimezone()
        return int(begin.timestamp()) * SECOND
    except (OverflowError, OSError, ValueError):
        return None


def told(moment: int) -> str:
    """A moment as it is shown: the day, and the time where that is not its end."""
    try:
        local = datetime.fromtimestamp(moment / SECOND).astimezone()
    except (OverflowError, OSError, ValueError):
        return "a time out of mind"
    is_end = (moment + 1) % SECOND == 0 and local.strftime("%H%M%S") == "235959"
    return local.strftime("%Y-%m-%d" if is_end else "%Y-%m-%d %H:%M")
