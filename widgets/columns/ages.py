"""How long ago something was, in four cells."""

from store.times import parse

_MICROS = 1_000_000
_MINUTE, _HOUR, _DAY, _WEEK, _YEAR = 60, 3600, 86_400, 604_800, 31_557_600
_DAYS_TOLD = 1000
_AHEAD_TOLD = 100
"""A plus leaves one digit less."""


def age(instant: str | None, now: int) -> str:
    """The age of an instant at `now` (microseconds since 1970): `now 5m 5h 46d 3y`.

    What lies ahead has a plus before it; what happened after the clock was read, within
    the minute, is now.
    """
    micros = parse(instant).micros if instant else None
    if micros is None:
        return ""
    seconds = (now - micros) // _MICROS
    return _lasting(seconds) if seconds > -_MINUTE else f"+{_ahead(-seconds)}"


def _lasting(seconds: int) -> str:
    """A span of time in its largest unit."""
    if seconds < _MINUTE:
        return "now"
    if seconds < _HOUR:
        return f"{seconds // _MINUTE}m"
    if seconds < _DAY:
        return f"{seconds // _HOUR}h"
    if seconds < _DAY * _DAYS_TOLD:
        return f"{seconds // _DAY}d"
    return f"{seconds // _YEAR}y"


def _ahead(seconds: int) -> str:
    """The same in three cells."""
    if seconds < _DAY * _AHEAD_TOLD:
        return _lasting(seconds)
    weeks = seconds // _WEEK
    return f"{weeks}w" if weeks < _AHEAD_TOLD else f"{seconds // _YEAR}y"
