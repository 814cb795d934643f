"""What a calendar looks like, row by row: months, weekdays, a legend; or one row."""

from collections.abc import Iterator
from datetime import date

from msgspec import Struct

from widgets.calendar.counted import DAYS, Counted
from widgets.calendar.names import MONTHS, WEEKDAYS, spelt
from widgets.calendar.weeks import LAST, WEEK, labels, monday, row_around, weekday
from widgets.columns.cells import fit
from widgets.columns.numbers import brief
from widgets.columns.strengths import bar
from widgets.lines.pieces import Piece, Pieces

LABEL = 4
"""Cells before the first week, for the names of weekdays."""

PITCH = 2
"""Cells of a week: the gap before a day, in which it can be marked, and the day."""

YEAR = 53
"""The weeks of a year: so many are in view where there is room, more if needed."""

ROWS = 9
"""The months, the days of the week, and the legend."""

SQUARES = ("·", "■", "■", "■", "■")
SHADES = ("·", "░", "▒", "▓", "█")
"""What days look like from cold to warm, with many colours and with few."""

_HEAD = 1
_MONTH = 4
_LEGEND = ROWS - 1
_TODAY = "◉"
_OPEN, _CLOSE = "[", "]"
_MARGIN, _BAR, _NUMBER = 3, 12, 6
_BY_WEEKDAY = "by weekday"
_BESIDE = _MARGIN + _BAR + _NUMBER
"""Cells for how much there is of each weekday, to the right of all weeks."""


def weeks_in(width: int, counted: Counted, today: int) -> int:
    """How many weeks are in view: a year, or since anything is kept, if they fit."""
    fitting = max(width - LABEL - 1, 0) // PITCH
    since = monday(today) - monday(counted.earliest or today)
    return min(fitting, max(YEAR, since // WEEK + 1))


class Picture(Struct, frozen=True):
    """Counts as they are drawn."""

    counted: Counted
    first: int
    """The Monday of the first week."""
    weeks: int
    chosen: int
    today: int
    has_keys: bool = False
    """Whether keys move the day that is chosen."""
    glyphs: tuple[str, ...] = SQUARES

    def line(self, row: int, width: int) -> Pieces:
        """A row of it."""
        if row == 0:
            return [*fit(list(self._months(width)), self._wide), *self._title(width)]
        if row < _LEGEND:
            return [*self._days(row - _HEAD), *self._beside(row - _HEAD, width)]
        return self._legend() if row == _LEGEND else ()

    def alone(self, width: int) -> Iterator[Piece]:
        """All of it in one row: days around the chosen one, and how much it has."""
        day = date.fromordinal(self.chosen)
        days, behind = self._row(width)
        yield f" {MONTHS[day.month - 1]:{_MONTH}}", "faint"
        for each in days:
            glyph, tone = self._day(each)
            yield glyph, f"{tone} selected" if each == self.chosen else tone
        yield behind, "muted"

    def day_alone(self, x: int, width: int) -> int | None:
        """The day that stands somewhere in that row."""
        days, _ = self._row(width)
        at = x - 1 - _MONTH
        return days[at] if 0 <= at < len(days) and 1 <= days[at] <= LAST else None

    def _row(self, width: int) -> tuple[range, str]:
        """The days that stand in one row, and what is told of the chosen one."""
        day = date.fromordinal(self.chosen)
        number = self.counted.noun.counted(self.counted.on(self.chosen))
        behind = f" {spelt(day)} · {number} "
        room = width - 1 - _MONTH - len(behind)
        if room < WEEK:
            behind, room = "", max(width - 1 - _MONTH, 0)
        return row_around(self.chosen, self.today, room), behind

    def day_at(self, row: int, x: int) -> int | None:
        """The day that stands somewhere."""
        column = (x - LABEL - 1) // PITCH
        if not 0 <= column < self.weeks or not _HEAD <= row < _LEGEND:
            return None
        day = self.first + WEEK * column + row - _HEAD
        return day if 1 <= day <= LAST else None

    def holds(self, row: int) -> bool:
        """Whether the chosen day is in a row."""
        return weekday(self.chosen) == row - _HEAD

    @property
    def _wide(self) -> int:
        """The cells of all weeks."""
        return LABEL + PITCH * self.weeks + 1

    def _has_beside(self, width: int) -> bool:
        """Whether there is room beside the weeks, and something to tell there."""
        return any(self.counted.weekdays) and width >= self._wide + _BESIDE

    def _title(self, width: int) -> Pieces:
        """What stands beside the weeks."""
        if not self._has_beside(width):
            return ()
        return [(" " * _MARGIN, ""), (_BY_WEEKDAY, "faint")]

    def _months(self, width: int) -> Iterator[Piece]:
        """The months, each above the week that it begins in."""
        done = 0
        for column, label in labels(self.first, self.weeks):
            start = LABEL + PITCH * column + 1
            if done <= start <= min(width, self._wide) - len(label):
                yield " " * (start - done), ""
                yield f"{label} ", "muted"
                done = start + len(label) + 1

    def _days(self, row: int) -> Iterator[Piece]:
        """The same day of every week."""
        name = "" if row % 2 else WEEKDAYS[row]
        yield f" {name:{LABEL - 1}}", "faint"
        day = self.first + row
        for _ in range(self.weeks):
            yield self._gap(day - WEEK, day)
            yield self._cell(day)
            day += WEEK
        yield self._gap(day - WEEK, 0)

    def _gap(self, before: int, behind: int) -> Piece:
        """What stands between two days: a bracket beside the chosen one."""
        if self.chosen not in (before, behind):
            return " ", ""
        tone = "marked cursor" if self.has_keys else "marked"
        return (_OPEN if behind == self.chosen else _CLOSE), tone

    def _cell(self, day: int) -> Piece:
        glyph, tone = self._day(day)
        is_here = day == self.chosen and self.has_keys
        return glyph, f"{tone} cursor" if is_here else tone

    def _day(self, day: int) -> Piece:
        """A day, by how warm it is; one to come is nothing yet."""
        if day == self.today:
            return _TODAY, "center"
        heat = self.counted.heat(day)
        if not 1 <= day <= LAST or (day > self.today and not heat):
            return " ", ""
        return self.glyphs[heat], f"heat_{heat}"

    def _beside(self, row: int, width: int) -> Pieces:
        """How much there is of a weekday, where there is room beside the weeks."""
        if not self._has_beside(width):
            return ()
        number, most = self.counted.weekdays[row], max(self.counted.weekdays)
        filled = bar(number / most, _BAR, "heat_3")
        return [(" " * _MARGIN, ""), *filled, (f" {brief(number):>5}", "muted")]

    def _legend(self) -> Pieces:
        """What the glyphs mean, and how much there is in all."""
        counted = self.counted
        scale = [(f"{g} ", f"heat_{heat}") for heat, g in enumerate(self.glyphs)]
        told = [
            counted.noun.counted(counted.total),
            DAYS.counted(len(counted.counts)),
            f"longest streak {counted.streak}d",
        ]
        if counted.undated:
            told.append(f"{counted.undated} without a day")
        return [
            (" " * LABEL, ""),
            (" less ", "faint"),
            *scale,
            ("more   ", "faint"),
            (" · ".join(told), "muted"),
        ]
