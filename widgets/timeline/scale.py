"""How much room quiet takes: none, by doubling, or in proportion."""

from enum import StrEnum

from widgets.timeline.days import HOUR, MINUTE

_SHORT = 30 * MINUTE
"""Quiet that is no quiet yet."""

_MOST = 5
"""The most lines of quiet where they double."""

_MOST_OF_DAYS = 3
"""The most lines of whole days, which have no other line."""

_MOST_IN_PROPORTION = 24
"""The most where each stands for an hour, or for a day without anything."""

_ROOT_OF_TWO = 1414
"""Times thousand: it makes of the logarithm a rounded one."""


class Scale(StrEnum):
    """How many lines quiet is drawn with."""

    NONE = "not at all"
    LOG = "by doubling"
    LINEAR = "in proportion"


def next_scale(scale: Scale) -> Scale:
    """The scale that comes after one, round and round."""
    scales = list(Scale)
    return scales[(scales.index(scale) + 1) % len(scales)]


def gap_lines(quiet: int, scale: Scale) -> int:
    """The lines of some quiet: microseconds, or below zero so many whole days."""
    if not quiet or scale is Scale.NONE:
        return 0
    if quiet < 0:
        days = -quiet
        if scale is Scale.LINEAR:
            return min(days, _MOST_IN_PROPORTION)
        return min((days.bit_length() + 1) // 2, _MOST_OF_DAYS)
    if scale is Scale.LINEAR:
        return min(quiet // HOUR, _MOST_IN_PROPORTION)
    doubled = quiet * _ROOT_OF_TWO // (_SHORT * 1000)
    return min(max(doubled.bit_length() - 1, 0), _MOST)


def block_lines(lasted: int) -> int:
    """The lines of a conversation: one more for each doubling from 15 minutes on."""
    quarters = max(lasted, 0) // (15 * MINUTE)
    return min(1 + quarters.bit_length(), 4)
