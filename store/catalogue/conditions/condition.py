"""A condition: SQL of ours, and the values that go with it."""

from collections.abc import Sequence
from typing import NamedTuple

from store.catalogue.rows.cells import Cell


class Condition(NamedTuple):
    """A condition on a row."""

    sql: str
    """An expression; what was typed is not in it."""
    values: tuple[Cell, ...] = ()
    """The values for its question marks, in order."""

    @property
    def told(self) -> "Condition":
        """The same, false where SQL could not tell: its opposite is then true."""
        return Condition(f"coalesce({self.sql}, 0)", self.values)

    @property
    def negated(self) -> "Condition":
        """The opposite."""
        return Condition(f"NOT {self.told.sql}", self.values)


ALWAYS = Condition("1")
"""What holds for every row."""

NEVER = Condition("0")
"""What holds for none."""

_TOGETHER = 64
"""So many conditions stand side by side at most: SQLite counts a thousand of them as
a thousand steps down, which is as deep as it goes."""


def all_of(conditions: Sequence[Condition]) -> Condition:
    """What holds where all of them do."""
    return _joined(conditions, " AND ", ALWAYS)


def one_of(conditions: Sequence[Condition]) -> Condition:
    """What holds where one of them does."""
    return _joined(conditions, " OR ", NEVER)


def _joined(
    conditions: Sequence[Condition], word: str, nothing: Condition
) -> Condition:
    if not conditions:
        return nothing
    joined = list(conditions)
    while len(joined) > 1:
        joined = [
            _beside(joined[begin : begin + _TOGETHER], word)
            for begin in range(0, len(joined), _TOGETHER)
        ]
    return joined[0]


def _beside(conditions: Sequence[Condition], word: str) -> Condition:
    sql = word.join(one.sql for one in conditions)
    values = tuple(value for one in conditions for value in one.values)
    return Condition(f"({sql})", values)
