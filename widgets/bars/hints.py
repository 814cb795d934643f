"""Hints: the keys that help here, and what they do."""

from collections.abc import Sequence

from widgets.bars.items import Item, Items
from widgets.columns.cells import told

_ALWAYS = 100


def hints(keys: Sequence[tuple[str, str]], right: Sequence[tuple[str, str]]) -> Items:
    """Keys and what they do; those at the right stay, of the others the first."""
    ranked = [_hint(key, word, -number) for number, (key, word) in enumerate(keys)]
    return Items(tuple(ranked), tuple(_hint(*pair, _ALWAYS) for pair in right))


def _hint(key: str, word: str, rank: int) -> Item:
    return Item(([(told(key), "key"), (f" {told(word)}", "muted")],), rank, name=key)
