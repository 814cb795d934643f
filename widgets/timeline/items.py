"""Conversations in the order of their time: days, quiet between them, sub-agents.

Columns of numbers once more, so that a hundred thousand take as long as the blink of an
eye; which lines they become is another matter.
"""

from array import array
from collections.abc import Sequence

from msgspec import Struct, field

from store.records.spans import ALONE, UNDATED, Spans
from widgets.timeline.days import DAY, NO_DAY, Day, day_of
from widgets.timeline.scale import block_lines

_GENERATIONS = 8
"""How far from its first ancestor a conversation is looked for at most."""


class Items(Struct, frozen=True):
    """A number for each item in every column, in the order in which they are shown."""

    positions: Sequence[int]
    """Where the conversation stands in the list."""
    quiets: Sequence[int]
    """The quiet before it: microseconds, or below zero so many whole days."""
    begins_day: Sequence[int]
    """1 where a day begins with it."""
    bodies: Sequence[int]
    """The lines of its block."""
    owners: Sequence[int]
    """The item that it is folded under; itself, where under none."""
    kids: Sequence[int]
    """How many are folded under it; they follow upon it."""
    first_of_day: Sequence[int] = field(default_factory=list[int])
    """The item that begins each day, day by day."""
    days: Sequence[Day] = field(default_factory=list[Day])

    def __len__(self) -> int:
        return len(self.positions)


def in_rows(count: int) -> Items:
    """Conversations in the list's own order, a line each."""
    zeros, ones = bytes(count), b"\1" * count
    return Items(range(count), zeros, zeros, ones, range(count), zeros)


def in_time(spans: Spans, *, newest_first: bool = False) -> Items:
    """Conversations along their time, sub-agents under what started them."""
    heads, kids = _families(spans)
    heads.sort(key=spans.begins.__getitem__, reverse=newest_first)
    made = _Made(spans, newest_first=newest_first)
    for head in heads:
        made.add(head, kids.get(head, ()))
    return made.items()


def _families(spans: Spans) -> tuple[list[int], dict[int, list[int]]]:
    """Who stands alone, and who is folded under whom, in order of their beginnings."""
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
    """The first ancestor; `ALONE` where there is none within reach."""
    for _ in range(_GENERATIONS):
        above = parents[position]
        if above == ALONE:
            return position
        position = above
    return ALONE


class _Made:
    """Items that are being put one after the other."""

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
        """How far the items up to here reach, in the direction that time takes."""

    def add(self, head: int, kids: Sequence[int]) -> None:
        """Put one that stands alone, and those folded under it."""
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
        """All of them."""
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
        """Microseconds without anything before an item, on the same day."""
        if self._reached is None or begin == UNDATED:
            return 0
        quiet = self._reached - end if self._newest_first else begin - self._reached
        return max(quiet, 0)

    def _quiet_days(self, before: Day) -> int:
        """Whole days without anything between the day before and this one."""
        if not self._first_of_day[1:] or NO_DAY in (before, self._day):
            return 0
        earlier, later = sorted((before, self._day))
        return -max((later.begin - earlier.end + DAY // 2) // DAY, 0)
