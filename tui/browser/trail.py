"""The trail: where one was, to go back to and forward again, as in a web browser."""

from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

if TYPE_CHECKING:
    from store.library import Record


class Spot(Struct, frozen=True):
    """A place on the screen that one can come back to."""

    kind: str
    """The kind of record that was listed."""
    text: str
    """The query."""
    ref: str | None
    """The record at the cursor."""
    title: str = ""
    """What that is called."""
    led: str | None = None
    """The record that one went to from there."""


def spot_of(kind: str, text: str, record: "Record | None") -> Spot:
    """Where one is."""
    if record is None or not record.ref:
        return Spot(kind, text, None)
    from tui.faces.hits import title

    return Spot(kind, text, record.ref, title(record))


class Trail:
    """The spots behind and those ahead."""

    _MOST = 200

    def __init__(self) -> None:
        self._behind: list[Spot] = []
        self._ahead: list[Spot] = []

    @property
    def behind(self) -> int:
        """How many spots one can go back to."""
        return len(self._behind)

    @property
    def ahead(self) -> int:
        """How many one can go forward to."""
        return len(self._ahead)

    def way(self, ref: str | None) -> list[str]:
        """The titles of what one came through, one after the other, to a record."""
        titles: list[str] = []
        for spot in reversed(self._behind):
            if ref is None or spot.led != ref:
                break
            titles.append(spot.title)
            ref = spot.ref
        return titles[::-1]

    def leave(self, spot: Spot, led: str | None = None) -> None:
        """Go on from a spot to one that was not on the trail."""
        if self._behind and replace(self._behind[-1], led=None) == spot:
            self._behind.pop()
        self._behind.append(replace(spot, led=led))
        del self._behind[: -self._MOST]
        self._ahead.clear()

    def back(self, here: Spot) -> Spot | None:
        """The spot behind; from there one can come forward to here."""
        return _step(self._behind, self._ahead, here)

    def forward(self, here: Spot) -> Spot | None:
        """The spot ahead."""
        return _step(self._ahead, self._behind, here)


def _step(taken: list[Spot], given: list[Spot], here: Spot) -> Spot | None:
    if not taken:
        return None
    spot = taken.pop()
    given.append(replace(here, led=spot.ref))
    return replace(spot, led=None)
