"""The conversations of one transcript, from the rows of its messages; pure."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import groupby

from store.catalogue.conversations.addition import COLUMN, Before, Part, add_up, number
from store.catalogue.rows.cells import Cell, Row
from store.derive.segments import Point, segments

_ENTRIES, _ROLE, _LINE = COLUMN["entries"], COLUMN["role"], COLUMN["line"]
_BEGIN, _END = COLUMN["at_micros"], COLUMN["until_micros"]


@dataclass(slots=True)
class Talk:
    """A conversation: what its messages add up to, and where they lie."""

    part: Part
    runs: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    """The lines that it covers: first and last of each stretch."""


def by_gap(messages: Sequence[Row], gap: int) -> list[Talk]:
    """The conversations that the gap rule finds, in order of their beginnings."""
    counted = _counting(messages)
    if _is_one(counted, gap):
        run = (_line(messages[0]), _line(messages[-1]))
        return [Talk(add_up(messages, counted, Before()), [run])]
    counting = {id(row) for row in counted}
    points = [
        Point(number(row[_BEGIN]), number(row[_END]), id(row) in counting)
        for row in messages
    ]
    numbers = segments(points, gap)
    groups = _grouped(messages, numbers)
    return [
        Talk(add_up(rows, [row for row in rows if id(row) in counting], before), runs)
        for rows, runs, before in (groups[name] for name in sorted(set(numbers)))
    ]


def by_name(messages: Sequence[Row]) -> dict[Cell, Talk]:
    """The conversations that messages say they belong to, by what they call them."""
    told = COLUMN["told"]
    groups = _grouped(messages, [row[told] for row in messages])
    return {
        name: Talk(add_up(rows, rows, before), runs)
        for name, (rows, runs, before) in groups.items()
    }


def _grouped(
    messages: Sequence[Row], names: Sequence[Cell]
) -> dict[Cell, tuple[list[Row], list[tuple[int, int]], Before]]:
    """The messages of each name, their stretches, and what was said before them."""
    groups: dict[Cell, tuple[list[Row], list[tuple[int, int]], Before]] = {}
    before = Before()
    pairs = zip(names, messages, strict=True)
    for name, stretch in groupby(pairs, key=lambda pair: pair[0]):
        rows = [row for _, row in stretch]
        group = groups.setdefault(name, ([], [], before))
        group[0].extend(rows)
        group[1].append((_line(rows[0]), _line(rows[-1])))
        before = before.after(rows)
    return groups


def _counting(messages: Sequence[Row]) -> Sequence[Row]:
    """The messages the rule goes by: entries; where there is none, what was said."""
    entries = [row for row in messages if row[_ENTRIES]]
    return entries or [row for row in messages if row[_ROLE]] or messages


def _is_one(counted: Sequence[Row], gap: int) -> bool:
    """Whether no silence is longer than the gap, told without sorting by time."""
    first = last = None
    for row in counted:
        begin = number(row[_BEGIN])
        if begin is None:
            continue
        end = max(begin, number(row[_END]) or begin)
        if first is None or last is None:
            first, last = begin, end
        elif begin > last + gap or begin + gap < first:
            return False
        else:
            first, last = min(first, begin), max(last, end)
    return True


def _line(row: Row) -> int:
    return number(row[_LINE]) or 0
