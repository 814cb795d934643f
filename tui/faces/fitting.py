"""Make columns fit a width, and what stands in them fit the columns."""

from collections.abc import Iterable

from rich.cells import cell_len, set_cell_size

from tui.faces.columns import Column

GAP = 2
"""Cells between two columns."""

_NARROWEST = 24
"""What a column without a width of its own gets at least."""

_SPARE = 60
"""What is left over where a column is let in that can be done without."""

_CRAMPED = 10
"""What such a column makes do with before it is left out."""


def that_fit(columns: Iterable[Column], width: int) -> list[tuple[Column, int]]:
    """The columns that there is room for, and their widths; the last ones go first.

    The first that has no width of its own stays even where it gets cramped.
    """
    shown: list[Column] = []
    left = width
    for column in _with_room_for_text([*columns], width):
        wanted = column.width or (_SPARE if column.is_spare else _NARROWEST)
        first = column.width is None and all(one.width for one in shown)
        if shown and left < (_CRAMPED if first else wanted):
            break
        shown.append(column)
        left -= wanted + GAP
    fixed = _taken(shown) - GAP
    open_ended = sum(column.width is None for column in shown) or 1
    share = max((width - fixed) // open_ended, 1)
    return [(column, column.width or share) for column in shown]


def _with_room_for_text(columns: list[Column], width: int) -> list[Column]:
    """The columns without those that leave no room for the first of open width.

    The very first one stays: it tells which record the row is about.
    """
    place = next((at for at, one in enumerate(columns) if one.width is None), 0)
    before, after = columns[:place], columns[place:]
    while len(before) > 1 and _taken(before) + _CRAMPED > width:
        before.pop()
    return before + after


def _taken(columns: Iterable[Column]) -> int:
    """What columns of a width of their own take, with the gap behind each."""
    return sum((column.width or 0) + GAP for column in columns)


def fit(text: str, width: int, column: Column) -> str:
    """A text exactly as wide as its column; a cut shows, in a path in the middle."""
    length = cell_len(text)
    if length > width:
        return _cut(text, length, width, in_the_middle=column.is_path)
    return text.rjust(width) if column.right else set_cell_size(text, width)


def _cut(text: str, length: int, width: int, *, in_the_middle: bool) -> str:
    """A text without what does not fit; of a path the end tells more."""
    if not in_the_middle:
        return f"{set_cell_size(text, width - 1)}…"
    head = (width - 1) // 3
    tail = text[-(width - 1 - head) :] if length == len(text) else ""
    return set_cell_size(f"{set_cell_size(text, head)}…{tail}", width)
