"""Hints: the keys that help here, and what they do; dim where they do nothing now."""

from collections.abc import Sequence
from typing import NamedTuple

from widgets.bars.items import Item, Items
from widgets.columns.cells import told

_ALWAYS = 100


class Key(NamedTuple):
    """A key."""

    looks: str
    word: str
    """What it does."""
    is_possible: bool = True
    """Whether it does that now; why it does not is said once it is pressed."""


def hints(keys: Sequence[Key], right: Sequence[Key]) -> Items:
    """Keys and what they do; those at the right stay, of the others the first."""
    ranked = [_hint(key, -number) for number, key in enumerate(keys)]
    return Items(tuple(ranked), tuple(_hint(key, _ALWAYS) for key in right))


def _hint(key: Key, rank: int) -> Item:
    looks, word = told(key.looks), f" {told(key.word)}"
    tones = ("key", "muted") if key.is_possible else ("faint", "faint")
    return Item(([(looks, tones[0]), (word, tones[1])],), rank, name=key.looks)
