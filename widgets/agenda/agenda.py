"""The agenda: entries of a log under their days; the head tells the day in view.

Entries that do not stand in the order of their days, because somebody asked for another
order, are rows of a table.
"""

import textwrap
from datetime import date
from itertools import takewhile

from textual.reactive import reactive
from textual.strip import Strip

from store.derive.timing import Timing
from store.records.episode import Episode
from widgets.agenda.blocks import Blocks
from widgets.agenda.days import gap_between, heading
from widgets.agenda.entry import detail, headline, moment_of
from widgets.agenda.listed import COLUMNS
from widgets.agenda.outline import Break, Outline
from widgets.agenda.plan import Place, Plan
from widgets.agenda.shape import Shape, plan_of, shape_in
from widgets.calendar.counted import Counted
from widgets.columns.cells import Spans
from widgets.lines.cursor_lines import GUTTER
from widgets.lines.pieces import Pieces, strip
from widgets.lines.rows import Rows
from widgets.reader.hits import found

_AT_HAND = 100
"""So many entries are looked at for an outline, until there is one of all of them."""


class Agenda(Blocks[Episode]):
    """Shows entries day by day."""

    today: reactive[date] = reactive(date.min)
    """The day that it is."""

    sought: reactive[tuple[str, ...]] = reactive[tuple[str, ...]](())
    """The words that were looked for; they stand out."""

    others: reactive[tuple[Counted, ...]] = reactive[tuple[Counted, ...]](())
    """What else there is of each day: memories, conversations."""

    note: reactive[str] = reactive("")
    """What is said where there are no entries."""

    aside: reactive[tuple[Pieces, ...]] = reactive[tuple[Pieces, ...]](())
    """What is listed beneath that."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002  # as every widget has it
        super().__init__(COLUMNS, id=id, classes=classes)
        self.outline = Outline()
        """What is known of the entries, those out of view too."""
        self._shape = Shape.LINE

    def lay(self, outline: Outline) -> None:
        """Take over what is known of all entries; of others nothing is taken over."""
        if len(outline) == self.count():
            self.outline = outline
            self.set_plan(self._planned_for(self.count()))

    @property
    def is_by_day(self) -> bool:
        """Whether the entries stand under their days."""
        return self.outline.is_in_order

    def day_of(self, position: int) -> str | None:
        """The day of an entry, as written, where it is known."""
        days = self.outline.timing.days
        return days[position] if position < len(days) else None

    def to_day(self, step: int) -> None:
        """Go to the first entry of another day, so many days of entries away."""
        begin = self.outline.begin_of_day(self.cursor, step)
        if begin is not None:
            self.to(begin)

    def planned(self, rows: Rows[Episode]) -> Plan:
        """The lines of other entries: as before, where they are the same."""
        if not self._are_laid(rows):
            at_hand = takewhile(_is_known, rows.page(0, min(_AT_HAND, len(rows))))
            known = [moment_of(one) for one in at_hand if one is not None]
            self.outline = Outline.of(Timing.of(known))
        return self._planned_for(len(rows))

    def lead(self, row: int) -> int:
        """The day and the silence before an entry."""
        if not self.is_by_day or row >= len(self.outline):
            return 0
        return self.outline.breaks[row].bit_count()

    def part(self, place: Place, width: int) -> Strip:
        """A line of an entry, or one that leads to it."""
        line = place.part - self.lead(place.row)
        if line == 0:
            return self.line(place.row, width)
        key = self.kept(self.key(place.row), place.part)
        drawn = self._strips.get(key)
        if drawn is None:
            record = self.record(place.row)
            if line < 0:
                pieces = self._leading(place, width - GUTTER)
            elif record is None:
                return strip((), width, self.brush())
            else:
                pieces = detail(record, width - GUTTER, line, self._shape)
            pieces = [(" " * GUTTER, ""), *pieces]
            drawn = self._strips[key] = strip(pieces, width, self.brush())
        return drawn

    def draw(self, record: Episode, width: int) -> Pieces:
        """The first line of an entry, or all of it."""
        if not self.is_by_day:
            return super().draw(record, width)
        return headline(record, width, self._hits(record))

    def head(self, width: int) -> Pieces:
        """The day in view; above a table, what its columns are."""
        if not self.is_by_day:
            return super().head(width)
        if not self.count():
            return ()
        return [(" " * GUTTER, ""), *self._heading(self.first, width - GUTTER)]

    def head_clicked(self, x: int) -> None:
        """A day is no column."""
        if not self.is_by_day:
            super().head_clicked(x)

    def resized(self) -> None:
        """There may be room for more of each entry."""
        shape = shape_in(self.text_width, self.room)
        if shape is not self._shape:
            self._shape = shape
            self.set_plan(self._planned_for(self.count()))
        super().resized()

    def watch_today(self) -> None:
        """Days are called otherwise now."""
        self.forget()
        self.redraw()

    def watch_sought(self) -> None:
        """Other words stand out."""
        self.forget()
        self.redraw()

    def watch_others(self) -> None:
        """Days tell of other numbers."""
        self.forget()
        self.redraw()

    def watch_note(self) -> None:
        """Something else is said."""
        self.redraw()

    def watch_aside(self) -> None:
        """Something else is listed."""
        self.redraw()

    def _planned_for(self, count: int) -> Plan:
        return plan_of(self.outline, self._shape, count)

    def _are_laid(self, rows: Rows[Episode]) -> bool:
        """Whether rows are those that there is an outline of."""
        last = len(rows) - 1
        return (
            len(rows) == len(self.outline) == self.count()
            and bool(rows)
            and rows.key(0) == self.key(0)
            and rows.key(last) == self.key(last)
        )

    def _leading(self, place: Place, width: int) -> Pieces:
        """A line before an entry: how long it was silent, or which day begins."""
        is_gap = self.outline.breaks[place.row] & Break.GAP
        if is_gap and place.part == 0:
            return gap_between(self.outline.timing, place.row)
        return self._heading(place.row, width)

    def _heading(self, position: int, width: int) -> Pieces:
        """A day, and how many entries it has."""
        count = self.outline.entries_of_day(position, self.count())
        day = self.day_of(position)
        return heading(day, count, self.others, self.today, width)

    def _hits(self, record: Episode) -> Spans:
        return found(record.title, self.sought) if self.sought else ()

    def _row_of(self, y: int, width: int) -> Strip:
        """A line of an entry; what is said where there are none."""
        if self.count() or not self.note:
            return super()._row_of(y, width)
        blank = (" " * GUTTER, "")
        said = textwrap.wrap(self.note, max(width - 2 * GUTTER, 1))
        lines = [[(line, "muted")] for line in said]
        shown: list[Pieces] = [(), *lines, (), *self.aside]
        pieces = shown[y] if y < len(shown) else ()
        return strip([blank, *pieces], width, self.brush())


def _is_known(record: Episode | None) -> bool:
    return record is not None
