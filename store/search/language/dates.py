"""Days, months and years, and how long ago: read, and written again."""

import re
from calendar import monthrange
from datetime import date

from store.search.language.tree import Age, Days

_DAYS = re.compile(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?", re.ASCII)
_AGE = re.compile(
    r"((?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)([hdwmy])", re.ASCII | re.IGNORECASE
)
_BEGUN = re.compile(r"[\d.-]*", re.ASCII)
_RANGE = ".."

_OLDEST = 100_000
"""The greatest amount of an age, whatever its unit; no record is that old."""


def days(text: str) -> Days | None:
    """A day, a month, a year, or `2026-02-01..2026-02-14`."""
    first, dots, last = text.partition(_RANGE)
    begin, end = _days(first), _days(last if dots else first)
    if begin is None or end is None or begin.first > end.last:
        return None
    return Days(begin.first, end.last)


def age(text: str) -> Age | None:
    """How long ago, such as `30d`."""
    match = _AGE.fullmatch(text)
    if match is None or float(match[1]) > _OLDEST:
        return None
    return Age(float(match[1]), match[2].lower())


def is_begun(text: str) -> bool:
    """Whether a text may still become a day or an age."""
    return _BEGUN.fullmatch(text) is not None


def written(span: Days) -> str:
    """Days in the shortest form that is read again as the same."""
    begin, end = span.first.isoformat(), span.last.isoformat()
    if begin == end:
        return begin
    for length in (4, 7):
        if _days(begin[:length]) == span:
            return begin[:length]
    return f"{begin}{_RANGE}{end}"


def _days(text: str) -> Days | None:
    match = _DAYS.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = date(year or 0, _one_if_none(month), _one_if_none(day))
    except ValueError:
        return None
    if day is not None:
        return Days(first, first)
    last = month or 12
    return Days(first, date(first.year, last, monthrange(first.year, last)[1]))


def _one_if_none(number: int | None) -> int:
    return 1 if number is None else number
