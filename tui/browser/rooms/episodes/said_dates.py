"""Days as people say them: `2026-02-14`, `2026-02`, `yesterday`, `fri`, `14 feb`."""

import re
from datetime import date, timedelta

from store.search.language import dates
from store.search.language.tree import Days
from widgets.calendar.names import MONTHS, WEEKDAYS

_WORDS = {"today": 0, "now": 0, "yesterday": -1, "tomorrow": 1}
_LENGTHS = {"h": 0, "d": 1, "w": 7, "m": 30, "y": 365}
"""How many days a unit of an age has."""

_LETTERS = 3
"""So many letters of a name are enough."""

_AGO = re.compile(r"\s+ago$")
_LAST = re.compile(r"^(?:last|on)\s+")
_PARTS = re.compile(r"[\s,./]+")

UNDERSTOOD = "2026-02-14 · 2026-02 · 14 feb · feb 2026 · yesterday · friday · 3d · 2w"
"""What can be typed, by example."""


def meant(typed: str, today: date) -> Days | None:
    """The days that somebody means; None where that cannot be told."""
    said = _AGO.sub("", _LAST.sub("", typed.strip().casefold()))
    if said in _WORDS:
        return _day(today, _WORDS[said])
    return dates.days(said) or _ago(said, today) or _named(said, today)


def _day(today: date, ahead: float) -> Days | None:
    """The day that is so many days ahead."""
    try:
        day = today + timedelta(days=int(ahead))
    except OverflowError:
        return None
    return Days(day, day)


def _ago(said: str, today: date) -> Days | None:
    age = dates.age(said)
    return _day(today, -age.amount * _LENGTHS[age.unit]) if age else None


def _named(said: str, today: date) -> Days | None:
    """The last of the days with a name, not after today: of the week, or of a month."""
    parts = [part for part in _PARTS.split(said) if part]
    weekday = _among(WEEKDAYS, parts[0]) if len(parts) == 1 else None
    if weekday is not None:
        return _day(today, -((today.weekday() - weekday) % len(WEEKDAYS)))
    months = [month for part in parts if (month := _among(MONTHS, part)) is not None]
    numbers = [int(part) for part in parts if part.isdecimal() and part.isascii()]
    if len(months) != 1 or len(numbers) != len(parts) - 1:
        return None
    return _of_month(months[0] + 1, numbers, today)


def _of_month(month: int, numbers: list[int], today: date) -> Days | None:
    """A month, or a day of it; of this year or the last where no year is told."""
    day = [number for number in numbers if number <= 31]  # noqa: PLR2004  # no month is longer
    year = [number for number in numbers if number > 31]  # noqa: PLR2004  # what is more is a year
    if len(day) > 1 or len(year) > 1:
        return None
    told = year[0] if year else today.year
    text = f"{told:04}-{month:02}" + "".join(f"-{one:02}" for one in day)
    found = dates.days(text)
    if found and not year and found.first > today:
        return _of_month(month, [*day, today.year - 1], today)
    return found


def _among(names: tuple[str, ...], said: str) -> int | None:
    """Which of some names somebody means."""
    if len(said) < _LETTERS or not said.isalpha():
        return None
    short = said[:_LETTERS].title()
    return names.index(short) if short in names else None
