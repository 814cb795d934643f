"""The calendar: one column per week, stronger colours for more records."""

from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping
from datetime import date
from functools import partial

from msgspec import Struct, field
from msgspec.structs import replace
from textual.strip import Strip

from widgets.memory_table import bar
from widgets.sheet import Content, Notice, Piece, Pieces, Sheet, ruled, strip
from widgets.table import brief, fit

# Names of days and months, in English only.

WEEKDAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
"""The days of the week."""

MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
"""The months of the year."""

_RELATIVE = {0: "today", 1: "yesterday", -1: "tomorrow"}


def spelt(day: date) -> str:
    """A day in readable form: `Fri 20 Feb 2026`."""
    month = MONTHS[day.month - 1]
    return f"{WEEKDAYS[day.weekday()]} {day.day} {month} {day.year:04}"


def relative(day: date, today: date) -> str:
    """The relative name of a day; usually empty."""
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
    """A day from a log in readable form; other text unchanged."""
    found = ordinal(text)
    if found is None:
        return text.strip() or "undated"
    day = date.fromordinal(found)
    near = relative(day, today)
    return f"{spelt(day)} · {near}" if near else spelt(day)


# The heat of a day: the rank of its count among all days.
#
# What counts as many differs between stores, so there are no fixed numbers: the levels
# are the quartiles of the days with records.

WARMEST = 4
"""The highest level; 0 is an empty day."""

Bounds = tuple[int, ...]
"""The greatest count of each level except the highest."""


def bounds(counts: Iterable[int]) -> Bounds:
    """The quartiles of the positive counts; empty if there are no such counts."""
    ranked = sorted(count for count in counts if count > 0)
    if not ranked:
        return ()
    return tuple(
        ranked[-(-len(ranked) * level // WARMEST) - 1] for level in range(1, WARMEST)
    )


def level(count: int, among: Bounds) -> int:
    """The heat of a count, 0…4; monotonic."""
    return 1 + bisect_left(among, count) if count > 0 else 0


# Calendar arithmetic with columns of weeks; days are proleptic ordinals.
#
# The first day, 0001-01-01, was a Monday and has number 1.

WEEK = 7
LAST = date.max.toordinal()
"""The last representable day."""

_MARGIN = 4
"""When jumping to a day, the fraction of weeks shown after it."""


def monday(day: int) -> int:
    """The Monday of a day's week."""
    return day - weekday(day)


def weekday(day: int) -> int:
    """The day of the week, 0 for Monday."""
    return (day - 1) % WEEK


def within(day: int) -> int:
    """The nearest representable day."""
    return max(1, min(day, LAST))


def first_week(shown: int, weeks: int, day: int, today: int) -> int:
    """The Monday of the first shown week, such that a day is in view.

    If possible, the last week is today's; else the view stays at `shown`; else most
    weeks in view are before the day.
    """
    until_today = monday(today) - WEEK * (weeks - 1)
    for first in (until_today, shown):
        if first <= day < first + WEEK * weeks:
            return first
    return monday(day) - WEEK * (weeks - 1 - weeks // _MARGIN)


def row_around(day: int, today: int, room: int) -> range:
    """This many days around one, ending today if possible."""
    last = today if 0 <= today - day < room else day + room // _MARGIN
    return range(last - room + 1, last + 1)


def moved_by_months(day: int, months: int) -> int:
    """The first day of the month this many months away."""
    at = date.fromordinal(within(day))
    count = at.year * 12 + at.month - 1 + months
    year, month = divmod(count, 12)
    if year < date.min.year:
        return 1
    return date(year, month + 1, 1).toordinal() if year <= date.max.year else LAST


def labels(first: int, weeks: int) -> Iterator[tuple[int, str]]:
    """The months that start in view: column and name.

    January is labelled with its year.
    """
    for column in range(weeks):
        begun = _begun(first + WEEK * column)
        if begun is not None:
            is_new_year = begun.month == 1
            yield column, f"{begun.year:04}" if is_new_year else MONTHS[begun.month - 1]


def longest_streak(days: Collection[int]) -> int:
    """The longest run of consecutive days."""
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
    """The month that starts in a week."""
    for day in range(week, week + WEEK):
        if 1 <= day <= LAST and (at := date.fromordinal(day)).day == 1:
            return at
    return None


# The content of a calendar: the number of records per day.


class Noun(Struct, frozen=True):
    """The name of what is counted."""

    one: str
    """The singular."""
    many: str
    """The plural."""
    dated: str = ""
    """What happened on a day, if a record can count on two days."""

    def counted(self, number: int) -> str:
        """A number with the noun."""
        return f"{number:,} {self.one if number == 1 else self.many}".replace(",", " ")


ENTRIES = Noun("entry", "entries")
MEMORIES = Noun("memory", "memories", "created or changed")
TALKS = Noun("conversation", "conversations")
DAYS = Noun("day", "days")


class Counted(Struct, frozen=True):
    """Counts by day, and values derived from them."""

    counts: Mapping[int, int] = field(default_factory=dict[int, int])
    """The count of each day by ordinal, without empty days."""
    noun: Noun = ENTRIES
    undated: int = 0
    """How many have no day."""
    bounds: Bounds = ()
    """The greatest count of each level except the highest."""
    total: int = 0
    """The total of all days."""
    earliest: int | None = None
    """The first day."""
    latest: int | None = None
    """The last day."""
    weekdays: tuple[int, ...] = (0,) * WEEK
    """The counts of each weekday, Monday first."""
    streak: int = 0
    """The longest run of days with records."""

    @classmethod
    def of(cls, days: Mapping[str, int], noun: Noun = ENTRIES) -> "Counted":
        """Counts by days as written; invalid days count as undated."""
        counts = {
            day: number
            for text, number in days.items()
            if number > 0 and (day := ordinal(text)) is not None
        }
        total = sum(counts.values())
        weekdays = [0] * WEEK
        for day, number in counts.items():
            weekdays[weekday(day)] += number
        return cls(
            counts,
            noun,
            undated=sum(days.values()) - total,
            bounds=bounds(counts.values()),
            total=total,
            earliest=min(counts, default=None),
            latest=max(counts, default=None),
            weekdays=tuple(weekdays),
            streak=longest_streak(counts),
        )

    def on(self, day: int) -> int:
        """The count of a day."""
        return self.counts.get(day, 0)

    def heat(self, day: int) -> int:
        """The heat of a day, 0…4."""
        return level(self.on(day), self.bounds)


# The drawing of a calendar, row by row: months, weekdays, legend; or one row.

LABEL = 4
"""Cells before the first week, for the names of weekdays."""

PITCH = 2
"""Cells of a week: a gap for the marker, and the day."""

YEAR = 53
"""The weeks of a year; this many are shown if they fit, more if needed."""

ROWS = 9
"""The months, the weekdays and the legend."""

SQUARES = ("·", "■", "■", "■", "■")
SHADES = ("·", "░", "▒", "▓", "█")
"""The glyphs of days from cold to hot, with many colours and with few."""

_HEAD = 1
_MONTH = 4
_LEGEND = ROWS - 1
_TODAY = "◉"
_OPEN, _CLOSE = "[", "]"
_PICTURE_MARGIN, _BAR, _NUMBER = 3, 12, 6
_BY_WEEKDAY = "by weekday"
_BESIDE = _PICTURE_MARGIN + _BAR + _NUMBER
"""Cells for the counts per weekday, to the right of the weeks."""


def weeks_in(width: int, counted: Counted, today: int) -> int:
    """The number of weeks shown: a year, or since the first record, if they fit."""
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
    """Whether keys move the selected day."""
    glyphs: tuple[str, ...] = SQUARES

    def line(self, row: int, width: int) -> Pieces:
        """One row."""
        if row == 0:
            return [*fit(list(self._months(width)), self._wide), *self._title(width)]
        if row < _LEGEND:
            return [*self._days(row - _HEAD), *self._beside(row - _HEAD, width)]
        return self._legend() if row == _LEGEND else ()

    def alone(self, width: int) -> Iterator[Piece]:
        """Everything in one row: days around the selected one, and its count."""
        day = date.fromordinal(self.chosen)
        days, behind = self._row(width)
        yield f" {MONTHS[day.month - 1]:{_MONTH}}", "faint"
        for each in days:
            glyph, tone = self._day(each)
            yield glyph, f"{tone} selected" if each == self.chosen else tone
        yield behind, "muted"

    def day_alone(self, x: int, width: int) -> int | None:
        """The day at a position in that row."""
        days, _ = self._row(width)
        at = x - 1 - _MONTH
        return days[at] if 0 <= at < len(days) and 1 <= days[at] <= LAST else None

    def _row(self, width: int) -> tuple[range, str]:
        """The days shown in one row, and the text about the selected one."""
        day = date.fromordinal(self.chosen)
        number = self.counted.noun.counted(self.counted.on(self.chosen))
        behind = f" {spelt(day)} · {number} "
        room = width - 1 - _MONTH - len(behind)
        if room < WEEK:
            behind, room = "", max(width - 1 - _MONTH, 0)
        return row_around(self.chosen, self.today, room), behind

    def day_at(self, row: int, x: int) -> int | None:
        """The day at a position."""
        column = (x - LABEL - 1) // PITCH
        if not 0 <= column < self.weeks or not _HEAD <= row < _LEGEND:
            return None
        day = self.first + WEEK * column + row - _HEAD
        return day if 1 <= day <= LAST else None

    def holds(self, row: int) -> bool:
        """Whether the selected day is in a row."""
        return weekday(self.chosen) == row - _HEAD

    @property
    def _wide(self) -> int:
        return LABEL + PITCH * self.weeks + 1

    def _has_beside(self, width: int) -> bool:
        """Whether there is room beside the weeks, and something to show there."""
        return any(self.counted.weekdays) and width >= self._wide + _BESIDE

    def _title(self, width: int) -> Pieces:
        if not self._has_beside(width):
            return ()
        return [(" " * _PICTURE_MARGIN, ""), (_BY_WEEKDAY, "faint")]

    def _months(self, width: int) -> Iterator[Piece]:
        """The months, each above the week in which it starts."""
        done = 0
        for column, label in labels(self.first, self.weeks):
            start = LABEL + PITCH * column + 1
            if done < start <= min(width, self._wide) - len(label):
                yield " " * (start - done), ""
                yield label, "muted"
                done = start + len(label)

    def _days(self, row: int) -> Iterator[Piece]:
        """The same weekday of every week."""
        name = "" if row % 2 else WEEKDAYS[row]
        yield f" {name:{LABEL - 1}}", "faint"
        day = self.first + row
        for _ in range(self.weeks):
            yield self._gap(day - WEEK, day)
            yield self._cell(day)
            day += WEEK
        yield self._gap(day - WEEK, 0)

    def _gap(self, before: int, behind: int) -> Piece:
        """The gap between two days, with a bracket beside the selected one."""
        if self.chosen not in (before, behind):
            return " ", ""
        tone = "marked cursor" if self.has_keys else "marked"
        return (_OPEN if behind == self.chosen else _CLOSE), tone

    def _cell(self, day: int) -> Piece:
        glyph, tone = self._day(day)
        is_here = day == self.chosen and self.has_keys
        return glyph, f"{tone} cursor" if is_here else tone

    def _day(self, day: int) -> Piece:
        """A day with its heat; future days are blank."""
        if day == self.today:
            return _TODAY, "center"
        heat = self.counted.heat(day)
        if not 1 <= day <= LAST or (day > self.today and not heat):
            return " ", ""
        return self.glyphs[heat], f"heat_{heat}"

    def _beside(self, row: int, width: int) -> Pieces:
        """The count of a weekday, if there is room beside the weeks."""
        if not self._has_beside(width):
            return ()
        number, most = self.counted.weekdays[row], max(self.counted.weekdays)
        filled = bar(number / most, _BAR, "heat_3")
        return [(" " * _PICTURE_MARGIN, ""), *filled, (f" {brief(number):>5}", "muted")]

    def _legend(self) -> Pieces:
        """The meaning of the glyphs, and the totals."""
        counted = self.counted
        scale = [(f"{g} ", f"heat_{heat}") for heat, g in enumerate(self.glyphs)]
        noun, days = counted.noun, DAYS.counted(len(counted.counts))
        told = [noun.counted(counted.total), days, f"longest streak {counted.streak}d"]
        if noun.dated:
            twice = f"{counted.total:,} {noun.dated}".replace(",", " ")
            told = [twice, days, f"streak {counted.streak}d"]
        if counted.undated:
            told.append(f"{counted.undated} undated")
        ends = [(" " * LABEL, ""), (" less ", "faint"), *scale, ("more   ", "faint")]
        return [*ends, (" · ".join(told), "muted"), ("   ◉ today", "faint")]


# The calendar: a column per week and a row per weekday.
#
# If only one row fits, the days are in a row.

_TWICE = 2


class CalendarSheet(Sheet):
    """A sheet that is as high as a calendar, and does not scroll."""

    DEFAULT_CSS = """
    CalendarSheet {
        height: 9;
        overflow: hidden hidden;
        scrollbar-gutter: auto;
        scrollbar-size-vertical: 0;
    }
    """


class Calendar(Content):
    """Shows the number of records per day; one day is selected."""

    class Went(Notice):
        """The user went to another day."""

        day: int

    class Opened(Notice):
        """The user wants to see the records of a day."""

        day: int

    def __init__(self, sheet: Sheet) -> None:
        super().__init__(sheet)
        self._picture = Picture(Counted(), first=1, weeks=0, chosen=1, today=1)

    @property
    def counted(self) -> Counted:
        """The counts shown."""
        return self._picture.counted

    @property
    def chosen(self) -> int:
        """The selected day, as an ordinal."""
        return self._picture.chosen

    def show(self, counted: Counted, today: int) -> None:
        """Show other counts."""
        before = self._picture
        self._picture = replace(before, counted=counted, today=within(today))
        if self._picture != before:
            self.sheet.forget()
        self.choose(self.chosen if self.chosen > 1 else self._latest)

    def choose(self, day: int) -> None:
        """Select a day and bring it into view."""
        picture = self._picture
        last = max(picture.today, picture.counted.latest or 1)
        day = within(min(day, last))
        weeks = weeks_in(self.sheet.text_width, picture.counted, picture.today)
        first = first_week(picture.first, max(weeks, 1), day, picture.today)
        self._picture = replace(picture, first=first, weeks=weeks, chosen=day)
        self.sheet.redraw()

    @property
    def _latest(self) -> int:
        """The last day with records, used until a day is selected."""
        today = self._picture.today
        return max((day for day in self.counted.counts if day <= today), default=today)

    def go(self, day: int) -> None:
        """Go to a day, and report it."""
        before = self.chosen
        self.choose(day)
        if self.chosen != before:
            self.sheet.post_message(self.Went(self.chosen))

    def by_days(self, step: int) -> None:
        """Go to another day."""
        self.go(self.chosen + step)

    def by_weeks(self, step: int) -> None:
        """Go to the same day of another week."""
        self.go(self.chosen + WEEK * step)

    def open(self) -> None:
        """Report that the records of the day should be shown."""
        self.sheet.post_message(self.Opened(self.chosen))

    @property
    def height(self) -> int:
        """As many lines as fit; none is out of view."""
        return self.sheet.size.height

    def line(self, number: int, width: int) -> Strip:
        """A row, newly drawn or from the cache."""
        picture, is_row = self._picture, self.sheet.size.height < ROWS
        here = picture.chosen if is_row or picture.holds(number) else None
        return self.sheet.cached(
            partial(self._draw, number, width, is_row=is_row),
            number,
            is_row,
            picture.first,
            here,
            self.sheet.has_focus,
        )

    def _draw(self, position: int, width: int, *, is_row: bool) -> Strip:
        has_squares = not (self.sheet.palette.is_flat or self.sheet.palette.is_ascii)
        picture = replace(
            self._picture,
            has_keys=self.sheet.has_focus,
            glyphs=SQUARES if has_squares else SHADES,
        )
        if is_row:
            pieces = list(picture.alone(width)) if position == 0 else ()
        else:
            pieces = picture.line(position, width)
        line = fit(pieces, width)
        if position == 0 and not is_row:
            line = list(ruled(line, width, has_focus=self.sheet.has_focus))
        return strip(line, width, self.sheet.brush())

    def resized(self) -> None:
        """Adapt the number of weeks to the new size."""
        super().resized()
        self.choose(self.chosen)

    def focused(self) -> None:
        """Highlight the selected day."""
        self.sheet.redraw()

    def left(self) -> None:
        """Remove the highlight."""
        self.sheet.redraw()

    def day_at(self, row: int, x: int) -> int | None:
        """The day at a position."""
        if self.sheet.size.height < ROWS:
            return self._picture.day_alone(x, self.sheet.text_width)
        return self._picture.day_at(row, x)

    def clicked(self, number: int, x: int, times: int) -> None:
        """Select a day on a click, open it on a double click."""
        day = self.day_at(number, x)
        if day is not None:
            self.go(day)
            if times == _TWICE:
                self.sheet.post_message(self.Opened(day))
