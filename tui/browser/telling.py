"""What the bars tell: the views, how things stand, and the keys that help."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from store.search.language.query import Complaint
from tui.browser.data.found import Found
from tui.browser.first.counting import counted
from tui.browser.views import VIEWS
from tui.commands.hints import Hint
from widgets.bars.hints import Key, hints
from widgets.bars.items import Item, Items, plain
from widgets.bars.status import status
from widgets.bars.tabs import Tab, tab_bar

_ENDS = 2
"""The hints that stay at the right: the ways to all the rest."""

_MESSAGE = 20
"""What has just happened stays longer than all else."""

LIVE, PAUSED = "✓ live", "paused"
"""Whatever agents write is shown at once, or only when one asks for it."""

_FRESH = {LIVE: "ok", PAUSED: "warning"}

_MARGIN = plain("", "", -1)
"""Nothing, before all else, as long as there is room."""


def place(stores: Collection[str | Path], names: Mapping[str, str]) -> str:
    """The store that is looked at by its name, or how many there are."""
    if len(stores) != 1:
        return f"{len(stores)} stores"
    (store,) = map(Path, stores)
    return names.get(str(store), store.name)


def tabs(counts: Mapping[str, int], shown: str, store: str, access: str) -> Items:
    """The views with their counts, and the store that is looked at."""
    here = next(view.key for view in VIEWS if view.kind == shown)
    told = [
        Tab(view.key, view.label, counts.get(view.kind, 0), _flaws(view.kind, counts))
        for view in VIEWS
    ]
    return tab_bar(told, here, store, state=access)


def _flaws(kind: str, counts: Mapping[str, int]) -> int:
    return counts.get(kind, 0) if kind == "problems" else 0


class Happening(NamedTuple):
    """What goes on, apart from what is listed."""

    message: str = ""
    """What happened last."""
    job: str = ""
    """What is being done."""
    undoable: int = 0
    """How many changes can be taken back."""
    is_wrong: bool = False
    """Whether what happened last went wrong."""
    fresh: str = ""
    """Whether what is shown follows what is written."""


def state(
    found: Found | None, states: Mapping[str, int], marked: int, now: Happening
) -> Items:
    """How the list stands, what happened last, what is going on."""
    told = status(states, marked, now.undoable, now.job)
    left = [*_of_list(found, has_states=bool(states)), *told.left]
    if now.message:
        sign, tone = ("✗ ", "error") if now.is_wrong else ("", "strong")
        left.append(plain(f"{sign}{now.message}", tone, _MESSAGE))
    fresh = plain(f"{now.fresh} ", _FRESH.get(now.fresh, "muted"), -1)
    return Items((_MARGIN, *left), (fresh,) if now.fresh else ())


def _of_list(found: Found | None, *, has_states: bool) -> list[Item]:
    """What is wrong with the query; how many there are where no states tell it."""
    if found is None:
        return []
    number = len(found.rows)
    complaints = [_complaint(one) for one in found.query.complaints[:1]]
    told, short = counted(number, found.wish.kind), f"{number}"
    if found.is_similar:
        told = short = f"{number} similar"
    count = plain(told, "muted", 1, short)
    return complaints if has_states else [count, *complaints]


def _complaint(complaint: Complaint) -> Item:
    """Why some of the query says nothing."""
    return plain(complaint.reason, "error", _MESSAGE)


def keys_told(told: Sequence[Hint]) -> Items:
    """The keys that help, and at the right the ways to all the rest."""
    keys = [Key(hint.key, hint.word, hint.is_possible) for hint in told]
    return hints(keys[:-_ENDS], keys[-_ENDS:])
