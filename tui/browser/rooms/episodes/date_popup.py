"""A popup in which one types a day, and sees what there is of it."""

from collections.abc import Iterator, Sequence
from datetime import date

from store.search.language.tree import Days
from tui.browser.popups.popup import Popup
from tui.browser.popups.rows import Choice
from tui.browser.rooms.episodes.said_dates import UNDERSTOOD, meant
from widgets.calendar.counted import Counted
from widgets.calendar.names import relative, spelt
from widgets.styles.palette import Palette

_MOST = 400
"""So many days of a month or a year are offered."""


class DatePopup(Popup[int]):
    """Closes with a day, as its ordinal."""

    def __init__(self, counted: Counted, today: date, palette: Palette) -> None:
        super().__init__("go to date", "a day, a month, how long ago", palette)
        self._counted = counted
        self._today = today

    @property
    def nothing(self) -> str:
        """What would be understood."""
        return UNDERSTOOD

    def rows(self, typed: str) -> Sequence[Choice[int]]:
        """The days that are meant."""
        if not typed.strip():
            return list(self._offered())
        days = meant(typed, self._today)
        return list(self._within(days)) if days else []

    def _offered(self) -> Iterator[Choice[int]]:
        """Days that one often wants, as long as nothing is typed."""
        today, counts = self._today.toordinal(), self._counted.counts
        wanted = {today: "today", today - 1: "yesterday"}
        if counts:
            fullest = max(counts, key=lambda day: (counts[day], day))
            wanted.setdefault(max(counts), "the latest")
            wanted.setdefault(fullest, "the fullest")
            wanted.setdefault(min(counts), "the first")
        for day, name in wanted.items():
            if day >= 1:
                yield self._choice(day, name)

    def _within(self, days: Days) -> Iterator[Choice[int]]:
        """A day, whatever there is of it; of more days those of which there is any."""
        first, last = days.first.toordinal(), days.last.toordinal()
        if first == last:
            near = relative(days.first, self._today)
            yield self._choice(first, near)
            return
        found = sorted(day for day in self._counted.counts if first <= day <= last)
        for day in reversed(found[-_MOST:] or [first]):
            yield self._choice(day, "")

    def _choice(self, day: int, name: str) -> Choice[int]:
        number = self._counted.on(day)
        told = self._counted.noun.counted(number) if number else "nothing"
        return Choice(
            day,
            spelt(date.fromordinal(day)),
            name,
            before=[("  ", "")],
            right=[(told, "muted" if number else "faint")],
            detail="" if number else "Nothing is kept of it: the nearest day is shown.",
        )
