"""The conversations of one transcript, from the rows of its messages; pure."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, islice, repeat

from msgspec import Struct, field

from store.catalogue.conversations.addition import COLUMN, Before, Part, Sum, number
from store.catalogue.rows.cells import Cell, Row
from store.derive.segments import Point, segments

_LINE, _TOLD = COLUMN["line"], COLUMN["told"]

_AT_ONCE = 4096
"""Rows that are added up together: no transcript is ever held whole."""


class Talk(Struct):
    """A conversation: what its messages add up to, and where they lie."""

    part: Part
    runs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The lines that it covers: first and last of each stretch."""


class Times(Struct):
    """When the messages of a transcript were written, and which the rule goes by."""

    begins: list[int | None]
    ends: list[int | None]
    counts: list[bool]

    @classmethod
    def of(cls, rows: Iterable[tuple[Cell, Cell, Cell, Cell]]) -> "Times":
        """From when each began and ended, its entries, and who spoke."""
        begins: list[int | None] = []
        ends: list[int | None] = []
        entries: list[bool] = []
        spoken: list[bool] = []
        for begin, end, kept, role in rows:
            begins.append(number(begin))
            ends.append(number(end))
            entries.append(bool(kept))
            spoken.append(role is not None)
        counts = entries if any(entries) else spoken
        return cls(begins, ends, counts if any(counts) else [True] * len(begins))

    def numbers(self, gap: int) -> Iterable[int]:
        """For each message the number of its conversation."""
        if self._is_one(gap):
            return repeat(0)
        columns = zip(self.begins, self.ends, self.counts, strict=True)
        return segments([Point(*cells) for cells in columns], gap)

    def _is_one(self, gap: int) -> bool:
        """Whether no silence is longer than the gap, told without sorting by time."""
        first = last = None
        for begin, end in self._counted():
            if first is None or last is None:
                first, last = begin, end
            elif begin > last + gap or begin + gap < first:
                return False
            else:
                first, last = min(first, begin), max(last, end)
        return True

    def _counted(self) -> Iterator[tuple[int, int]]:
        """When each message that counts began and ended."""
        columns = zip(self.begins, self.ends, self.counts, strict=True)
        for begin, end, counts in columns:
            if counts and begin is not None:
                yield begin, max(begin, end or begin)


def times_of(messages: Sequence[Row]) -> Times:
    """The times of rows that are at hand."""
    names = ("at_micros", "until_micros", "entries", "role")
    begin, end, entries, role = (COLUMN[name] for name in names)
    return Times.of((row[begin], row[end], row[entries], row[role]) for row in messages)


def by_gap(times: Times, messages: Iterable[Row], gap: int) -> list[Talk]:
    """The conversations that the gap rule finds, in order of their beginnings."""
    named = zip(times.numbers(gap), times.counts, messages, strict=False)
    talks = _talks(named)
    return [talks[name] for name in sorted(talks, key=lambda name: number(name) or 0)]


def by_name(messages: Iterable[Row]) -> dict[Cell, Talk]:
    """The conversations that messages say they belong to, by what they call them."""
    return _talks((row[_TOLD], True, row) for row in messages)


def _talks(named: Iterable[tuple[Cell, bool, Row]]) -> dict[Cell, Talk]:
    """Add up the messages of each name, stretch by stretch."""
    sums: dict[Cell, Sum] = {}
    runs: dict[Cell, list[tuple[int, int]]] = {}
    before = Before()
    for name, stretch in groupby(named, key=lambda each: each[0]):
        added = sums.setdefault(name, Sum())
        lines: list[int] = []
        while several := list(islice(stretch, _AT_ONCE)):
            rows = [row for _, _, row in several]
            added.take(rows, [row for _, counts, row in several if counts], before)
            before = before.after(rows)
            lines += (number(rows[0][_LINE]) or 0, number(rows[-1][_LINE]) or 0)
        runs.setdefault(name, []).append((lines[0], lines[-1]))
    return {name: Talk(added.part, runs[name]) for name, added in sums.items()}
