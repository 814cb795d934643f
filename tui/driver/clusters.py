"""What text puts into cells: characters with all that is joined to them."""

import unicodedata
from bisect import bisect_left
from functools import lru_cache
from typing import NamedTuple

from rich.cells import cell_len

from tui.driver.printable import printable

_JOINER = "\u200d"
_FLAG_LETTERS = ("\U0001f1e6", "\U0001f1ff")

_CERTAIN = (
    " ~\u00a0\u00ac\u00ae\u02ff\u0370\u0482\u048a\u052f\u1e00\u1eff\u2010\u2027"
    "\u2030\u203b\u20a0\u20bf\u2190\u2193\u2200\u22ff\u2460\u24ff\u2500\u25a9"
    "\u25ac\u25b5\u25b7\u25bf\u25c1\u25fa\u2713\u2713\u2717\u271c\u2800\u28ff"
    "\u3041\u3096\u30a1\u30fa\u3400\u4dbf\u4e00\u9fff\uac00\ud7a3\uff01\uff60"
)
"""About the width of these terminals agree: the first and the last of each range.

They are looked up in here, because a pattern of them takes two milliseconds to make.
"""
_MARKS = ("\u0300", "\u036f")
"""Marks that all of them put upon what is before."""


class Cells(NamedTuple):
    """A run of text as cells."""

    marks: str
    """What belongs to the character before the run."""
    cells: tuple[str, ...]
    """A cluster in its first cell, nothing in the further ones that it takes."""


@lru_cache(maxsize=4096)
def cells_of(text: str) -> Cells:
    """The cells of a run, each cluster as wide as Textual takes it to be."""
    marks, cells = "", list[str]()
    for cluster in _clusters(printable(text)):
        width = cell_len(cluster)
        if width:
            cells += [cluster, *[""] * (width - 1)]
        else:
            marks += cluster
    return Cells("".join(filter(unicodedata.combining, marks)), tuple(cells))


def _clusters(text: str) -> list[str]:
    """Characters with the marks, selectors and joined characters that follow them."""
    clusters: list[str] = []
    for character in text:
        if clusters and _joins(clusters[-1], character):
            clusters[-1] += character
        else:
            clusters.append(character)
    return clusters


def _joins(cluster: str, character: str) -> bool:
    """Whether a character belongs to the cluster before it."""
    if not cell_len(character) or cluster.endswith(_JOINER):
        return True
    return _is_flag_letter(cluster) and _is_flag_letter(character)


def _is_flag_letter(cluster: str) -> bool:
    first, last = _FLAG_LETTERS
    return len(cluster) == 1 and first <= cluster <= last


@lru_cache(maxsize=4096)
def reach(cluster: str) -> int:
    """How many cells a cluster takes at most where widths are disputed; else 0."""
    if not cluster or _is_certain(cluster):
        return 0
    return 2 * len(cluster)


def _is_certain(cluster: str) -> bool:
    character, *marks = cluster
    at = bisect_left(_CERTAIN, character)
    first, last = _MARKS
    return (at % 2 == 1 or _CERTAIN[at : at + 1] == character) and all(
        first <= mark <= last for mark in marks
    )
