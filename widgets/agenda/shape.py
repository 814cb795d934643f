"""How much of an entry is shown: one line, two, or three, by the room there is."""

from enum import IntEnum
from operator import add

from widgets.agenda.outline import Outline
from widgets.agenda.plan import Plan

_NARROW, _SHORT, _TALL = 30, 6, 28

_KINDS_OF_BYTE = 256


class Shape(IntEnum):
    """How an entry is drawn."""

    LINE = 1
    """Its title, and no more."""
    PAIR = 2
    """Beneath it what happened, and what tells more."""
    WHOLE = 3
    """The same, each in a line of its own."""


def shape_in(width: int, room: int) -> Shape:
    """What fits into so many cells and lines."""
    if width < _NARROW or room < _SHORT:
        return Shape.LINE
    return Shape.WHOLE if room >= _TALL else Shape.PAIR


def plan_of(outline: Outline, shape: Shape, count: int) -> Plan:
    """The lines of so many entries; those beyond the outline as most of them are.

    Entries that do not stand in the order of their days are rows of a table.
    """
    if not outline.is_in_order:
        return Plan.of((), count)
    own = outline.timing.parts.translate(_OWN[shape])
    leading = outline.breaks.translate(_LEADING)
    return Plan.of(map(add, own, leading), count, usual=shape)


_LEADING = bytes(flags.bit_count() for flags in range(_KINDS_OF_BYTE))
"""How many lines what stands before an entry takes."""

_OWN = {
    shape: bytes(min(1 + parts.bit_count(), shape) for parts in range(_KINDS_OF_BYTE))
    for shape in Shape
}
"""How many lines an entry takes, by what it has."""
