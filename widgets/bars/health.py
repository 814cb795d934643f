"""How healthy stores are: a bar, and how many problems there are of each gravity."""

from collections.abc import Mapping

from widgets.bars.items import Item, Items, plain
from widgets.lines.pieces import Piece

_SIGNS = {"error": "✗", "warning": "⚠", "note": "·"}
_TONES = {"error": "error", "warning": "warning", "note": "muted"}
_WEIGHTS = {"error": 5.0, "warning": 1.0, "note": 0.0}
_WIDTH = 12
_BEST = 100


def score(severities: Mapping[str, int], memories: int) -> int:
    """A number from nothing to a hundred: what part of all is as it should be.

    An error weighs as much as five warnings; notes weigh nothing.
    """
    weight = sum(_WEIGHTS.get(name, 1.0) * n for name, n in severities.items())
    if not weight:
        return _BEST
    whole = max(memories, 1)
    return min(round(_BEST * whole / (whole + weight)), _BEST - 1)


def health(severities: Mapping[str, int], mendable: int, memories: int) -> Items:
    """The bar of a view of problems."""
    points = score(severities, memories)
    filled = round(_WIDTH * points / _BEST)
    tone = "ok" if points >= _BEST - 10 else "warning" if points >= _WIDTH else "error"
    bar: list[Piece] = [
        (" health", "muted"),
        (" ", ""),
        ("━" * filled, tone),
        ("─" * (_WIDTH - filled), "faint"),
        (f" {points}", tone),
    ]
    counts = [
        plain(f"{_SIGNS[name]} {_so_many(count, name)}", _TONES[name], 5 - rank)
        for rank, name in enumerate(_SIGNS)
        if (count := severities.get(name, 0))
    ]
    mend = [plain(f"{mendable} can be mended", "ok", 1)] if mendable else []
    return Items((Item((bar, [bar[0], bar[-1]]), 9), *counts, *mend))


def _so_many(count: int, name: str) -> str:
    return f"{count} {name}" if count == 1 else f"{count} {name}s"
