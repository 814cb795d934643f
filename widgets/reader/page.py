"""What the reader is given: a title, and a body for every tab."""

from collections.abc import Mapping, Sequence
from itertools import chain

from msgspec import Struct, field
from msgspec.structs import replace
from rich.cells import cell_len

from widgets.columns.cells import fit
from widgets.lines.pieces import Piece, Pieces, width_of
from widgets.lines.rows import Key
from widgets.reader.bodies import Body

_TITLE = 22
"""Cells that a title gets before tabs and notes do, in a pane however narrow."""

_STEP = 20
"""Cells that the title of what one came through gets at most."""

_ON: Piece = (" → ", "faint")
_BEFORE: Piece = ("… → ", "faint")

_BETWEEN: Piece = ("│", "faint")
_MORE = "…"
"""Stands for the tabs that there is no room for."""


class Page(Struct, frozen=True):
    """One record, ready to be read."""

    key: Key
    """What it is: a page that is shown again stays where it was."""
    title: Pieces
    """What it is called."""
    bodies: Mapping[str, Body] = field(default_factory=dict[str, Body])
    """The bodies by the names of their tabs, in order."""
    note: str = ""
    """What stands at the right end of the title: the place in a list."""
    way: Sequence[str] = ()
    """The titles of what one came through to it."""


NO_PAGE = Page(None, ())


def heading(page: Page, tab: str, width: int) -> Pieces:
    """The title, and at its right what there is room for: tabs, the note, the tab.

    Where the tabs would cut a title that most of the line would hold, those that are
    next to the one that is shown stand for all of them.
    """
    here: list[Piece] = [(tab, "sorted")] if len(page.bodies) > 1 else []
    note: list[Piece] = [(page.note, "head")] if page.note else []
    noted: list[Piece] = [("  ", ""), *note] if note else []
    every, near = _tabs(page, tab), _near(page, tab)
    choices = [[*every, *noted], every, [*near, *noted], near, here, note]
    room = width - min(width_of(_came(page)), max(_TITLE, width * 3 // 5)) - 1
    right = next((one for one in choices if one and width_of(one) <= room), note[:0])
    apart: list[Piece] = [(" ", "")] if right else []
    left = max(width - width_of(right) - len(apart), 0)
    return [*fit(_title(page, left), left), *apart, *right]


def _came(page: Page, step: int = _STEP) -> list[Piece]:
    """The way to the title, each step cut short, and the title."""
    way = [[*fit([(one, "muted")], min(step, cell_len(one))), _ON] for one in page.way]
    return [*chain.from_iterable(way), *page.title]


def _title(page: Page, width: int) -> Pieces:
    """The title, and before it the end of the way to it, where there is room."""
    least = min(width_of(page.title), width // 2)
    for first in range(len(page.way)):
        later = replace(page, way=page.way[first:])
        came = [*([_BEFORE] if first else []), *_came(later, min(_STEP, width // 3))]
        if width_of(came) - width_of(page.title) + least <= width:
            return came
    return page.title


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
    return _row(list(page.bodies), tab) if len(page.bodies) > 1 else []


def _near(page: Page, tab: str) -> list[Piece]:
    """The tab that is shown and its neighbours; a sign where there are others."""
    names = list(page.bodies)
    if len(names) <= 1 or tab not in names:
        return []
    at = names.index(tab)
    first, last = max(at - 1, 0), min(at + 2, len(names))
    before, after = [_MORE] * (first > 0), [_MORE] * (last < len(names))
    return _row([*before, *names[first:last], *after], tab)


def _row(names: Sequence[str], tab: str) -> list[Piece]:
    """Names beside one another; that of the tab that is shown stands out."""
    pieces: list[Piece] = []
    for name in names:
        pieces += [_BETWEEN] if pieces else []
        pieces.append((name, "sorted" if name == tab else "head"))
    return pieces
