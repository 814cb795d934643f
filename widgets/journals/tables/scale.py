"""What tables of journals are drawn by, beside the records themselves."""

from collections.abc import Mapping

from msgspec import Struct, field

from store.records.lead import Lead
from widgets.columns.strengths import bar
from widgets.journals.seconds import took
from widgets.lines.pieces import Pieces

_TOLD = len("99m 59s")
_LEAST = 4
"""Cells of a bar below which the figure stands alone."""


class Scale(Struct, frozen=True):
    """What bars are full at, and where what is pointed to was found."""

    long: float = 0.0
    """Seconds from which on a bar is full: nine tenths of all took less."""
    leads: Mapping[str, Lead] = field(default_factory=dict[str, Lead])
    """Where claims lead, by their refs, as far as anybody has looked."""

    def duration(self, seconds: float | None, width: int) -> Pieces:
        """How long something took, as a bar and as a figure."""
        if seconds is None:
            return []
        figure = took(seconds)
        room = width - _TOLD - 1
        told = [(f"{figure:>{_TOLD}}", "muted")]
        if room < _LEAST or not self.long:
            return told
        return [*bar(seconds / self.long, room, "arrow"), (" ", ""), *told]
