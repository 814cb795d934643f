"""Scroll, select and search in a transcript."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from typing import NamedTuple

from msgspec import Struct
from textual.message import Message

from widgets.reader import Hit
from widgets.sheet import Notice
from widgets.text import Target, found
from widgets.transcript_layout import AT_ONCE, LaidEntry, LaidPart, Layout, Place, Row

# The reports of a transcript: requests, never actions.


class EntriesWanted(Notice, namespace="transcript"):
    """Messages in view, or soon to be, are not loaded."""

    first: int
    last: int
    """The end, exclusive."""


class WholeWanted(Notice, namespace="transcript"):
    """An open part is only partly loaded."""

    at: int
    key: str
    """The part."""


class Followed(Notice, namespace="transcript"):
    """The user wants to follow the link of a part."""

    target: Target


class Pointed(Notice, namespace="transcript"):
    """Another message is the current one."""

    at: int

    def can_replace(self, message: Message) -> bool:
        """Only the latest message matters."""
        return isinstance(message, Pointed)


# The reading position: the view, the current part, and the movements.
#
# The current position moves from part to part. A part longer than the view is scrolled
# line by line first, so that no step skips text that was not seen.

_ABOVE = 4
"""When jumping to a message, the fraction of the view shown above it."""


class Spot(NamedTuple):
    """A part of a message."""

    at: int
    part: int


class Parts:
    """The parts of all messages, one after another."""

    def __init__(self, layout: Layout) -> None:
        self._layout = layout

    @property
    def first(self) -> Spot:
        """The first part."""
        found = self.beside(1, Spot(-1, 0))
        return found if found.at >= 0 else Spot(0, 0)

    @property
    def last(self) -> Spot:
        """The last part."""
        count = len(self._layout)
        found = self.beside(-1, Spot(count, 0))
        return found if found.at < count else Spot(0, 0)

    def near(self, way: int, spot: Spot) -> Spot:
        """The nearest part to a message without any, first in this direction."""
        found = self.beside(way, spot)
        return self.beside(-way, spot) if found == spot else found

    def beside(self, way: int, here: Spot) -> Spot:
        """The next part, or the previous one; the same if there is no other."""
        layout, heights = self._layout, self._layout.heights
        at, part = here.at, here.part + way
        laid = layout.laid(at) if 0 <= at < len(layout) else None
        while laid is None or not 0 <= part < len(laid.parts):
            at = heights.next(at + 1) if way > 0 else heights.previous(at - 1)
            if not 0 <= at < len(layout):
                return here
            laid = layout.laid(at)
            if laid is None:
                return Spot(at, 0)
            part = 0 if way > 0 else len(laid.parts) - 1
        return Spot(at, part)


class Reading:
    """A view on a layout, and the current part.

    Long parts are laid out further while moving down; moving up uses what has been laid
    out before.
    """

    def __init__(self) -> None:
        self.layout = Layout()
        self.room = 0
        """The number of lines in view."""
        self.top = Place(0, 0)
        self.spot = Spot(0, 0)
        self._goal = ""
        """Where to go once the messages are loaded: `spot` or `end`."""
        self._way = 1
        """The direction of the last movement."""

    @property
    def laid(self) -> LaidEntry | None:
        """The current message, laid out."""
        return (
            self.layout.laid(self.spot.at) if self.spot.at < len(self.layout) else None
        )

    @property
    def part(self) -> LaidPart | None:
        """The current part."""
        laid = self.laid
        number = self.spot.part
        return laid.parts[number] if laid and number < len(laid.parts) else None

    def rows(self) -> list[Row]:
        """The rows in view."""
        return self.layout.rows(self.top, self.room)

    def settle(self) -> None:
        """Fill the view with lines, as far as there are any."""
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
        """Continue to the goal after messages were loaded."""
        match self._goal:
            case "end":
                self.bottom()
            case "spot":
                self.go(self.spot.at, self.spot.part)
            case _:
                self.settle()

    def scroll(self, lines: int) -> None:
        """Scroll the view only."""
        self._way = 1 if lines > 0 else -1
        step = self.layout.down if lines > 0 else self.layout.up
        self.top = step(self.top, abs(lines))
        self._goal = ""
        self.settle()

    def move(self, parts: int) -> None:
        """Move to another part, after scrolling through the current one."""
        self._way = 1 if parts > 0 else -1
        self._goal = ""
        for _ in range(abs(parts)):
            self._step()
            self.settle()

    def page(self, lines: int) -> None:
        """Scroll the view, and select a part in it."""
        before = self.top
        self.scroll(lines)
        if self.top == before:
            parts = Parts(self.layout)
            self.spot = parts.last if lines > 0 else parts.first
        elif not self._starts_in_view():
            self.spot = self._in_view(1)

    def go(self, at: int, part: int = 0) -> None:
        """Go to a message, with some context above it in view."""
        self.spot = Spot(max(0, min(at, len(self.layout) - 1)), part)
        self._goal, self._way = "spot", 1
        self._point()
        laid = self.laid
        line = laid.start(self.spot.part) if laid and self.spot.part else 0
        self.top = self.layout.up(Place(self.spot.at, line), self.room // _ABOVE)
        self.settle()

    def to_line(self, line: int) -> None:
        """Go to a line, as far as its place is known."""
        self.top = Place(*self.layout.heights.find(line))
        self._goal = ""
        self.settle()

    def beginning(self) -> None:
        """Go to the first message."""
        self.spot = Parts(self.layout).first
        self.top = Place(self.layout.heights.next(0), 0)
        self._goal, self._way = "spot" if self.laid is None else "", 1
        self.settle()

    def bottom(self) -> None:
        """Go to the end of the last message."""
        self._way = -1
        self.spot = Parts(self.layout).last
        self.top = self.layout.up(self._end, self.room)
        self._goal = "end"
        self.settle()

    def show(self, place: Place) -> None:
        """Bring a line into view, without scrolling if it is already."""
        if not self._sees(place):
            self.top = self.layout.up(place, self.room // 2)
        self.settle()

    def keep(self) -> int | None:
        """The row of the view at which the current part starts."""
        start = self._start()
        if start is None or not self._sees(start):
            return None
        return self.layout.distance(self.top, start, self.room)

    def restore(self, row: int | None) -> None:
        """Put the start of the current part into a row, whatever changed around it."""
        self._point()
        start = self._start()
        if start is not None and row is not None:
            self.top = self.layout.up(start, row)
        self.settle()

    @property
    def is_at_end(self) -> bool:
        """Whether the end is in view."""
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
        laid = self.laid
        if laid is None or self.spot.part >= len(laid.parts):
            return None
        return Place(self.spot.at, laid.start(self.spot.part))

    def _sees(self, place: Place) -> bool:
        if place < self.top:
            return False
        return self.layout.distance(self.top, place, self.room) < self.room

    def _is_in_view(self) -> bool:
        """Whether any of the current part is in view."""
        start, part = self._start(), self.part
        if start is None or part is None:
            return True
        last = Place(start.at, start.line + part.height - 1)
        return last >= self.top and (start <= self.top or self._sees(start))

    def _starts_in_view(self) -> bool:
        start = self._start()
        return start is not None and self._sees(start)

    def _goes_on(self) -> bool:
        """Whether the current part extends beyond the view in the current direction."""
        start, part = self._start(), self.part
        if start is None or part is None:
            return False
        if self._way < 0:
            return start < self.top
        last = Place(start.at, start.line + part.height - 1)
        return not self._sees(last)

    def _read_on(self) -> bool:
        """Lay out more when the position is near the end of what is laid out."""
        rows = self.layout.rows(self.top, 2 * self.room)
        return any(
            row.laid and self.layout.reach(Place(row.at, row.line)) for row in rows
        )

    def _point(self) -> None:
        """Select a part that exists."""
        laid = self.laid
        if laid is None:
            if self.spot.at < len(self.layout) and self.layout.heights[self.spot.at]:
                return
            self.spot = Parts(self.layout).near(self._way, self.spot)
        elif not laid.parts:
            self.spot = Parts(self.layout).near(self._way, self.spot)
        elif self.spot.part >= len(laid.parts):
            self.spot = Spot(self.spot.at, len(laid.parts) - 1)

    def _step(self) -> None:
        """Move to the next part in the current direction, or scroll the current one."""
        before = self.spot
        is_seen = self._is_in_view()
        if not is_seen:
            self.spot = self._in_view(self._way)
        elif not self._goes_on():
            self.spot = Parts(self.layout).beside(self._way, self.spot)
        if self.spot == before:
            step = self.layout.down if self._way > 0 else self.layout.up
            self.top = step(self.top, 1)
        elif is_seen:
            self._reveal()

    def _in_view(self, way: int) -> Spot:
        """The first or last part that starts in view, or else any part in view."""
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
        """Bring the current part into view, scrolling as little as possible."""
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


# Move from hit to hit, across messages that are not loaded yet.

_FAR = 2000
"""The most lines of a part laid out to find a hit in it."""


class Found(Struct, frozen=True):
    """A hit, and its part."""

    at: int
    part: int
    number: int


class Walk:
    """The position among the hits."""

    def __init__(self) -> None:
        self.here: Found | None = None
        self._step = 0
        """The direction of the search to continue once its message is loaded."""

    def hit(self, reading: Reading) -> Hit | None:
        """The current hit, as a line of its part and a range."""
        part = reading.part
        here = self.here
        if part is None or here is None or reading.spot != (here.at, here.part):
            return None
        hits = part.laid.hits
        return hits[here.number] if here.number < len(hits) else None

    def next(self, reading: Reading, step: int, places: Sequence[int]) -> None:
        """Go to the next or previous hit, cyclically.

        `places` are the messages with hits, in order.
        """
        rest = self._rest(reading, step)
        if rest:
            self._be_at(reading, rest[0])
        elif places:
            reading.go(_next(places, reading.spot.at, step))
            self._step = step
            self.resume(reading)

    def land(self, reading: Reading, at: int) -> None:
        """Go to the first hit of a message."""
        reading.go(at)
        self.here, self._step = None, 1
        self.resume(reading)

    def resume(self, reading: Reading) -> None:
        """Continue the search if its message is loaded now."""
        laid = reading.laid
        if not self._step or laid is None:
            return
        step, self._step = self._step, 0
        _open(reading, laid)
        hits = _hits(reading)
        if hits:
            self._be_at(reading, hits[0] if step > 0 else hits[-1])
        else:
            self.here = None

    def filled(self, reading: Reading) -> None:
        """Return to the current hit after parts of the message have changed."""
        here = self.here
        if here is not None and here.at == reading.spot.at:
            same = [one for one in _hits(reading) if one.part == here.part]
            if same:
                self._be_at(reading, same[min(here.number, len(same) - 1)])

    def _rest(self, reading: Reading, step: int) -> list[Found]:
        """The hits not visited yet in the current message."""
        hits = _hits(reading)
        if self.here is not None and self.here in hits:
            number = hits.index(self.here)
            return hits[number + 1 :] if step > 0 else hits[:number][::-1]
        part = reading.spot.part
        if step > 0:
            return [one for one in hits if one.part >= part]
        return [one for one in reversed(hits) if one.part < part]

    def _be_at(self, reading: Reading, hit: Found) -> None:
        self.here = hit
        reading.spot = Spot(hit.at, hit.part)
        laid = reading.laid
        if laid is not None:
            line = laid.parts[hit.part].laid.hits[hit.number].line
            reading.show(Place(hit.at, laid.start(hit.part) + line))


def _next(places: Sequence[int], at: int, step: int) -> int:
    """The next or previous place, cyclically."""
    if step > 0:
        return places[bisect_right(places, at) % len(places)]
    return places[bisect_left(places, at) - 1]


def _hits(reading: Reading) -> list[Found]:
    laid = reading.laid
    at = reading.spot.at
    return [
        Found(at, part, number)
        for part, one in enumerate(laid.parts if laid else ())
        for number in range(_count(one))
    ]


def _count(part: LaidPart) -> int:
    """The number of hits in a part, within the search limit."""
    laid = part.laid
    while not (laid.hits or laid.is_done) and len(laid.lines) < _FAR:
        laid.reach(len(laid.lines) + AT_ONCE)
    return len(laid.hits)


def _open(reading: Reading, laid: LaidEntry) -> None:
    """Unfold the parts of a message that contain hits."""
    layout = reading.layout
    hiding = [
        one.part
        for one in laid.parts
        if not (one.is_open or one.laid.hits)
        and found(one.part.text, layout.look.needles)
    ]
    for part in hiding:
        layout.folds.toggle(laid.entry, part)
    if hiding:
        layout.replace(reading.spot.at, laid.entry)
        reading.settle()
