"""From day to day: list and calendar follow one another."""

from datetime import date
from typing import cast

from textual import on

from tui.browser.rooms.episodes.browsing import Browsing
from tui.browser.rooms.episodes.diary import day_of
from tui.browser.rooms.episodes.panes import CalendarPane, EpisodeList
from tui.browser.rooms.room import Room
from widgets.calendar.names import ordinal, spelt
from widgets.calendar.weeks import moved_by_months
from widgets.lines.reports import Highlighted
from widgets.lines.rows import Key


class Going(Room):
    """A list and a calendar of the same days; who inherits fills them."""

    is_by_time = True

    table: EpisodeList
    """The list."""
    calendar: CalendarPane
    """The calendar."""

    _led: Key | None = None
    """The entry that the calendar led the list to: it does not follow it there."""

    def listed(self) -> EpisodeList:
        """The list, by days."""
        return EpisodeList(id=f"list-{self.kind}")

    def went(self, day: int) -> None:
        """Show the entries of a day in the list, if it has any."""
        first = self.table.outline.first.get(date.fromordinal(day).isoformat())
        if first is not None:
            self._lead(first)

    def action_other_day(self, step: int) -> None:
        """Go to the first entry of another day."""
        self.table.to_day(step)
        self._led = None
        self.follow(always=True)

    def action_other_month(self, step: int) -> None:
        """Go to the first day of another month of which anything is kept."""
        first = moved_by_months(self.calendar.chosen, step)
        after = moved_by_months(first, 1)
        days = (day for day in self.calendar.counted.counts if first <= day < after)
        self._go_to(min(days, default=first))

    def action_today(self) -> None:
        """Go to today, and to the entries nearest to it."""
        self.show_day(self.today.toordinal())

    def action_go_to_date(self) -> None:
        """Type a day, and go there."""
        from tui.browser.rooms.episodes.date_popup import DatePopup

        counted, palette = self.calendar.counted, self.browser.palette
        popup = DatePopup(counted, self.today, palette)
        self.browser.push_screen(popup, self._take_day)

    @property
    def today(self) -> date:
        """The day that it is."""
        return day_of(self.browser.now)

    @property
    def browser(self) -> Browsing:
        """The browser around it."""
        return cast("Browsing", self.app)  # pyright: ignore[reportUnknownMemberType]  # what the program returns is not known here

    def say(self, sentence: str) -> None:
        """Say something in the status line."""
        self.browser.message = sentence

    def show_day(self, day: int) -> None:
        """Go to a day; where nothing is kept of it, say so."""
        self._go_to(day)
        if not self.calendar.counted.on(day):
            self.say(f"Nothing is kept of {spelt(date.fromordinal(day))}.")

    def follow(self, *, always: bool = False) -> None:
        """Let the calendar follow the list, unless it leads."""
        is_there = self._led is not None and self._led == self.table.cursor_key
        is_led = is_there or self.calendar.has_focus
        self._led = self._led if is_led else None
        day = ordinal(self.table.day_of(self.table.cursor) or "")
        if day is not None and (always or not is_led):
            self.calendar.choose(day)

    @on(Highlighted)
    def _moved(self, event: Highlighted) -> None:
        if event.sheet is self.table:
            self.follow()

    def _go_to(self, day: int) -> None:
        """Go to a day in the calendar, and to the entries nearest to it in the list."""
        self.calendar.choose(day)
        near = self.table.outline.nearest(self.calendar.chosen)
        if near is not None:
            self._lead(near)

    def _lead(self, position: int) -> None:
        """Lead the list to an entry."""
        self._led = self.table.key(position)
        self.table.to(position)

    def _take_day(self, day: int | None) -> None:
        if day is not None:
            self.show_day(day)
            self.browser.tell()
