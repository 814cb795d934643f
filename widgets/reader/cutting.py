"""Lines cut at the edge in place of being wrapped: one sees how a text is built."""

from collections.abc import Iterable, Iterator

from widgets.reader.runs import BREAK, Run, TextLine

MORE = Run("…", "muted")
"""Stands where a line goes on."""


def cut(lines: Iterable[TextLine]) -> Iterator[TextLine]:
    """The first of the lines that a long one was wrapped into; the rest is left out."""
    goes_on = False
    for line in lines:
        if not goes_on:
            is_cut = line.joint != BREAK
            runs = (*line.runs, MORE) if is_cut else line.runs
            yield line._replace(runs=runs, joint=BREAK)
        goes_on = line.joint != BREAK
