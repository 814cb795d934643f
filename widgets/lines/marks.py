"""Marks: which rows an action is meant for, by key, whatever the list shows now."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet

from widgets.lines.rows import Key


class Marks:
    """A set of keys, and a range that is still being drawn."""

    def __init__(self) -> None:
        self._keys: set[Key] = set()
        self._before: set[Key] | None = None
        self._takes = False
        self.anchor: int | None = None
        """Where the range begins; None where none is being drawn."""

    @property
    def keys(self) -> AbstractSet[Key]:
        """The keys that are marked, the range included."""
        return self._keys

    def toggle(self, key: Key) -> None:
        """Mark what is not marked, and the other way round."""
        self.end()
        self._keys ^= {key}

    def replace(self, keys: Iterable[Key]) -> None:
        """Mark these and no others."""
        self.end()
        self._keys = set(keys)

    def begin(self, anchor: int, *, takes: bool) -> None:
        """Begin a range; `takes` tells that it takes marks away."""
        self._before = set(self._keys)
        self._takes = takes
        self.anchor = anchor

    def stretch(self, keys: Iterable[Key]) -> None:
        """Let the range hold these keys."""
        if self._before is not None:
            now = set(keys)
            self._keys = self._before - now if self._takes else self._before | now

    def end(self) -> None:
        """Leave the range as it is."""
        self._before = self.anchor = None
