"""What the reader is given: a title, and a body for every tab."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from widgets.columns.cells import fit
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.lines.rows import Key
from widgets.reader.bodies import Body

_TITLE = 22
"""Cells that a title gets before tabs and notes do."""

_BETWEEN: Piece = ("│", "faint")


@dataclass(frozen=True, slots=True)
class Page:
    """One record, ready to be read."""

    key: Key
    """What it is: a page that is shown again stays where it was."""
    title: Pieces
    """What it is called."""
    bodies: Mapping[str, Body] = field(default_factory=dict[str, Body])
    """The bodies by the names of their tabs, in order."""
    note: str = ""
    """What stands at the right end of the title: the place in a list."""


NO_PAGE = Page(None, ())


def heading(page: Page, tab: str, width: int) -> Pieces:
    """The title, and at its right what there is room for: tabs, the note, the tab."""
    here: list[Piece] = [(tab, "sorted")] if len(page.bodies) > 1 else []
    note: list[Piece] = [(page.note, "head")] if page.note else []
    choices = [[*_tabs(page, tab), ("  ", ""), *note], _tabs(page, tab), here, note]
    room = width - min(width_of(page.title), _TITLE) - 1
    right = next((one for one in choices if one and width_of(one) <= room), note[:0])
    apart: list[Piece] = [(" ", "")] if right else []
    left = max(width - width_of(right) - len(apart), 0)
    return [*fit(page.title, left), *apart, *right]


def tab_at(page: Page, tab: str, width: int, x: int) -> str | None:
    """The tab whose name stands at a place in the heading."""
    at = 0
    for text, _ in heading(page, tab, width):
        at += width_of([(text, "")])
        if x < at:
            return text if text in page.bodies else None
    return None


def _tabs(page: Page, tab: str) -> list[Piece]:
    """The names of the tabs beside one another, where there are several."""
    if len(page.bodies) <= 1:
        return []
    pieces: list[Piece] = []
    for name in page.bodies:
        pieces += [_BETWEEN] if pieces else []
        pieces.append((name, "sorted" if name == tab else "head"))
    return pieces
