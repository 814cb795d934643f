"""A measure: a figure that was written down."""

from collections.abc import Mapping

from msgspec import Struct

from store.findings import Json


class Measure(Struct, frozen=True, kw_only=True):
    """How long something took, how much of it there was, on what evidence."""

    ref: str
    """Names the measure for every other command."""
    store: str
    """The absolute path of the store's root."""
    kind: str
    """`session task claim toolstats`."""
    name: str | None
    """What was measured."""
    id: str | None
    """Its own identifier, where it has one."""
    session: str | None
    """The session that it belongs to."""
    start: str | None
    """When it began."""
    end: str | None
    """When it ended."""
    duration_s: float | None
    """How many seconds it took."""
    exit: int | None
    """What the program that was measured returned."""
    metric: Json
    """What was counted, or the value that is claimed."""
    source: str | None
    """Where the figure comes from: its writer, its evidence."""
    at: str | None
    """When it was written down."""
    pointer: str | None
    """The record that proves it, as written."""
    points_to: str | None
    """The ref of the measure that the pointer leads to; null when there is none."""
    path: str
    """The file that it is in, relative to the store."""
    line: int
    """The line that it stands on."""


class MeasureInFull(Struct, frozen=True, kw_only=True):
    """A measure as `show` gives it."""

    measure: Measure
    """What a list shows of it."""
    fields: Mapping[str, Json]
    """What else its line says, as it stands."""
