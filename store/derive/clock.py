"""The time of day, as it comes in logs: `9:02`, `21:40:05`, `1:33 PM`, `8:00 p.m.`."""

import re
from functools import lru_cache

_CLOCK = re.compile(
    r"\s*(\d{1,2}):(\d\d)(?::\d\d(?:[.,]\d+)?)?\s*(?:([ap])\.?\s?m\.?)?(?!\d)",
    re.ASCII | re.IGNORECASE,
)
_HOURS, _NOON, _MINUTES = 24, 12, 60
_LONGEST = 64

DAY = _HOURS * _MINUTES
"""The minutes of a day."""


@lru_cache(2 * DAY)
def minute_of(time: str | None) -> int | None:
    """The minute of the day that a time begins with; None where it tells none."""
    told = _CLOCK.match(time[:_LONGEST]) if time else None
    if told is None:
        return None
    hour, minute, half = int(told[1]), int(told[2]), (told[3] or "").lower()
    if half and not 1 <= hour <= _NOON:
        return None
    if half:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    if hour >= _HOURS or minute >= _MINUTES:
        return None
    return hour * _MINUTES + minute
