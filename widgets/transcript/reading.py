"""Where one reads: what is in view, the part that is pointed at, and how one moves.

Pointing goes from part to part. A part that is longer than the view is read line by
line first, so that no step ever leaves text behind that was not seen.
"""

from typing import NamedTuple

from widgets.transcript.laid import LaidEntry, LaidPart
from widgets.transcript.layout import Layout, Place, Row

_ABOVE = 4
"""What part of the view lies above a message that one jumps to."""


class Spot(NamedTuple):
    """A part of a message."""

    at: int
    part: int


class Reading:
    """A view upon a layout, and what is pointed at.

    Of what is long more is laid out while one goes down; who comes from below finds
    what was laid out before, and goes on from there.
    """

    def __init__(self) -> None:
        self.layout = Layout()
        self.room = 0
        """How many lines are in view."""
        self.top = Place(0, 0)
        self.spot = Spot(0, 0)
        self._goal = ""
        """Where to be once what lies there is at hand: at the `spot`, at the `end`."""
        self._way = 1
        """Which way one went last."""

    @property
    def laid(self) -> LaidEntry | None:
        """The message that is pointed at, laid out."""
        return (
            self.layout.laid(self.spot.at) if self.spot.at < len(self.layout) else None
        )

    @property
    def part(self) -> LaidPart | None:
        """The part that is pointed at."""
        laid = self.laid
        number = self.spot.part
        return laid.parts[number] if laid and number < len(laid.parts) else None

    def rows(self) -> list[Row]:
        """What is in view."""
        return self.layout.rows(self.top, self.room)

    def settle(self) -> None:
        """Let there be lines in all of the view, as far as there are any."""
        if not self.room:
            return
        self._point()
        self.top = self.layout.down(self.top, 0)
        while self._way > 0 and self._read_on():
            pass
        rows = self.rows()
        if len(rows) < self.room:
            self.top = self.layout.up(self._end, self.room)
        if all(row.laid for row in self.rows()):
            self._goal = ""

    def brought(self) -> None:
        """Messages are at hand that were not: be where one wanted to be."""
        match self._goal:
            case "end":
                self.bottom()
            case "spot":
                self.go(self.spot.at, self.spot.part)
            case _:
                self.settle()

    def scroll(self, lines: int) -> None:
        """Move the view alone."""
        self._way = 1 if lines > 0 else -1
        step = self.layout.down if lines > 0 else self.layout.up
        self.top = step(self.top, abs(lines))
        self._goal = ""
        self.settle()

    def move(self, parts: int) -> None:
        """Point to another part; one that goes on beyond the view is read first."""
        self._way = 1 if parts > 0 else -1
        self._goal = ""
        for _ in range(abs(parts)):
            self._step()
            self.settle()

    def page(self, lines: int) -> None:
        """Move the view, and point to what is in it then."""
        before = self.top
        self.scroll(lines)
        if self.top == before:
            self.spot = self._last() if lines > 0 else self.first
        elif not self._starts_in_view():
            self.spot = self._in_view(1)

    def go(self, at: int, part: int = 0) -> None:
        """Go to a message, some of what comes before it in view."""
        self.spot = Spot(max(0, min(at, len(self.layout) - 1)), part)
        self._goal, self._way = "spot", 1
        self._point()
        laid = self.laid
        line = laid.start(self.spot.part) if laid and self.spot.part else 0
        self.top = self.layout.up(Place(self.spot.at, line), self.room // _ABOVE)
        self.settle()

    def to_line(self, line: int) -> None:
        """Go where a line is, as far as that is known."""
        self.top = Place(*self.layout.heights.find(line))
        self._goal = ""
        self.settle()

    def beginning(self) -> None:
        """Go to the first message."""
        self.spot = self.first
        self.top = Place(self.layout.heights.next(0), 0)
        self._goal, self._way = "spot" if self.laid is None else "", 1
        self.settle()

    def bottom(self) -> None:
        """Go to the end of the last message."""
        self._way = -1
        self.spot = self._last()
        self.top = self.layout.up(self._end, self.room)
        self._goal = "end"
        self.settle()

    def show(self, place: Place) -> None:
        """Bring a line into view; it stays where it is if it is there already."""
        if not self._sees(place):
            self.top = self.layout.up(place, self.room // 2)
        self.settle()

    def keep(self) -> int | None:
        """In which row of the view the part begins that is pointed at."""
        start = self._start()
        if start is None or not self._sees(start):
            return None
        return self.layout.distance(self.top, start, self.room)

    def restore(self, row: int | None) -> None:
        """Let that part begin in a row of the view, whatever changed around it."""
        self._point()
        start = self._start()
        if start is not None and row is not None:
            self.top = self.layout.up(start, row)
        self.settle()

    @property
    def is_at_end(self) -> bool:
        """Whether nothing comes after what is in view."""
        rows = self.rows()
        if not rows:
            return True
        last = rows[-1]
        after = self.layout.down(Place(last.at, last.line), 1)
        return after.at >= len(self.layout)

    @property
    def _end(self) -> Place:
        return Place(len(self.layout), 0)

    def _start(self) -> Place | None:
        """Where the part begins that is pointed at."""
        laid = self.laid
        if laid is None or self.spot.part >= len(laid.parts):
            return None
        return Place(self.spot.at, laid.start(self.spot.part))

    def _sees(self, place: Place) -> bool:
        """Whether a line is in view."""
        if place < self.top:
            return False
        return self.layout.distance(self.top, place, self.room) < self.room

    def _is_in_view(self) -> bool:
        """Whether any of what is pointed at is in view."""
        start, part = self._start(), self.part
        if start is None or part is None:
            return True
        last = Place(start.at, start.line + part.height - 1)
        return last >= self.top and (start <= self.top or self._sees(start))

    def _starts_in_view(self) -> bool:
        start = self._start()
        return start is not None and self._sees(start)

    def _goes_on(self) -> bool:
        """Whether what is pointed at goes on beyond the view, the way one goes."""
        start, part = self._start(), self.part
        if start is None or part is None:
            return False
        if self._way < 0:
            return start < self.top
        last = Place(start.at, start.line + part.height - 1)
        return not self._sees(last)

    def _read_on(self) -> bool:
        """Lay out what comes next where one is near the end of what is known."""
        rows = self.layout.rows(self.top, 2 * self.room)
        return any(
            row.laid and self.layout.reach(Place(row.at, row.line)) for row in rows
        )

    def _point(self) -> None:
        """Point to something that is there."""
        laid = self.laid
        if laid is None:
            if self.spot.at < len(self.layout) and self.layout.heights[self.spot.at]:
                return
            self.spot = self._near(self.spot)
        elif not laid.parts:
            self.spot = self._near(self.spot)
        elif self.spot.part >= len(laid.parts):
            self.spot = Spot(self.spot.at, len(laid.parts) - 1)

    def _near(self, spot: Spot) -> Spot:
        """The nearest part to a message that has none: on one's way, else behind."""
        found = self._beside(self._way, spot)
        return self._beside(-self._way, spot) if found == spot else found

    def _beside(self, way: int, spot: Spot | None = None) -> Spot:
        """The next part, or the one before; the same where there is no other."""
        here = spot or self.spot
        heights = self.layout.heights
        at, part = here.at, here.part + way
        laid = self.layout.laid(at) if 0 <= at < len(self.layout) else None
        while laid is None or not 0 <= part < len(laid.parts):
            at = heights.next(at + 1) if way > 0 else heights.previous(at - 1)
            if not 0 <= at < len(self.layout):
                return here
            laid = self.layout.laid(at)
            if laid is None:
                return Spot(at, 0)
            part = 0 if way > 0 else len(laid.parts) - 1
        return Spot(at, part)

    @property
    def first(self) -> Spot:
        """The first part that there is."""
        found = self._beside(1, Spot(-1, 0))
        return found if found.at >= 0 else Spot(0, 0)

    def _last(self) -> Spot:
        count = len(self.layout)
        found = self._beside(-1, Spot(count, 0))
        return found if found.at < count else Spot(0, 0)

    def _step(self) -> None:
        """Point to the next part on one's way, or see more of what one reads."""
        before = self.spot
        is_seen = self._is_in_view()
        if not is_seen:
            self.spot = self._in_view(self._way)
        elif not self._goes_on():
            self.spot = self._beside(self._way)
        if self.spot == before:
            step = self.layout.down if self._way > 0 else self.layout.up
            self.top = step(self.top, 1)
        elif is_seen:
            self._reveal()

    def _in_view(self, way: int) -> Spot:
        """The first part that begins in view, or the last; else what is there."""
        rows = self.rows()
        seen = [(row, row.laid.place(row.line)) for row in rows if row.laid]
        starts = [Spot(row.at, part) for row, (part, line) in seen if part >= 0 == line]
        others = [
            Spot(row.at, max(part, 0))
            for row, (part, _) in seen
            if row.laid and row.laid.parts
        ]
        spots = starts or others or [self.spot]
        return spots[0] if way > 0 else spots[-1]

    def _reveal(self) -> None:
        """Bring what is pointed at into view, moving as little as can be."""
        start, part = self._start(), self.part
        if start is None or part is None:
            self.go(self.spot.at, self.spot.part)
            return
        first = Place(start.at, 0) if not self.spot.part else start
        last = Place(start.at, start.line + part.height - 1)
        half = max(self.room // 2, 1)
        if first < self.top:
            if part.height <= self.room:
                self.top = first
            elif not self._sees(last):
                self.top = self.layout.up(last, half - 1)
        else:
            end = min(last, Place(start.at, start.line + half - 1))
            if not self._sees(end):
                seen = self.layout.down(self.top, self.room)
                self.top = min(seen, self.layout.up(end, self.room - 1))
