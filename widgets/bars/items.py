"""Items of a bar, and which of them a width has room for, in which form.

First all become shorter together, but for those that keep their form; then they go, the
one with the least rank first, of equals the one furthest to the right. Room that is
left over goes to the one with the highest rank.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from widgets.lines.pieces import Pieces, width_of


class Item(NamedTuple):
    """Something that a bar tells."""

    forms: tuple[Pieces, ...]
    """What it looks like, from its longest form to its shortest."""
    rank: int = 0
    """The more, the longer it stays."""
    keeps: bool = False
    """Whether it has its longest form as long as it is there."""
    name: str = ""
    """What is reported when it is clicked; empty for nothing."""


def plain(text: str, tone: str, rank: int, short: str = "") -> Item:
    """An item of one tone."""
    forms = ([(text, tone)], [(short, tone)]) if short else ([(text, tone)],)
    return Item(forms, rank)


class Items(NamedTuple):
    """What a bar tells at its left and at its right."""

    left: tuple[Item, ...] = ()
    right: tuple[Item, ...] = ()
    gap: int = 2
    """Blank cells between two of them."""


class Shown(NamedTuple):
    """A piece of a bar, and the item that it belongs to."""

    pieces: Pieces
    name: str = ""


def arranged(items: Items, width: int) -> list[Shown]:
    """What is shown from left to right; it is no wider than there is room for.

    But for the last item that is left, which is cut where it is drawn.
    """
    both = (*items.left, *items.right)
    longest = max((len(item.forms) for item in both), default=0)
    for level in range(longest):
        if _width(both, level, items.gap) <= width:
            return _joined(items, both, level, width)
    kept = list(both)
    while len(kept) > 1 and _width(kept, longest - 1, items.gap) > width:
        least = min(item.rank for item in kept)
        last = max(at for at, item in enumerate(kept) if item.rank == least)
        del kept[last]
    return _joined(items, kept, max(longest - 1, 0), width)


def _joined(items: Items, kept: Sequence[Item], level: int, width: int) -> list[Shown]:
    """The items that are kept, and what lies between left and right."""
    forms = {id(item): _form(item, level) for item in kept}
    if kept:
        first = max(kept, key=lambda item: item.rank)
        forms[id(first)] = _longest(
            first, level, width - _width(kept, level, items.gap)
        )
    left, right = (
        _spaced([one for one in side if id(one) in forms], forms, items.gap)
        for side in (items.left, items.right)
    )
    used = sum(width_of(shown.pieces) for shown in (*left, *right))
    between = Shown([(" " * max(width - used, 0), "")])
    return [*left, between, *right]


def _longest(item: Item, level: int, spare: int) -> Pieces:
    """The longest form that needs no more cells than are left over besides."""
    usual = _form(item, level)
    fitting = (form for form in item.forms if width_of(form) - width_of(usual) <= spare)
    return usual if item.keeps else next(fitting, usual)


def _spaced(
    items: Sequence[Item], forms: Mapping[int, Pieces], gap: int
) -> list[Shown]:
    shown: list[Shown] = []
    for item in items:
        if shown and gap:
            shown.append(Shown([(" " * gap, "")]))
        shown.append(Shown(forms[id(item)], item.name))
    return shown


def _width(items: Sequence[Item], level: int, gap: int) -> int:
    forms = [_form(item, level) for item in items]
    return sum(map(width_of, forms)) + gap * max(len(forms) - 1, 0)


def _form(item: Item, level: int) -> Pieces:
    return item.forms[0 if item.keeps else min(level, len(item.forms) - 1)]
