"""Walking a page: which hit or which link comes next."""

from collections.abc import Callable, Sequence
from typing import TypeVar

from widgets.reader.laid import Hit, Laid, Link

P = TypeVar("P", Hit, Link)

_STEP, _FAR = 100, 2000
"""Lines that are laid out at a time to look for a place, and at most."""


def next_hit(laid: Laid, now: Hit | None, step: int, first: int) -> Hit | None:
    """The hit after the one where one is, or the first one in view."""
    return _next(laid, lambda: laid.hits, now, step, first)


def next_link(laid: Laid, now: Link | None, step: int, first: int) -> Link | None:
    """The link after the one where one is, or the first one in view."""
    return _next(laid, lambda: laid.links, now, step, first)


def _next(
    laid: Laid, known: Callable[[], Sequence[P]], now: P | None, step: int, first: int
) -> P | None:
    """The next place; after the last one the first.

    Of a page that is very long only so much is looked through at a time.
    """
    at = _begin(known(), now, step, first)
    end = len(laid.lines) + _FAR
    while not laid.is_done and len(laid.lines) < end and not 0 <= at < len(known()):
        laid.reach(len(laid.lines) + _STEP)
        at = _begin(known(), now, step, first)
    places = known()
    return places[at % len(places)] if places else None


def _begin(places: Sequence[P], now: P | None, step: int, first: int) -> int:
    """Where the next place is among those that are known."""
    here = next((at for at, place in enumerate(places) if place is now), None)
    if here is not None:
        return here + step
    below = sum(place.line < first for place in places)
    return below if step > 0 else below - 1
