"""A tally: how much there was of something, one stretch of time after another."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import NamedTuple

from msgspec import Struct, field


class Step(StrEnum):
    """How long a stretch is."""

    HOUR = "hour"
    DAY = "day"


class Slot(NamedTuple):
    """What there was in one stretch of time."""

    number: int = 0
    seconds: float = 0.0
    """How long all of it took together."""


NOTHING = Slot()
"""What there was where nothing was."""


class Tally(Struct, frozen=True):
    """Stretches by their beginnings, in local time: `2026-02-14`, `2026-02-14T09`."""

    slots: Mapping[str, Slot] = field(default_factory=dict[str, Slot])
    """What there was in each of them; those with nothing are left out."""
    undated: int = 0
    """How many tell no time."""


class Durations(Struct, frozen=True):
    """How long some records took, the shortest first."""

    seconds: Sequence[float] = ()
    """How long each of them took."""
    total: float = 0.0
    """How long all of them took together."""
