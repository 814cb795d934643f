"""The content of the tabs, the status bar and the hints."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from tui.browser.worker import Found
from tui.commands.registry import Hint
from widgets.bars import Item, Items, Key, Tab, hints, plain, status, tab_bar

# Counts and kinds in sentences.

_THIN = " "
"""The thousands separator: a thin space, never read as a decimal point."""


def grouped(count: int) -> str:
    """A number with thousands separators: 9 800."""
    return f"{count:,}".replace(",", _THIN)


_CALLED = {"measures": "metrics"}
"""Kinds that are shown by another name than on the command line."""


def counted(count: int, kind: str) -> str:
    """A number with its kind: 1 memory, 313 memories."""
    return f"{grouped(count)} {singular(kind) if count == 1 else plural(kind)}"


def plural(kind: str) -> str:
    """A kind, as it is called on the screen."""
    return _CALLED.get(kind, kind)


def singular(kind: str) -> str:
    """The singular of a kind."""
    word = plural(kind)
    return f"{word[:-3]}y" if word.endswith("ies") else word.removesuffix("s")


def listed(names: Iterable[str]) -> str:
    """Names joined by commas, with “and” before the last."""
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


# The views: one per kind of record, each with a fixed number.


class View(Struct, frozen=True):
    """A view of one kind of record."""

    key: str
    """Its number key."""
    kind: str
    """The kind of record, as named on the command line."""
    label: str
    """Its name in the tab bar."""
    none: str
    """The message if there are no such records."""
    short: str = ""
    """A shorter name for narrow tab bars."""
    brief: str = ""
    """A still shorter name."""
    within: str = ""
    """The key of the view whose tab stands for it too."""


VIEWS = (
    View("1", "memories", "Memories", "No memories in these stores."),
    View("2", "edges", "Edges", "No links between these memories."),
    View("3", "episodes", "Episodes", "No episodes in these stores."),
    View("4", "conversations", "Timeline", "No conversations in these stores."),
    View("5", "measures", "Journals", "No journals in these stores."),
    View("6", "problems", "Health", "No problems found."),
    View("7", "documents", "Documents", "No documents in these stores.", "Docs"),
    View("8", "messages", "Messages", "No messages in these stores.", brief="Msgs"),
    View("9", "events", "Events", "No event traces in these stores.", within="5"),
    View("0", "agents", "Agents", "No agent runs in these stores.", within="5"),
)
"""All views, in the order of the tab bar."""

BY_KIND = {view.kind: view for view in VIEWS}
"""The views by kind."""


# The bars: tabs, status and hints.

_ENDS = 2
"""Number of hints that stay at the right: those that lead to all commands."""

_MESSAGE = 20
"""The priority of messages: they are the last to be cut."""

_BESIDE = 42
"""Cells of a message beside a task that a narrow bar shows in any case."""

LIVE, PAUSED = "✓ live", "paused"
"""Whether live updates are on."""

_FRESH = {LIVE: "ok", PAUSED: "warning"}

_MARGIN = plain("", "", -1)
"""An empty item that starts the bar as long as there is room."""


def place(stores: Collection[str | Path], names: Mapping[str, str]) -> str:
    """The name of the only open store, or the number of stores."""
    if len(stores) != 1:
        return f"{len(stores)} stores"
    (store,) = map(Path, stores)
    return names.get(str(store), store.name)


READ_ONLY, EDITING = "read-only", "editing"
"""Whether the stores may be changed."""

_ACCESS = {READ_ONLY: "RO", EDITING: "RW"}

_FIRST_TABS = 6
"""The tabs that every bar shows."""


def tabs(counts: Mapping[str, int], shown: str, store: str, access: str) -> Items:
    """The views with their counts, and whether their stores may be changed."""
    here = BY_KIND[shown].within or BY_KIND[shown].key
    told = [
        Tab(
            view.key,
            view.label,
            _amount(view, counts),
            view.short,
            view.brief,
            is_problem=view.kind == "problems",
            is_second=int(view.key) > _FIRST_TABS,
        )
        for view in VIEWS
        if not view.within
    ]
    return tab_bar(told, here, store, _forms_of(access))


def _forms_of(access: str) -> Sequence[str]:
    """Whether stores may be changed, or their date, from long to short."""
    short = _ACCESS.get(access)
    if short:
        return access, short
    date = access.partition(" · ")[0]
    day = "".join(date.split()[2:3])
    short = f"@ {day.partition('-')[2]}"
    return access, date, f"@ {day}", short, _ACCESS[READ_ONLY]


def _amount(view: View, counts: Mapping[str, int]) -> int | None:
    """The records of a view; those of the views within it if it has none itself.

    None if they are not counted yet.
    """
    kinds = [view.kind, *(one.kind for one in VIEWS if one.within == view.key)]
    known = [counts[kind] for kind in kinds if kind in counts]
    return counts.get(view.kind) or (sum(known) if known else None)


class Happening(Struct, frozen=True):
    """What the status bar shows in addition to the list."""

    message: str = ""
    """The last message."""
    job: str = ""
    """The running task."""
    brief_job: str = ""
    """The same for narrow bars, if there are shorter words for it."""
    undoable: int = 0
    """Number of changes that can be undone."""
    undoes: str = "undo"
    """The word shown beside that number."""
    half_done: int = 0
    """Number of half-done changes to resolve."""
    is_wrong: bool = False
    """Whether the message is an error."""
    fresh: str = ""
    """Whether live updates are on."""


def state(
    found: Found | None,
    states: Mapping[str, int],
    marked: tuple[int, int],
    now: Happening,
) -> Items:
    """The status bar: the list, the last message and the running task.

    `marked` are the numbers of marked records, and of those that are not listed.
    """
    undo = now.undoable, now.undoes
    told = status(states, marked, undo, now.job, brief_job=now.brief_job)
    left = [*_of_list(found, has_states=bool(states)), *told.left]
    if now.half_done:
        number = now.half_done
        left.append(plain(f"⚠ {number} half-done", "error", _MESSAGE, f"⚠{number}"))
    if now.message:
        sign, tone = ("✗ ", "error") if now.is_wrong else ("", "strong")
        said = f"{sign}{now.message}"
        is_cut = now.brief_job and len(said) > _BESIDE
        short = f"{said[: _BESIDE - 1]}…" if is_cut else ""
        left.append(plain(said, tone, _MESSAGE, short))
    fresh = plain(f"{now.fresh} ", _FRESH.get(now.fresh, "muted"), -1)
    return Items((_MARGIN, *left), (fresh,) if now.fresh else ())


def _of_list(found: Found | None, *, has_states: bool) -> list[Item]:
    """The count, unless the states show it.

    That nothing is listed is said where the rows would be, and what is wrong with the
    query beside it.
    """
    if found is None:
        return []
    number = len(found.rows)
    is_said = has_states or found.is_similar or not number
    return (
        []
        if is_said
        else [plain(counted(number, found.wish.kind), "muted", 1, f"{number}")]
    )


def keys_told(
    told: Sequence[Hint], allow: Hint | None = None, *, in_colour: bool = True
) -> Items:
    """The hints; those that lead to all commands are on the right.

    The key that allows edits, if there is one, is before those that need it.
    """
    keys = [Key(hint.key, hint.word, hint.is_possible) for hint in told]
    left, right = keys[:-_ENDS], keys[-_ENDS:]
    items = hints(left, right, in_colour=in_colour)
    if not items.left:
        return items
    begin, *others = items.left
    if allow:
        needed = (at for at, key in enumerate(left[1:]) if not key.is_possible)
        item = hints([Key(allow.key, allow.word)], ()).left[0]
        others.insert(next(needed, len(others)), item)
    indented = begin._replace(forms=tuple([(" ", ""), *form] for form in begin.forms))
    return Items((indented, *others), items.right)
