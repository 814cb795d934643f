"""The arithmetic of a calendar whose columns are weeks; days are proleptic ordinals.

The first of all days, 0001-01-01, was a Monday and is number 1.
"""

from collections.abc import Collection, Iterator
from datetime import date

from widgets.calendar.names import MONTHS

WEEK = 7
LAST = date.max.toordinal()
"""The last day that there is a date for."""

_MARGIN = 4
"""What share of the weeks in view lies behind a day that was out of view."""


def monday(day: int) -> int:
    """The Monday of a day's week."""
    return day - weekday(day)


def weekday(day: int) -> int:
    """The day of the week, from 0 for Monday."""
    return (day - 1) % WEEK


def within(day: int) -> int:
    """The day that is nearest to one, of those that there are dates for."""
    return max(1, min(day, LAST))


def first_week(shown: int, weeks: int, day: int, today: int) -> int:
    """The Monday of the first week in view, so that a day is in view.

    The last week is today's wherever that will do; else what is `shown` stays where it
    will do; else the day stands where much of what was before it is in view.
    """
    until_today = monday(today) - WEEK * (weeks - 1)
    for first in (until_today, shown):
        if first <= day < first + WEEK * weeks:
            return first
    return monday(day) - WEEK * (weeks - 1 - weeks // _MARGIN)


def row_around(day: int, today: int, room: int) -> range:
    """So many days with one among them, up to today where that will do."""
    last = today if 0 <= today - day < room else day + room // _MARGIN
    return range(last - room + 1, last + 1)


def moved_by_months(day: int, months: int) -> int:
    """The first day of the month that is so many months away."""
    at = date.fromordinal(within(day))
    count = at.year * 12 + at.month - 1 + months
    year, month = divmod(count, 12)
    if year < date.min.year:
        return 1
    return date(year, month + 1, 1).toordinal() if year <= date.max.year else LAST


def labels(first: int, weeks: int) -> Iterator[tuple[int, str]]:
    """The months that begin in view: in which column, and what they are called.

    January is called by its year.
    """
    for column in range(weeks):
        begun = _begun(first + WEEK * column)
        if begun is not None:
            is_new_year = begun.month == 1
            yield column, f"{begun.year:04}" if is_new_year else MONTHS[begun.month - 1]


def longest_streak(days: Collection[int]) -> int:
    """How many days in a row there are at most."""
    known = frozenset(days)
    longest = 0
    for day in known:
        if day - 1 not in known:
            end = day + 1
            while end in known:
                end += 1
            longest = max(longest, end - day)
    return longest


def _begun(week: int) -> date | None:
    """The month that begins in a week."""
    for day in range(week, week + WEEK):
        if 1 <= day <= LAST and (at := date.fromordinal(day)).day == 1:
            return at
    return None
