"""The trail: where one was, to go back to and forward again, as in a web browser."""

from msgspec import Struct


class Spot(Struct, frozen=True):
    """A place on the screen that one can come back to."""

    kind: str
    """The kind of record that was listed."""
    text: str
    """The query."""
    ref: str | None
    """The record at the cursor."""


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

    def leave(self, spot: Spot) -> None:
        """Go on from a spot to one that was not on the trail."""
        if not self._behind or self._behind[-1] != spot:
            self._behind.append(spot)
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
    given.append(here)
    return taken.pop()
