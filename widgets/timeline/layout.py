"""Which line shows what: sums of heights, so that any line is found at once."""

from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import accumulate
from typing import NamedTuple

from widgets.timeline.items import Items
from widgets.timeline.scale import Scale, gap_lines


class Kind(IntEnum):
    """What a line is of."""

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
    """Which line of the part it is."""
    lines: int
    """How many it has."""

    @property
    def is_first(self) -> bool:
        """Whether the cursor shows here."""
        return self.kind is Kind.CHILD or (self.kind is Kind.BLOCK and not self.line)


class Layout:
    """Items as lines: quiet, a new day, the block, and what is folded under it."""

    def __init__(
        self, items: Items, scale: Scale, unfolded: Iterable[int] = ()
    ) -> None:
        """`unfolded` are the positions whose sub-agents are shown."""
        self.items = items
        self._gaps = array("b", [gap_lines(quiet, scale) for quiet in items.quiets])
        columns = zip(
            self._gaps, items.begins_day, items.bodies, items.kids, strict=True
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
        """How many lines there are."""
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
        body = self.items.bodies[item]
        offset -= gap + day
        if offset < body:
            return Part(Kind.BLOCK, item, offset, body)
        return Part(Kind.FOLD, item, 0, 1)

    def item_at(self, line: int) -> int:
        """The item that a line belongs to; those without lines have none."""
        last = max(self.lines - 1, 0)
        return bisect_right(self._starts, max(min(line, last), 0)) - 1

    def item_of(self, position: int) -> int:
        """The item of a position."""
        return self._items_at[position]

    def block(self, position: int) -> range:
        """The lines of a block, and of what is said beneath it; none where hidden."""
        item = self._items_at[position]
        end = self._starts[item + 1]
        if self.is_hidden(position):
            return range(end, end)
        before = self._gaps[item] + self.items.begins_day[item]
        return range(self._starts[item] + before, end)

    def with_day(self, position: int) -> range:
        """The same, with the day that begins with it."""
        block = self.block(position)
        item = self._items_at[position]
        return range(block.start - self.items.begins_day[item], block.stop)

    def is_hidden(self, position: int) -> bool:
        """Whether a position is folded away."""
        return not self._heights[self._items_at[position]]

    def owner(self, position: int) -> int:
        """The position that a position is folded under."""
        return self.items.positions[self.items.owners[self._items_at[position]]]

    def nearest(self, line: int) -> int:
        """The position whose block has a line or comes next after it."""
        return self.items.positions[self.item_at(line)]

    def moved(self, position: int, rows: int) -> int:
        """The position so many shown ones further, as far as there are any."""
        item = self._items_at[position]
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
        """The positions that have one of so many lines from one on."""
        if not len(self.items):
            return []
        first, last = self.item_at(line), self.item_at(line + max(room, 1) - 1)
        shown = range(first, last + 1)
        return [self.items.positions[item] for item in shown if self._heights[item]]

    def day_at(self, item: int) -> int:
        """The number of the day that an item is of."""
        return max(bisect_right(self.items.first_of_day, item) - 1, 0)

    def day_begin(self, number: int) -> int:
        """The position that begins a day."""
        return self.items.positions[self.items.first_of_day[number]]

    def fold(self, position: int, *, folded: bool) -> bool:
        """Hide what lies under a position, or show it; tells whether that is new."""
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
