"""The rows of a list: keys for all, records for those in view, and their lines."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from typing import Generic, Protocol, TypeVar

from store.derive.statistics import Alike
from widgets.sheet import within

Key = Hashable
"""Identifies a row, even when the list is filled again."""

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

_SLICE = 200
"""Rows that are cached together."""

_KEPT = 50
"""The most slices cached; the least recently used is dropped first."""


class Rows(Protocol[R_co]):
    """Rows in order. Access must be fast, so not every record is loaded."""

    def __len__(self) -> int:
        """The number of rows."""
        ...

    def key(self, position: int) -> Key:
        """The key of the row at a position."""
        ...

    def find(self, key: Key) -> int | None:
        """The position of a key; None if it is not there."""
        ...

    def page(self, first: int, last: int) -> Sequence[R_co | None]:
        """The records from one position to another; None for those not loaded."""
        ...


class Held(Rows[R]):
    """Records that are all loaded."""

    def __init__(self, records: Sequence[R] = (), key: Callable[[R], Key] = id) -> None:
        self._records = records
        self._key = key

    def __len__(self) -> int:
        return len(self._records)

    def key(self, position: int) -> Key:
        """The key of the record."""
        return self._key(self._records[position])

    def find(self, key: Key) -> int | None:
        """Search one by one, as such lists are short."""
        keys = (at for at, one in enumerate(self._records) if self._key(one) == key)
        return next(keys, None)

    def page(self, first: int, last: int) -> Sequence[R | None]:
        """A slice of the records."""
        return self._records[first:last]


class Paged(Rows[R]):
    """Keys in an array; records as they arrive, recent ones cached."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys
        self._slices: OrderedDict[int, dict[int, R]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._keys)

    def key(self, position: int) -> Key:
        """The key in the array."""
        return self._keys[position]

    def find(self, key: Key) -> int | None:
        """Search the array; fast enough, as arrays search natively."""
        try:
            return self._keys.index(key)
        except ValueError:
            return None

    def page(self, first: int, last: int) -> Sequence[R | None]:
        """The records that have arrived and are still cached."""
        self._touch(first, last)
        return [self._at(position) for position in range(first, min(last, len(self)))]

    def bring(self, first: int, records: Sequence[R | None]) -> None:
        """Cache records, starting at a position; None for deleted ones."""
        for position, record in enumerate(records, first):
            if record is not None:
                self._slices.setdefault(position // _SLICE, {})[position] = record
        self._touch(first, first + len(records))
        while len(self._slices) > _KEPT:
            self._slices.popitem(last=False)

    def known(self) -> dict[Key, R]:
        """The cached records by key."""
        slices = self._slices.values()
        return {self.key(at): one for part in slices for at, one in part.items()}

    def _at(self, position: int) -> R | None:
        return self._slices.get(position // _SLICE, {}).get(position)

    def _touch(self, first: int, last: int) -> None:
        """Mark slices as recently used."""
        for number in range(first // _SLICE, (last - 1) // _SLICE + 1):
            if number in self._slices:
                self._slices.move_to_end(number)


class Keys(Generic[R]):
    """The records behind the keys of rows; by default, one record each."""

    def take(
        self, rows: Sequence[int], alike: Mapping[int, tuple[Alike, int]]
    ) -> Sequence[Key]:
        """The keys for some records, of which some have something in common."""
        del alike
        return rows

    def stands_for(self, key: Key) -> Sequence[Key]:
        """The keys of the records that a row shows."""
        return (key,)

    def is_several(self, key: Key) -> bool:
        """Whether a row shows several records."""
        return self.stands_for(key) != (key,)

    def shown_as(self, key: Key, record: R) -> R:
        """A record as the row of a key shows it."""
        del key
        return record


# How rows lie on lines.


class Arrangement:
    """How rows lie on lines: one line each, unless a subclass says otherwise.

    Some lines of a row may be above or beneath the one with the cursor.
    """

    def __init__(self, count: int) -> None:
        self.count = count
        """The number of rows."""

    @property
    def lines(self) -> int:
        """The number of lines."""
        return self.count

    def row_at(self, line: int) -> int:
        """The row of a line; the nearest if there is none."""
        return within(line, self.count)

    def own_line(self, row: int) -> int:
        """The line of a row on which the cursor is shown."""
        return row

    def span(self, row: int) -> range:
        """The lines to bring into view when the cursor is on a row."""
        return range(row, row + 1)

    def moved(self, row: int, rows: int) -> int:
        """The row this many rows further, which may be out of range."""
        return row + rows

    def paged(self, row: int, lines: int) -> int:
        """The row this many lines further, but at least the next one."""
        return row + lines

    def between(self, first: int, last: int) -> Iterable[int]:
        """The rows from one to another, both included, in either order."""
        return range(min(first, last), max(first, last) + 1)

    def in_view(self, line: int, room: int) -> Sequence[int]:
        """The rows with lines among some."""
        return range(line, max(min(line + room, self.count), line))

    def top(self, line: int) -> int:
        """The line to scroll to, to have this one at the top."""
        return line
