"""The trail: titles of what one came through, and of where one is."""

from collections.abc import Iterable

from widgets.bars.items import Item, Items, plain
from widgets.columns.cells import told
from widgets.lines.pieces import Piece, Pieces


def trail(titles: Iterable[Pieces], right: str = "") -> Items:
    """The way one came; where it is long its beginning goes, never where one is."""
    steps = list(titles)
    left: list[Item] = []
    for number, title in enumerate(steps):
        lead: list[Piece] = [("→ ", "faint")] if number else []
        tone = "title strong" if number == len(steps) - 1 else "muted"
        shown = [(told(text), own or tone) for text, own in title]
        left.append(Item(([*lead, *shown],), number + 1))
    ends = (plain(told(right), "head", 0),) if right else ()
    return Items(tuple(left), ends, gap=1)
