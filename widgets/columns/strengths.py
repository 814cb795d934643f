"""Strength as a bar whose thresholds stand at fixed places, so that stages can be seen.

    0    .05       .2        .5    1    2    4
    |     |         |         |    |    |    |      strength
    0    1/8       3/8       5/8  6/8  7/8   1      of the bar

Strength has no upper bound, because use counts in it: from the threshold of what is
active on, an eighth more is twice as strong.
"""

import math
from itertools import pairwise

from store.derive.decay import STAGES
from widgets.lines.pieces import Piece

_PLACES = (1 / 8, 3 / 8, 5 / 8)
_SCALE = ((0.0, 0.0), *zip((f for _, f in reversed(STAGES)), _PLACES, strict=True))
_EIGHTH = 1 / 8
_FULL, _HALF, _REST = "━", "╸", "─"


def share(strength: float) -> float:
    """How much of the bar a strength fills, 0…1."""
    if not strength > 0:
        return 0.0
    for (low, start), (high, end) in pairwise(_SCALE):
        if strength < high:
            return start + (end - start) * (strength - low) / (high - low)
    top, place = _SCALE[-1]
    return min(place + _EIGHTH * math.log2(strength / top), 1.0)


def bar(filled: float, width: int, tone: str) -> list[Piece]:
    """A bar of which a share is filled, to half a cell."""
    halves = round(max(0.0, min(filled, 1.0)) * width * 2)
    full = _FULL * (halves // 2) + _HALF * (halves % 2)
    return [(full, tone), (_REST * (width - len(full)), "faint")]


def figure(strength: float) -> str:
    """A strength in at most five characters."""
    for digits, bound in ((2, 100.0), (0, 10_000.0)):
        if strength < bound:
            return f"{strength:.{digits}f}"
    return f"{strength:.0e}".replace("e+0", "e").replace("e+", "e")


def fraction(value: float) -> str:
    """A share of one in three characters: `.85`, `1.0`."""
    if not 0 <= value <= 1:
        return "?"
    return "1.0" if value >= 0.995 else f"{value:.2f}"[1:]  # noqa: PLR2004  # what is rounded up to one
