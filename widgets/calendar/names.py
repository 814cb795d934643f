"""Days by name, in the one language that the program speaks."""

from datetime import date

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""The days of the week."""

MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
"""The months of the year."""

_RELATIVE = {0: "today", 1: "yesterday", -1: "tomorrow"}


def spelt(day: date) -> str:
    """A day as one reads it: `Fri 20 Feb 2026`."""
    month = MONTHS[day.month - 1]
    return f"{WEEKDAYS[day.weekday()]} {day.day} {month} {day.year:04}"


def relative(day: date, today: date) -> str:
    """What a day is called by those who live then; nothing for most."""
    return _RELATIVE.get((today - day).days, "")


def ordinal(text: str) -> int | None:
    """The ordinal of a day written as YYYY-MM-DD; None for anything else."""
    if len(text) != len("2026-02-20"):
        return None
    try:
        return date.fromisoformat(text).toordinal()
    except ValueError:
        return None


def told(text: str, today: date) -> str:
    """A day as a log writes it, as one reads it; what is no day as it stands."""
    found = ordinal(text)
    if found is None:
        return text.strip() or "without a day"
    day = date.fromordinal(found)
    near = relative(day, today)
    return f"{spelt(day)} · {near}" if near else spelt(day)
