"""The calendar: a column a week and a row a weekday, the warmer the more there is.

Where there is only one row for it, the days stand in a row.
"""

from dataclasses import dataclass

from msgspec.structs import replace
from textual.message import Message
from textual.strip import Strip

from widgets.calendar.counted import Counted
from widgets.calendar.picture import ROWS, SHADES, SQUARES, Picture, weeks_in
from widgets.calendar.weeks import first_week, within
from widgets.columns.cells import fit
from widgets.lines.pieces import strip
from widgets.lines.sheet import Sheet

_TWICE = 2


class Calendar(Sheet):
    """Shows how much there is of each day; one of the days is chosen."""

    DEFAULT_CSS = """
    Calendar {
        height: 9;
        overflow: hidden hidden;
        scrollbar-gutter: auto;
        scrollbar-size-vertical: 0;
    }
    """

    @dataclass
    class Went(Message):
        """Somebody went to another day."""

        day: int

    @dataclass
    class Opened(Message):
        """Somebody wants to see what there is of a day."""

        day: int

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(id=id, classes=classes)
        self._picture = Picture(Counted(), first=1, weeks=0, chosen=1, today=1)

    @property
    def counted(self) -> Counted:
        """What is shown."""
        return self._picture.counted

    @property
    def chosen(self) -> int:
        """The day that is chosen, by its ordinal."""
        return self._picture.chosen

    def show(self, counted: Counted, today: int) -> None:
        """Show other counts."""
        self._picture = replace(self._picture, counted=counted, today=within(today))
        self.forget()
        self.choose(self.chosen if self.chosen > 1 else self._latest)

    def choose(self, day: int) -> None:
        """Choose a day; it comes into view."""
        picture = self._picture
        last = max(picture.today, picture.counted.latest or 1)
        day = within(min(day, last))
        weeks = weeks_in(self.text_width, picture.counted, picture.today)
        first = first_week(picture.first, max(weeks, 1), day, picture.today)
        self._picture = replace(picture, first=first, weeks=weeks, chosen=day)
        self.redraw()

    @property
    def _latest(self) -> int:
        """The last day of which there is something, as long as none was chosen."""
        today = self._picture.today
        return max((day for day in self.counted.counts if day <= today), default=today)

    def go(self, day: int) -> None:
        """Go to a day, and report it."""
        before = self.chosen
        self.choose(day)
        if self.chosen != before:
            self.post_message(self.Went(self.chosen))

    def count(self) -> int:
        """As many lines as there is room for; none of them is out of view."""
        return self.size.height

    def line(self, position: int, width: int) -> Strip:
        """A row of it, drawn, or as it was drawn before."""
        picture, is_row = self._picture, self.size.height < ROWS
        here = picture.chosen if is_row or picture.holds(position) else None
        key = self.kept(position, is_row, picture.first, here, self.has_focus)
        drawn = self._strips.get(key)
        if drawn is None:
            drawn = self._strips[key] = self._draw(position, width, is_row=is_row)
        return drawn

    def _draw(self, position: int, width: int, *, is_row: bool) -> Strip:
        has_squares = not (self.palette.is_flat or self.palette.is_ascii)
        picture = replace(
            self._picture,
            has_keys=self.has_focus,
            glyphs=SQUARES if has_squares else SHADES,
        )
        if is_row:
            pieces = list(picture.alone(width)) if position == 0 else ()
        else:
            pieces = picture.line(position, width)
        return strip(fit(pieces, width), width, self.brush())

    def resized(self) -> None:
        """More weeks may have room now, or fewer."""
        super().resized()
        self.choose(self.chosen)

    def on_focus(self) -> None:
        """The chosen day stands out now."""
        self.redraw()

    def on_blur(self) -> None:
        """It does no more."""
        self.redraw()

    def day_at(self, row: int, x: int) -> int | None:
        """The day that stands somewhere."""
        if self.size.height < ROWS:
            return self._picture.day_alone(x, self.text_width)
        return self._picture.day_at(row, x)

    def clicked(self, position: int, x: int, times: int) -> None:
        """One click chooses a day, two open it."""
        day = self.day_at(position, x)
        if day is not None:
            self.go(day)
            if times == _TWICE:
                self.post_message(self.Opened(day))
