"""Medians and histograms of how long things took."""

from collections.abc import Sequence
from statistics import median
from typing import NamedTuple

BINS = 30


class Bin(NamedTuple):
    """How many lie between two bounds; the last bin includes its end."""

    start: float
    end: float
    size: int


def middle(durations: Sequence[float]) -> float | None:
    """The one in the middle; of two the longer one."""
    return sorted(durations)[len(durations) // 2] if durations else None


def between(durations: Sequence[float]) -> float | None:
    """The one in the middle; of two what lies between them."""
    return median(durations) if durations else None


def histogram(durations: Sequence[float], bins: int = BINS) -> list[Bin]:
    """Bins of the same width from the shortest to the longest."""
    if not durations:
        return []
    least, most = min(durations), max(durations)
    if least == most:
        least, most = least - 0.5, most + 0.5
    width = (most - least) / bins
    counts = [0] * bins
    for duration in durations:
        counts[min(int((duration - least) / width), bins - 1)] += 1
    edges = [least + width * n for n in range(bins)] + [most]
    return [Bin(edges[n], edges[n + 1], counts[n]) for n in range(bins)]
