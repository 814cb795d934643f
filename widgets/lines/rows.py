"""What a list shows, by position: keys for all of it, records for what is in view."""

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import Protocol, TypeVar

Key = Hashable
"""What tells one row from all others, however often the list is filled anew."""

R_co = TypeVar("R_co", covariant=True)
R = TypeVar("R")

_SLICE = 200
"""Rows that are put away together."""

_KEPT = 50
"""Slices kept at most; the one that was not looked at for longest goes first."""


class Rows(Protocol[R_co]):
    """Rows in order. Asking for one must be quick, so not every record is at hand."""

    def __len__(self) -> int:
        """How many there are."""
        ...

    def key(self, position: int) -> Key:
        """The key of the row at a position."""
        ...

    def find(self, key: Key) -> int | None:
        """Where the row with a key is; None where it is not."""
        ...

    def page(self, first: int, last: int) -> Sequence[R_co | None]:
        """The records from one position up to another; None for those not at hand."""
        ...


class Held(Rows[R]):
    """Records that are all at hand."""

    def __init__(self, records: Sequence[R] = (), key: Callable[[R], Key] = id) -> None:
        self._records = records
        self._key = key

    def __len__(self) -> int:
        return len(self._records)

    def key(self, position: int) -> Key:
        """As the records tell it."""
        return self._key(self._records[position])

    def find(self, key: Key) -> int | None:
        """One by one: what is held is not long."""
        keys = (at for at, one in enumerate(self._records) if self._key(one) == key)
        return next(keys, None)

    def page(self, first: int, last: int) -> Sequence[R | None]:
        """All of them."""
        return self._records[first:last]


class Paged(Rows[R]):
    """Keys in an array; records as they are brought, those of late kept."""

    def __init__(self, keys: Sequence[Key]) -> None:
        self._keys = keys
        self._slices: OrderedDict[int, dict[int, R]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._keys)

    def key(self, position: int) -> Key:
        """As the array has it."""
        return self._keys[position]

    def find(self, key: Key) -> int | None:
        """Where the array has it; quick enough, as arrays look for themselves."""
        try:
            return self._keys.index(key)
        except ValueError:
            return None

    def page(self, first: int, last: int) -> Sequence[R | None]:
        """What was brought of it and is still kept."""
        self._touch(first, last)
        return [self._at(position) for position in range(first, min(last, len(self)))]

    def bring(self, first: int, records: Sequence[R | None]) -> None:
        """Keep records, the first of which is at a position; None for those gone."""
        for position, record in enumerate(records, first):
            if record is not None:
                self._slices.setdefault(position // _SLICE, {})[position] = record
        self._touch(first, first + len(records))
        while len(self._slices) > _KEPT:
            self._slices.popitem(last=False)

    def _at(self, position: int) -> R | None:
        return self._slices.get(position // _SLICE, {}).get(position)

    def _touch(self, first: int, last: int) -> None:
        """Keep what is looked at longer than what is not."""
        for number in range(first // _SLICE, (last - 1) // _SLICE + 1):
            if number in self._slices:
                self._slices.move_to_end(number)
