"""Days and ages as microseconds, by the calendar of whoever asks."""

from datetime import date, datetime, time, timedelta

from store.search.language.tree import Age, Days

SECOND = 1_000_000
_DAY = 86_400 * SECOND

_UNITS = {
    "h": 3600 * SECOND,
    "d": _DAY,
    "w": 7 * _DAY,
    "m": 30 * _DAY,
    "y": 365 * _DAY,
}


def ago(age: Age, now: int) -> int:
    """The instant that was so long ago."""
    return now - int(age.amount * _UNITS[age.unit])


def begin(days: Days) -> int:
    """The first instant of some days."""
    return _midnight(days.first)


def end(days: Days) -> int:
    """The first instant after them."""
    try:
        return _midnight(days.last + timedelta(days=1))
    except OverflowError:
        return _midnight(days.last) + _DAY


def day_of(instant: int) -> str:
    """The day that an instant lies in; the first day there is for what lies before."""
    try:
        return datetime.fromtimestamp(instant / SECOND).astimezone().date().isoformat()
    except (OverflowError, OSError, ValueError):
        return date.min.isoformat()


def _midnight(day: date) -> int:
    """When a day begins here."""
    naive = datetime.combine(day, time.min)
    try:
        return int(naive.astimezone().timestamp()) * SECOND
    except (OverflowError, OSError, ValueError):
        return (day - date(1970, 1, 1)) // timedelta(days=1) * _DAY
