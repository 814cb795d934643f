"""The lines of a timeline: conversations in order of time, their days, gaps, status."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from enum import IntEnum, StrEnum
from itertools import accumulate
from typing import NamedTuple

from msgspec import Struct, field

from store.clean import clean
from store.derive.statistics import ALONE, NEVER, UNDATED, Keeping, Spans
from widgets.calendar import spelt
from widgets.rows import Arrangement
from widgets.sheet import Piece, Pieces
from widgets.styles import status_of

# Days and times of day, in local time.

SECOND = 1_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR
"""In microseconds; a local day may be an hour longer or shorter."""

_EPOCH = date(1970, 1, 1)


class Day(NamedTuple):
    """From one midnight to the next, in microseconds."""

    begin: int
    end: int


NO_DAY = Day(UNDATED, UNDATED + 1)
"""The day of conversations without a time."""


def day_of(instant: int) -> Day:
    """The day that contains a time."""
    if instant == UNDATED:
        return NO_DAY
    moment = _moment(instant)
    if moment is None:
        begin = instant // DAY * DAY
        return Day(begin, begin + DAY)
    today = moment.date()
    try:
        return Day(_midnight(today), _midnight(today + timedelta(days=1)))
    except OverflowError:
        begin = _midnight(today)
        return Day(begin, begin + DAY)


def clock(instant: int) -> str:
    """The time of day to the minute; empty if unknown."""
    moment = None if instant == UNDATED else _moment(instant)
    return f"{moment.hour:02}:{moment.minute:02}" if moment else ""


def day_told(instant: int, *, with_weekday: bool = True) -> str:
    """The day of a time in words: `Sat 14 Feb 2026`."""
    moment = None if instant == UNDATED else _moment(instant)
    if moment is None:
        return "no date"
    told = spelt(moment)
    return told if with_weekday else told.partition(" ")[2]


def date_told(instant: int) -> str:
    """The day of a time in sortable form."""
    moment = None if instant == UNDATED else _moment(instant)
    return moment.date().isoformat() if moment else ""


def lasting(micros: int) -> str:
    """A duration in few cells: `35m`, `1h 15m`, `3d 4h`."""
    minutes = max(round(micros / MINUTE), 0)
    hours, days = minutes // 60, minutes // (24 * 60)
    if not hours:
        return f"{minutes}m"
    if not days:
        return f"{hours}h {minutes % 60:02}m"
    return f"{days}d {hours % 24}h"


def _moment(instant: int) -> datetime | None:
    """A local time; None if out of range."""
    try:
        return datetime.fromtimestamp(instant // SECOND)  # noqa: DTZ006  # local time is intended
    except (OverflowError, OSError, ValueError):
        return None


def _midnight(day: date) -> int:
    """The local start of a day."""
    try:
        begin = datetime.combine(day, time.min).timestamp()
    except (OverflowError, OSError, ValueError):
        return (day - _EPOCH) // timedelta(days=1) * DAY
    return int(begin) * SECOND


def status_cell(word: str, width: int) -> Pieces:
    """A status with its name if there is room; nothing without a status."""
    glyph, tone, _ = status_of(word)
    if not word or width == 1:
        return [(glyph, tone)]
    return [(f"{glyph} ", tone), (clean(word), tone)]


# The expiry of a conversation, and how much of it is in the vault.

_SOON = 7
"""Days before expiry from which it is highlighted."""

_KEPT: Piece = ("pinned", "vault")


def staying(leaves: int, keeping: Keeping, now: int) -> Piece | None:
    """The expiry as text; None if it neither expires nor is saved."""
    if keeping is Keeping.ONLY:
        return "only in the vault", "vault"
    if keeping is Keeping.WHOLE:
        return _KEPT
    days = days_left(leaves, now)
    if keeping is Keeping.EARLIER and days is None:
        return "pinned, grew since", "vault"
    if days is None:
        return None
    words = f"expires in {days} d" if days > 0 else "may expire any time"
    before = "grew since pinned · " if keeping else ""
    return before + words, "fading" if days <= _SOON else "faint"


def staying_in_brief(leaves: int, keeping: Keeping, now: int) -> Piece | None:
    """The same in few cells: saved, or expiring soon."""
    days = days_left(leaves, now)
    if days is not None and days <= _SOON and keeping is not Keeping.WHOLE:
        return f"-{max(days, 0)}d", "fading"
    return _KEPT if keeping else None


def days_left(leaves: int, now: int) -> int | None:
    """The days left, including the current one."""
    return None if leaves == NEVER else -((now - leaves) // DAY)


def is_endangered(spans: Spans, position: int) -> bool:
    """Whether a conversation will expire without being completely saved."""
    return spans.leaves[position] != NEVER and spans.kept[position] != Keeping.WHOLE


def leaving_soon(spans: Spans, now: int) -> int:
    """How many expire within a week without being completely saved."""
    soon = now + _SOON * DAY
    return sum(
        spans.leaves[position] <= soon and is_endangered(spans, position)
        for position in range(len(spans))
    )


# The height of gaps: none, by doubling, or in proportion.

_SHORT = 30 * MINUTE
"""Shorter gaps are not shown."""

_MOST = 5
"""The most lines of a gap drawn by doubling."""

_MOST_OF_DAYS = 3
"""The most lines of a gap of whole days."""

_MOST_IN_PROPORTION = 24
"""The most lines if each one represents an hour or an empty day."""

_LOW, _HIGH = 2, 4
"""The most lines of a conversation, in brief and otherwise."""

_ROOT_OF_TWO = 1414
"""The square root of two, times 1000; makes the logarithm a rounded one."""


class Scale(StrEnum):
    """The scale on which gaps are drawn; in brief, blocks are low as well."""

    BRIEF = "brief"
    LOG = "log"
    LINEAR = "to scale"
    NONE = "none"


def gap_lines(quiet: int, scale: Scale) -> int:
    """The lines of a gap, in microseconds, or in whole days if negative."""
    if not quiet or scale in (Scale.NONE, Scale.BRIEF):
        return 0
    if quiet < 0:
        days = -quiet
        if scale is Scale.LINEAR:
            return min(days, _MOST_IN_PROPORTION)
        return min((days.bit_length() + 1) // 2, _MOST_OF_DAYS)
    if scale is Scale.LINEAR:
        return min(quiet // HOUR, _MOST_IN_PROPORTION)
    doubled = quiet * _ROOT_OF_TWO // (_SHORT * 1000)
    return min(max(doubled.bit_length() - 1, 0), _MOST)


def block_lines(lasted: int) -> int:
    """The lines of a conversation: one more for each doubling from 15 minutes."""
    quarters = max(lasted, 0) // (15 * MINUTE)
    return min(1 + quarters.bit_length(), _HIGH)


# Conversations in order of time: days, gaps, sub-agents.
#
# Stored as columns of numbers, so that a hundred thousand take no noticeable time;
# their lines are computed separately.

_GENERATIONS = 8
"""The most generations searched for the first ancestor of a conversation."""


class Items(Struct, frozen=True):
    """Columns with a number per item, in display order."""

    positions: Sequence[int]
    """The position of the conversation in the list."""
    quiets: Sequence[int]
    """The gap before it: microseconds, or whole days if negative."""
    begins_day: Sequence[int]
    """1 if a day starts with it."""
    bodies: Sequence[int]
    """The lines of its block."""
    owners: Sequence[int]
    """The item it is folded under; itself if none."""
    kids: Sequence[int]
    """The number of items folded under it, which follow it."""
    first_of_day: Sequence[int] = field(default_factory=list[int])
    """The first item of each day."""
    days: Sequence[Day] = field(default_factory=list[Day])

    def __len__(self) -> int:
        return len(self.positions)


def in_rows(count: int) -> Items:
    """Conversations in the list's own order, one line each."""
    zeros, ones = bytes(count), b"\1" * count
    return Items(range(count), zeros, zeros, ones, range(count), zeros)


def in_time(spans: Spans, *, newest_first: bool = False) -> Items:
    """Conversations in order of time, sub-agents under their parents."""
    heads, kids = _families(spans)
    heads.sort(key=spans.begins.__getitem__, reverse=newest_first)
    made = _Made(spans, newest_first=newest_first)
    for head in heads:
        made.add(head, kids.get(head, ()))
    return made.items()


def _families(spans: Spans) -> tuple[list[int], dict[int, list[int]]]:
    """Top-level conversations, and those folded under each, in order of start."""
    heads: list[int] = []
    kids: dict[int, list[int]] = {}
    for position, parent in enumerate(spans.parents):
        if parent == ALONE:
            heads.append(position)
            continue
        head = _head(spans.parents, parent)
        if head in (ALONE, position):
            heads.append(position)
        else:
            kids.setdefault(head, []).append(position)
    for those in kids.values():
        those.sort(key=spans.begins.__getitem__)
    return heads, kids


def _head(parents: Sequence[int], position: int) -> int:
    """The first ancestor; `ALONE` if out of reach."""
    for _ in range(_GENERATIONS):
        above = parents[position]
        if above == ALONE:
            return position
        position = above
    return ALONE


class _Made:
    """Items being appended one after the other."""

    def __init__(self, spans: Spans, *, newest_first: bool) -> None:
        self._spans = spans
        self._newest_first = newest_first
        self._positions = array("q")
        self._quiets = array("q")
        self._begins_day = bytearray()
        self._bodies = bytearray()
        self._owners = array("q")
        self._kids = array("q")
        self._first_of_day = array("q")
        self._days: list[Day] = []
        self._day = Day(0, 0)
        self._reached: int | None = None
        """How far the items so far reach, in the direction of time."""

    def add(self, head: int, kids: Sequence[int]) -> None:
        """Append a top-level conversation, and those folded under it."""
        begin, end = self._spans.begins[head], self._spans.ends[head]
        item = len(self._positions)
        is_new = not self._day.begin <= begin < self._day.end
        before, self._day = self._day, day_of(begin) if is_new else self._day
        if is_new:
            self._first_of_day.append(item)
            self._days.append(self._day)
        quiet = self._quiet_days(before) if is_new else self._quiet(begin, end)
        self._put(head, quiet, is_new=is_new, lasted=end - begin)
        self._owners.append(item)
        self._kids.append(len(kids))
        for kid in kids:
            self._put(kid, 0, is_new=False, lasted=0)
            self._owners.append(item)
            self._kids.append(0)
        self._reach(begin, end)

    def items(self) -> Items:
        """All items."""
        return Items(
            self._positions,
            self._quiets,
            self._begins_day,
            self._bodies,
            self._owners,
            self._kids,
            self._first_of_day,
            self._days,
        )

    def _put(self, position: int, quiet: int, *, is_new: bool, lasted: int) -> None:
        self._positions.append(position)
        self._quiets.append(quiet)
        self._begins_day.append(is_new)
        self._bodies.append(block_lines(lasted))

    def _reach(self, begin: int, end: int) -> None:
        if begin == UNDATED:
            return
        if self._newest_first:
            self._reached = min(begin, self._reached or begin)
        else:
            self._reached = max(end, self._reached or end)

    def _quiet(self, begin: int, end: int) -> int:
        """The gap before an item on the same day, in microseconds."""
        if self._reached is None or begin == UNDATED:
            return 0
        quiet = self._reached - end if self._newest_first else begin - self._reached
        return max(quiet, 0)

    def _quiet_days(self, before: Day) -> int:
        """The number of empty days between the previous day and this one."""
        if not self._first_of_day[1:] or NO_DAY in (before, self._day):
            return 0
        earlier, later = sorted((before, self._day))
        return -max((later.begin - earlier.end + DAY // 2) // DAY, 0)


# The lines between conversations: gaps and folds.


def quiet_line(quiet: int, line: int, lines: int, margin: int) -> Pieces:
    """A line of a gap; the middle one shows its length."""
    pieces: list[Piece] = [(" " * margin, ""), ("┊", "faint")]
    if line == (lines - 1) // 2:
        told = quiet_days(quiet) or f"{lasting(quiet)} quiet"
        pieces.append((f" {told}", "faint italic"))
    return pieces


def quiet_days(quiet: int) -> str:
    """A gap of whole days in words; empty for a shorter one."""
    return f"{-quiet} d quiet" if quiet < 0 else ""


def fold_line(kids: int, margin: int, *, is_open: bool) -> Pieces:
    """The line for conversations that are folded, or that follow."""
    sign = "▾" if is_open else "▸"
    told = f"{kids} sub-agent{'s' * (kids != 1)}"
    return [(" " * margin, ""), ("└ ", "faint"), (f"{sign} {told}", "muted")]


# The mapping between lines and items: sums of heights, for fast lookups.


class Kind(IntEnum):
    """The kind of a line."""

    GAP = 0
    DAY = 1
    BLOCK = 2
    FOLD = 3
    CHILD = 4


class Part(NamedTuple):
    """A line, as a part of an item."""

    kind: Kind
    item: int
    line: int
    """Its index in the part."""
    lines: int
    """The number of lines of the part."""

    @property
    def is_first(self) -> bool:
        """Whether the cursor is shown on this line."""
        return self.kind is Kind.CHILD or (self.kind is Kind.BLOCK and not self.line)


class Layout(Arrangement):
    """Items as lines: gap, day, block, and the items folded under it."""

    def __init__(
        self, items: Items, scale: Scale, unfolded: Iterable[int] = ()
    ) -> None:
        """`unfolded` are the positions whose sub-agents are shown."""
        super().__init__(len(items))
        self.items = items
        most = _LOW if scale is Scale.BRIEF else _HIGH
        self._bodies = [min(body, most) for body in items.bodies]
        self._gaps = array("b", [gap_lines(quiet, scale) for quiet in items.quiets])
        columns = zip(
            self._gaps, items.begins_day, self._bodies, items.kids, strict=True
        )
        heights = array("b", [g + day + body + (k > 0) for g, day, body, k in columns])
        self._items_at = _inverse(items.positions)
        self._heights = heights
        for item, owner in enumerate(items.owners):
            if owner != item:
                heights[item] = 0
        self._unfolded: set[int] = set()
        for position in unfolded:
            self._unfold(self._items_at[position])
        self._add_up()

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self._starts[-1]

    @property
    def unfolded(self) -> frozenset[int]:
        """The positions whose sub-agents are shown."""
        return frozenset(self.items.positions[item] for item in self._unfolded)

    def part(self, line: int) -> Part:
        """What a line shows."""
        item = self.item_at(line)
        offset = line - self._starts[item]
        gap, day = self._gaps[item], self.items.begins_day[item]
        if offset < gap:
            return Part(Kind.GAP, item, offset, gap)
        if offset < gap + day:
            return Part(Kind.DAY, item, 0, 1)
        if self.items.owners[item] != item:
            return Part(Kind.CHILD, item, 0, 1)
        body = self._bodies[item]
        offset -= gap + day
        if offset < body:
            return Part(Kind.BLOCK, item, offset, body)
        return Part(Kind.FOLD, item, 0, 1)

    def item_at(self, line: int) -> int:
        """The item of a line; items without lines are never returned."""
        last = max(self.lines - 1, 0)
        return bisect_right(self._starts, max(min(line, last), 0)) - 1

    def own_line(self, row: int) -> int:
        """The first line of a block; 0 without rows."""
        return self.block(row).start if row < len(self.items) else 0

    def span(self, row: int) -> range:
        """The block, with its day and its facts."""
        return self.with_day(row)

    def row_at(self, line: int) -> int:
        """The position whose block is at a line, or follows it; 0 without rows."""
        return self.items.positions[self.item_at(line)] if len(self.items) else 0

    def paged(self, row: int, lines: int) -> int:
        """The position this many lines further, but at least the next one."""
        goal = self.own_line(row) + lines
        position = self.row_at(goal)
        if position == row and 0 <= goal < self.lines:
            position = self.moved(row, 1 if lines > 0 else -1)
        return position

    def item_of(self, position: int) -> int:
        """The item of a position."""
        return self._items_at[position]

    def untold_gap(self, day: int) -> int:
        """The gap before a day, if it has no lines of its own."""
        item = self.items.first_of_day[day]
        return 0 if self._gaps[item] else self.items.quiets[item]

    def block(self, position: int) -> range:
        """The lines of a block with its facts; empty if hidden."""
        item = self._items_at[position]
        end = self._starts[item + 1]
        if self.is_hidden(position):
            return range(end, end)
        before = self._gaps[item] + self.items.begins_day[item]
        return range(self._starts[item] + before, end)

    def with_day(self, position: int) -> range:
        """The same, including the day line before it."""
        block = self.block(position)
        item = self._items_at[position]
        return range(block.start - self.items.begins_day[item], block.stop)

    def is_hidden(self, position: int) -> bool:
        """Whether a position is folded."""
        return not self._heights[self._items_at[position]]

    def owner(self, position: int) -> int:
        """The position that a position is folded under."""
        return self.items.positions[self.items.owners[self._items_at[position]]]

    def moved(self, row: int, rows: int) -> int:
        """The position this many shown ones further, within the list."""
        if not len(self.items):
            return row
        item = self._items_at[row]
        for _ in range(abs(rows)):
            if rows > 0:
                line = self._starts[item + 1]
                if line >= self.lines:
                    break
                item = self.item_at(line)
            elif self._starts[item] > 0:
                item = self.item_at(self._starts[item] - 1)
        return self.items.positions[item]

    def between(self, first: int, last: int) -> Iterable[int]:
        """The shown positions from one to another, both included."""
        begin, end = sorted((self._items_at[first], self._items_at[last]))
        return (
            self.items.positions[item]
            for item in range(begin, end + 1)
            if self._heights[item]
        )

    def in_view(self, line: int, room: int) -> Sequence[int]:
        """The positions with lines in a range."""
        if not len(self.items):
            return []
        first, last = self.item_at(line), self.item_at(line + max(room, 1) - 1)
        shown = range(first, last + 1)
        return [self.items.positions[item] for item in shown if self._heights[item]]

    def day_at(self, item: int) -> int:
        """The number of the day of an item."""
        return max(bisect_right(self.items.first_of_day, item) - 1, 0)

    def day_begin(self, number: int) -> int:
        """The position that starts a day."""
        return self.items.positions[self.items.first_of_day[number]]

    def fold(self, position: int, *, folded: bool) -> bool:
        """Fold or unfold the items under a position.

        Returns whether this changed anything.
        """
        item = self._items_at[position]
        if not self.items.kids[item] or folded is not (item in self._unfolded):
            return False
        if folded:
            self._unfolded.discard(item)
            self._set_kids(item, 0)
        else:
            self._unfold(item)
        self._add_up()
        return True

    def _unfold(self, item: int) -> None:
        if self.items.kids[item]:
            self._unfolded.add(item)
            self._set_kids(item, 1)

    def _set_kids(self, item: int, lines: int) -> None:
        for kid in range(item + 1, item + 1 + self.items.kids[item]):
            self._heights[kid] = lines

    def _add_up(self) -> None:
        self._starts = array("q", accumulate(self._heights, initial=0))


def _inverse(positions: Sequence[int]) -> Sequence[int]:
    """The item of each position."""
    if isinstance(positions, range):
        return positions
    items = array("q", bytes(8 * len(positions)))
    for item, position in enumerate(positions):
        items[position] = item
    return items
