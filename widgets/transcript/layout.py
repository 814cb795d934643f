"""Where each line of a transcript is: exact where one reads, a guess elsewhere.

A place is a message and one of its lines, so that nothing moves on the screen when
guesses further up turn out wrong.
"""

from collections import OrderedDict
from collections.abc import Container, Sequence
from typing import NamedTuple

from widgets.reader.look import Look
from widgets.transcript.entry import Entry, Folds
from widgets.transcript.heights import Heights
from widgets.transcript.laid import LaidEntry

GUESS = 2
"""Lines that a message takes as long as nobody looked at it."""

_BLOCK = 64
"""Messages that are brought and put away together."""

_KEPT_BLOCKS = 24
_KEPT_LAID = 600

EVERYTHING = frozenset({"said", "thought", "call", "failed", "note", "mark"})
"""All kinds of parts."""


class Place(NamedTuple):
    """A line of a message."""

    at: int
    line: int


class Row(NamedTuple):
    """A row of the screen: a message, and which of its lines."""

    at: int
    line: int
    laid: LaidEntry | None
    """The message laid out; None as long as it is not at hand."""


class Layout:
    """Lays messages out as they are asked for, and forgets those of long ago."""

    def __init__(self, count: int = 0) -> None:
        self.look = Look(0)
        self.folds = Folds()
        self.kinds: Container[str] = EVERYTHING
        self._shown: bytes | None = None
        self.heights = Heights(count, GUESS)
        self._blocks: OrderedDict[int, list[Entry | None]] = OrderedDict()
        self._laid: OrderedDict[int, LaidEntry] = OrderedDict()

    def __len__(self) -> int:
        return len(self.heights)

    def entry(self, at: int) -> Entry | None:
        """A message, where it is at hand."""
        block = self._blocks.get(at // _BLOCK)
        if block is None:
            return None
        self._blocks.move_to_end(at // _BLOCK)
        return block[at % _BLOCK] if at % _BLOCK < len(block) else None

    def missing(self, first: int, last: int) -> range:
        """The messages to be brought, so that those in a range are at hand."""
        blocks = range(max(first, 0) // _BLOCK, -(-min(last, len(self)) // _BLOCK))
        wanted = [one for one in blocks if one not in self._blocks]
        if not wanted:
            return range(0)
        return range(wanted[0] * _BLOCK, min((wanted[-1] + 1) * _BLOCK, len(self)))

    def bring(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Keep messages, whole blocks of them, from a place on."""
        for start in range(0, len(entries), _BLOCK):
            number = (first + start) // _BLOCK
            self._blocks[number] = list(entries[start : start + _BLOCK])
            self._blocks.move_to_end(number)
        for at in range(first, first + len(entries)):
            self._laid.pop(at, None)
        while len(self._blocks) > _KEPT_BLOCKS:
            self._blocks.popitem(last=False)

    def renew(self, first: int, entries: Sequence[Entry | None]) -> None:
        """Keep these messages alone; all others are to be brought again."""
        self._blocks.clear()
        self._laid.clear()
        self.bring(first, entries)

    def replace(self, at: int, entry: Entry) -> None:
        """Keep a message that is other than it was, if it is still at hand."""
        block = self._blocks.get(at // _BLOCK)
        if block is not None and at % _BLOCK < len(block):
            block[at % _BLOCK] = entry
            self._laid.pop(at, None)

    def extend(self, count: int) -> None:
        """Know of so many messages; the last ones that were there may be others."""
        for block in [one for one in self._blocks if (one + 1) * _BLOCK >= len(self)]:
            del self._blocks[block]
        if self._shown is not None:
            self._shown = self._shown[:count].ljust(count, b"\1")
        self.heights.extend(count)
        self._laid.clear()

    def change(self, look: Look | None = None) -> None:
        """Lay everything out anew, perhaps in another way."""
        self.look = look or self.look
        self._laid.clear()

    def show_only(self, shown: bytes | None, kinds: Container[str]) -> None:
        """Show some messages, a byte for each, and parts of some kinds alone."""
        self.kinds = kinds
        self._shown = shown
        self._laid.clear()
        if shown is None:
            self.heights = Heights(len(self), GUESS)
        else:
            self.heights.show_only(shown)

    def laid(self, at: int) -> LaidEntry | None:
        """A message laid out; None where it is not at hand, or not to be shown."""
        known = self._laid.get(at)
        if known is not None:
            self._laid.move_to_end(at)
            return known
        entry = self.entry(at)
        if entry is None or (self._shown is not None and not self._shown[at]):
            return None
        laid = self._laid[at] = LaidEntry(entry, self.look, self.folds, self.kinds)
        self.heights[at] = laid.height
        while len(self._laid) > _KEPT_LAID:
            self._laid.popitem(last=False)
        return laid

    def height(self, at: int) -> int:
        """How many lines a message takes; exact where it is at hand."""
        if self.heights[at]:
            self.laid(at)
        return self.heights[at]

    def reach(self, place: Place) -> bool:
        """Lay out what follows a line, where that is still to be done."""
        laid = self._laid.get(place.at)
        if laid is None or not laid.reach(place.line):
            return False
        self.heights[place.at] = laid.height
        return True

    def down(self, place: Place, lines: int) -> Place:
        """The place some lines further down; at most the end."""
        at, line = place.at, place.line + lines
        while at < len(self):
            height = self.height(at)
            if line < height:
                return Place(at, line)
            line -= height
            at = self.heights.next(at + 1)
        return Place(len(self), 0)

    def up(self, place: Place, lines: int) -> Place:
        """The place some lines further up; at most the beginning."""
        at, line = place.at, place.line - lines
        while line < 0:
            at = self.heights.previous(at - 1)
            if at < 0:
                return Place(self.heights.next(0), 0)
            line += self.height(at)
        return Place(at, line)

    def rows(self, top: Place, count: int) -> list[Row]:
        """So many rows from a place on; fewer where the end comes before."""
        rows: list[Row] = []
        at, line = top
        while at < len(self) and len(rows) < count:
            height = self.height(at)
            laid = self.laid(at) if height else None
            last = min(height, line + count - len(rows))
            rows += (Row(at, number, laid) for number in range(line, last))
            at, line = self.heights.next(at + 1), 0
        return rows

    def distance(self, first: Place, last: Place, most: int) -> int:
        """How many lines one place lies below another; `most` where it is further."""
        at, line = first.at, -first.line
        while at < last.at and line < most:
            line += self.height(at)
            at = self.heights.next(at + 1)
        return min(line + last.line, most) if at >= last.at else most
