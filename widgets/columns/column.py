"""A column: what it is called, what stands in it, and how wide it is in which pane."""

from collections.abc import Callable, Iterable
from typing import Generic, NamedTuple, TypeVar

from msgspec import Struct

from widgets.lines.pieces import Pieces

R = TypeVar("R")

OPEN = 0
"""The width of a column that takes its share of what the others leave."""


class Column(Struct, Generic[R], frozen=True):
    """One column of a table."""

    name: str
    """What a list is sorted by where it is sorted by this column; empty for never."""
    title: str
    """What stands above it."""
    cell: Callable[[R, int], Pieces]
    """What stands in it, told how wide it is."""
    widths: tuple[tuple[int, int], ...] = ((0, OPEN),)
    """From which width of the pane on it is how wide; left out below the first."""
    gap: int = 1
    """Blank cells before it."""
    is_right: bool = False
    """Whether its cells end where it ends."""
    fact: str = ""
    """What must be kept of records for it to say anything; empty where all tell it."""

    def width_in(self, pane: int) -> int | None:
        """How wide it is in a pane; None where it is left out."""
        found = None
        for least, width in self.widths:
            if pane >= least:
                found = width
        return found


class Placed(NamedTuple, Generic[R]):
    """A column in its place."""

    column: Column[R]
    start: int
    """Where its gap begins."""
    width: int
    """How wide it is, without the gap."""


def placed(columns: Iterable[Column[R]], pane: int, width: int) -> list[Placed[R]]:
    """The columns that a pane shows, sharing out the width that they have in it."""
    shown = [(one, one.width_in(pane)) for one in columns]
    fixed = sum(one.gap + wide for one, wide in shown if wide is not None)
    open_ended = sum(wide == OPEN for _, wide in shown)
    left = max(width - fixed, 0)
    places: list[Placed[R]] = []
    start = 0
    for column, wide in shown:
        if wide is None:
            continue
        if wide == OPEN:
            wide, open_ended = left // open_ended, open_ended - 1  # noqa: PLW2901  # its share
            left -= wide
        places.append(Placed(column, start, wide))
        start += column.gap + wide
    return places
