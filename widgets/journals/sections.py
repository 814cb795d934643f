"""The bar of sections: what journals hold, how much of it, and which is shown."""

from collections.abc import Iterable, Mapping

from widgets.bars.items import Item, Items
from widgets.columns.numbers import brief
from widgets.lines.pieces import Pieces

_SHORT = 3


def section_bar(names: Iterable[str], here: str, amounts: Mapping[str, int]) -> Items:
    """A name each, reported when it is clicked."""
    return Items(
        tuple(_item(name, amounts.get(name), is_here=name == here) for name in names),
        gap=0,
    )


def _item(name: str, amount: int | None, *, is_here: bool) -> Item:
    """With its amount, without it, with a beginning of its name."""
    count = "" if amount is None else f" {brief(amount)}"
    texts = (f"{name}{count}", name, name[:_SHORT])
    tone = "tab_here" if is_here else "tab_empty" if amount == 0 else "muted"
    forms: tuple[Pieces, ...] = tuple([(f" {text} ", tone)] for text in texts)
    return Item(forms, 2 if is_here else 1, keeps=is_here, name=name)
