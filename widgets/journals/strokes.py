"""Bars that stand: values as columns of cells, to an eighth of a cell."""

from collections.abc import Sequence

_EIGHTHS = " ▁▂▃▄▅▆▇█"
_WIDEST = 8
_APART = 3
"""Cells from which on a blank one stands between two bars."""


def heights(values: Sequence[float], rows: int) -> list[int]:
    """How high each is drawn, in eighths of a row; whatever there is can be seen."""
    most = max(values, default=0.0)
    if most <= 0:
        return [0] * len(values)
    full = rows * 8
    return [max(round(value / most * full), 1) if value > 0 else 0 for value in values]


def breadth(bars: int, room: int) -> int:
    """How many cells a bar takes, its blank included."""
    return max(min(room // bars, _WIDEST), 1) if bars else 1


def standing(values: Sequence[float], rows: int, room: int) -> list[str]:
    """The rows of a picture of values, from the top."""
    wide = breadth(len(values), room)
    blank = int(wide >= _APART)
    drawn = heights(values, rows)
    return [
        "".join(
            _EIGHTHS[max(0, min(height - above * 8, 8))] * (wide - blank) + " " * blank
            for height in drawn
        )
        for above in reversed(range(rows))
    ]
