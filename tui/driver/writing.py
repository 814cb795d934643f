"""Writing those cells of a line that differ."""

from collections.abc import Iterator, Sequence

from tui.driver.pen import Pen
from tui.driver.row import Row

_SKIP = 4
"""As many cells that stay may be written again in place of moving over them."""

_WORTH_ENDING = 4
"""Fewer blanks than this at the end of a line are written sooner than erased."""


def write_row(number: int, row: Row, columns: Sequence[int], pen: Pen) -> None:
    """Write some columns of a line, given in order."""
    width = len(row.text)
    for start, changed in _spans(columns):
        end = row.end(changed)
        _skip(number, row, start, pen)
        for begin, stop in _runs(row, start, end):
            text, look = row.text[begin:stop], row.looks[begin]
            pen.go(number, begin)
            if text[0] != " ":
                pen.put(text, look, width)
            elif stop == end and pen.can_erase(look) and _is_last(row, begin):
                pen.end_line(look)
                return
            else:
                pen.blank(len(text), look, width)


def _is_last(row: Row, column: int) -> bool:
    """Whether blanks of one ground fill the rest of the line, and are worth erasing."""
    rest = row.text[column:]
    if len(rest) < _WORTH_ENDING or "".join(rest).strip(" "):
        return False
    bare = row.looks[column].bare
    return all(look.bare is bare for look in row.looks[column:])


def _spans(columns: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Where neighbours begin and end."""
    start = previous = -1
    for column in columns:
        if column != previous + 1 or start < 0:
            if start >= 0:
                yield start, previous + 1
            start = column
        previous = column
    if start >= 0:
        yield start, previous + 1


def _skip(number: int, row: Row, start: int, pen: Pen) -> None:
    """Go to a column; over few cells by writing them again, if they look alike."""
    at = pen.column
    if pen.row != number or at is None or not 0 < start - at <= _SKIP:
        return
    between = row.text[at:start]
    alike = all(map(pen.writes_like, between, row.looks[at:start]))
    if alike and "".join(between).isascii():
        pen.again("".join(between))


def _runs(row: Row, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Parts of a span that look alike: blanks, and words one blank apart."""
    text, looks = row.text, row.looks
    while start < end:
        look, stop = looks[start], start + 1
        if text[start] == " ":
            bare = look.bare
            while stop < end and text[stop] == " " and looks[stop].bare is bare:
                stop += 1
        else:
            while stop < end and looks[stop] is look:
                if text[stop] == " " and (stop + 1 == end or text[stop + 1] == " "):
                    break
                stop += 1
        yield start, stop
        start = stop
