"""What pickers offer: stores, themes, saved queries, orders."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePath

from store.errors import WrongUseError
from store.records.reports import StoreReport
from tui.browser.popups.prompt import Wanted
from tui.browser.popups.rows import Choice
from tui.themes.choice import ANSI, CONTRAST, DARK, LIGHT, NONE
from widgets.columns.numbers import brief
from widgets.lines.pieces import Pieces

ALL_STORES = ""
"""The value of the choice that stands for every store."""

_THEMES = {
    DARK: "light text on dark",
    LIGHT: "dark text on light",
    CONTRAST: "nothing faint, the strongest colours",
    ANSI: "the terminal's own sixteen colours",
    NONE: "no colours at all",
}
NO_QUERIES = "No query is saved yet; “Save the query” in : keeps the one that is asked."
"""What is said to who looks for saved queries too early."""

_PARTS = 3
"""Parts of a path that tell one store from another, most often."""

_SIGNS = {False: "▼", True: "▲"}


def stores_menu(
    stores: Sequence[StoreReport], shown: Collection[str]
) -> list[Choice[str]]:
    """The stores by their paths, and all of them; the ones that are shown marked."""
    everything = Choice(
        ALL_STORES,
        "All stores",
        f"{len(stores)} of them",
        before=_mark(is_set=len(shown) in (0, len(stores))),
        right=_count(sum(map(_records, stores))),
        detail="Look at all of them side by side.",
    )
    return [everything, *(_store(one, shown, len(stores)) for one in stores)]


def themes_menu(possible: Sequence[str], current: str) -> list[Choice[str]]:
    """The themes that this terminal can show, by name."""
    return [
        Choice(name, name, _THEMES[name], before=_mark(is_set=name == current))
        for name in possible
    ]


def saved_menu(
    queries: Mapping[str, str], counts: Mapping[str, int] | None = None
) -> list[Choice[str]]:
    """The saved queries, by the text of each; how much each finds, where known."""
    known = counts or {}
    texts: dict[str, str] = {}
    for name, text in queries.items():
        texts.setdefault(text, name)
    return [
        Choice(
            text,
            name,
            text,
            before=[("◈ ", "brand")],
            right=_count(known[name]) if name in known else (),
            detail=text,
        )
        for text, name in texts.items()
    ]


def naming_query(query: str, saved: Mapping[str, str]) -> Wanted:
    """Under which name a query shall be kept; those that are taken are offered."""
    taken = [Choice(name, name, text) for name, text in saved.items()]
    return Wanted("save the query", f"a name for {query}", check=_named, offers=taken)


def _named(name: str) -> None:
    if not name.strip():
        raise WrongUseError("It needs a name.")


def sort_menu(
    names: Sequence[str], current: str | None, *, is_reversed: bool
) -> list[Choice[str]]:
    """What a list can be ordered by; the sign tells what it is ordered by now."""
    return [
        Choice(
            name,
            name.replace("_", " "),
            before=[(f"{_SIGNS[is_reversed] if name == current else ' '} ", "marked")],
            detail="Chosen once more, the order is turned round."
            if name == current
            else "",
        )
        for name in names
    ]


def _store(store: StoreReport, shown: Collection[str], stores: int) -> Choice[str]:
    """A store, with how much it holds."""
    is_alone = store.path in shown and len(shown) < stores
    return Choice(
        store.path,
        store.name,
        f"{store.format} · {_end_of(store.path)}",
        before=_mark(is_set=is_alone),
        right=_count(_records(store)),
        detail=f"{_holds(store)} · {store.path}",
    )


def _end_of(path: str) -> str:
    """The end of a path, which tells most."""
    parts = PurePath(path).parts
    return path if len(parts) <= _PARTS else f"…/{'/'.join(parts[-_PARTS:])}"


def _records(store: StoreReport) -> int:
    """How much a store holds that one would look for."""
    return store.memories or store.conversations or store.events


def _holds(store: StoreReport) -> str:
    """What a store holds, in words."""
    counts = {
        "memories": store.memories,
        "edges": store.edges,
        "episodes": store.episodes,
        "conversations": store.conversations,
        "messages": store.messages,
        "events": store.events,
        "problems": store.problems,
    }
    told = (f"{number} {name}" for name, number in counts.items() if number)
    return ", ".join(told) or "nothing yet"


def _mark(*, is_set: bool) -> Pieces:
    return [("✓ " if is_set else "  ", "marked")]


def _count(number: int) -> Pieces:
    return [(brief(number), "muted")]
