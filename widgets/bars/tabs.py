"""Tabs: what can be looked at, how much of it there is, and what needs a look."""

from collections.abc import Iterable
from typing import NamedTuple

from widgets.bars.items import Item, Items
from widgets.columns.cells import fit_path, told
from widgets.lines.pieces import Piece, Pieces

_SHORT = 3
"""How much of a title is left where there is no room for it."""

_STORE, _MOST_OF_A_PATH = 100, 24


class Tab(NamedTuple):
    """One tab."""

    key: str
    """The key that shows it; also its name in reports."""
    title: str
    """What it is called."""
    amount: int | None = None
    """How much there is; None where that is not counted."""
    flaws: int = 0
    """How much of it needs a look."""


def tab_bar(
    tabs: Iterable[Tab], here: str, store: str = "", path: str = "", state: str = ""
) -> Items:
    """The store, its tabs, and at the right in which state it is.

    The tab that is shown keeps its title and its count throughout.
    """
    brand: list[Piece] = [(" ◈ ", "brand")]
    name: list[Piece] = [(f"{told(store)} ", "strong")] if store else []
    where = [(f"{fit_path(told(path), _MOST_OF_A_PATH)} ", "faint")] if path else []
    longest = [*brand, *name, *where]
    first = Item((longest, brand), _STORE)
    middle = [_tab(tab, is_here=tab.key == here) for tab in tabs]
    last = (Item(([(f" {told(state)} ", "ok")],)),) if state else ()
    return Items((first, *middle), last, gap=0)


def _tab(tab: Tab, *, is_here: bool) -> Item:
    """A tab with its count, with its title alone, with a beginning of it, with its key.

    Who is new here knows no title by its beginning: the count goes before that. But
    where there is nothing a beginning is enough, before others lose their counts. Where
    all of it needs a look, one number tells both.
    """
    title = told(tab.title)
    short = title[:_SHORT]
    flaws = f" ⚠{tab.flaws}" if tab.flaws else ""
    is_told = tab.amount is None or tab.amount == tab.flaws > 0
    count = "" if is_told else f" {tab.amount}"
    texts = (
        f"{title}{count}{flaws} ",
        f"{title}{count}{flaws} " if tab.amount or is_here else short,
        f"{title}{flaws} ",
        f"{title}{flaws}",
        f"{short}{flaws.strip()[:1]}",
        "",
    )
    forms = tuple(_form(tab, text, is_here=is_here) for text in texts)
    return Item(forms, 2 if is_here else 1, keeps=is_here, name=tab.key)


def _form(tab: Tab, text: str, *, is_here: bool) -> Pieces:
    if is_here:
        return [(f" {tab.key} {text}", "tab_here")]
    tone = "tab_empty" if tab.amount == 0 else "warning" if tab.flaws else "muted"
    return [(f" {tab.key} ", "tab_empty"), (text, tone)]
