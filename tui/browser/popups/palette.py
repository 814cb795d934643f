"""The command palette, the page of keys, the pickers of stores and memories."""

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path, PurePath
from typing import NamedTuple, TypeVar

from store.errors import GivenUpError, RecollectError
from store.kinds.memories import Memory
from store.library import Library
from store.records.reports import StoreReport
from store.search.fuzzy import Names
from store.search.tree import Fuzzy
from tui.browser.popups.popup import Choice, Heading, Popup, Row
from tui.browser.rooms.days import meant
from tui.browser.worker import Worker
from tui.commands.registry import Entry, Listing
from widgets.calendar import spelt
from widgets.memory_table import GLYPHS, STAGE_WORDS, TYPES, code, glyph
from widgets.sheet import Piece, Pieces, fitting
from widgets.styles import STATUSES, Palette
from widgets.table import brief, fit, told

# Stores, each with the number of its records.

ALL_STORES = ""
"""The value of the choice for all stores."""

_PARTS = 3
"""Number of path components that usually identify a store."""


def stores_menu(
    stores: Sequence[StoreReport], shown: Collection[str]
) -> list[Choice[str]]:
    """All stores, then each one; the open ones are marked."""
    everything = Choice(
        ALL_STORES,
        "All stores",
        f"{len(stores)} of them",
        before=mark(is_set=len(shown) in (0, len(stores))),
        right=number_told(sum(map(_records, stores))),
        detail="Show all stores together.",
    )
    return [everything, *(_store(one, shown, len(stores)) for one in stores)]


def _store(store: StoreReport, shown: Collection[str], stores: int) -> Choice[str]:
    is_alone = store.path in shown and len(shown) < stores
    return Choice(
        store.path,
        store.name,
        f"{store.format} · {_end_of(store.path)}",
        before=mark(is_set=is_alone),
        right=number_told(_records(store)),
        detail=f"{_holds(store)} · {_from_home(store.path)}",
    )


def _from_home(path: str) -> str:
    """A path with `~` for the home folder."""
    home, store = Path.home(), Path(path)
    return f"~/{store.relative_to(home)}" if store.is_relative_to(home) else path


def _end_of(path: str) -> str:
    parts = PurePath(path).parts
    return path if len(parts) <= _PARTS else f"…/{'/'.join(parts[-_PARTS:])}"


def _records(store: StoreReport) -> int:
    return store.memories or store.conversations or store.events


def _holds(store: StoreReport) -> str:
    """The content of a store, in words."""
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
    return ", ".join(told) or "empty"


def mark(*, is_set: bool) -> Pieces:
    """The sign before what is chosen already."""
    return [("✓ " if is_set else "  ", "marked")]


def number_told(number: int) -> Pieces:
    """A number at the right edge."""
    return [(brief(number), "muted")]


# Memories by a part of their title.

MOST = 10
"""Maximum number of memories."""

LEAST = 2
"""Minimum number of typed letters; a single one matches too much."""


def named(library: Library, typed: str) -> list[Memory]:
    """The memories with similar titles, best first."""
    rows = library.lists.like("memories", Fuzzy(typed))[:MOST]
    found = map(library.lists.numbered("memories", rows).get, rows)
    return [record for record in found if isinstance(record, Memory)]


def at_a_glance(memory: Memory) -> Pieces:
    """The stage and type of a memory."""
    return [glyph(memory.stage), (" ", ""), code(memory.type), (" ", "")]


def told_of(memory: Memory) -> str:
    """The description or the tags of a memory, to distinguish equal titles."""
    return memory.description or ", ".join(memory.tags)


# The palette: finds commands, memories and stores by a part of their name.

_COMMANDS = 8
"""Maximum commands shown once something is typed."""
_STORES = 5
_STORE = 18
"""Columns for the store of a memory."""

_FIRST = ("filter", "pin", "edit", "undo", "allow-changes", "keys")
"""The commands that newcomers need."""

_AT = re.compile(r"(?:at|as of)\s+(.+)", re.IGNORECASE)
_BACK = "View the stores as of that date (read-only)."

_BLANK = ((" ", ""),)

Answer = TypeVar("Answer")


class RunCommand(NamedTuple):
    """A request to run a command."""

    command: str
    """The id of the command."""


class GoToMemory(NamedTuple):
    """A request to show a memory."""

    ref: str


class GoToStore(NamedTuple):
    """A request to open a store."""

    path: str
    """Its path; empty for all stores."""


class LookBack(NamedTuple):
    """A request to show an earlier state."""

    day: int
    """The ordinal of the day whose end is shown."""


Wanted = RunCommand | GoToMemory | GoToStore | LookBack
"""The result of the palette."""


class CommandPalette(Popup[Wanted]):
    """Returns what the user chose."""

    is_wide = True

    def __init__(
        self,
        listing: Listing,
        worker: Worker,
        palette: Palette,
        today: date,
        used: Sequence[str] = (),
        names: Mapping[str, str] | None = None,
    ) -> None:
        """`used` are the ids of the commands used last, newest first.

        `names` are those of stores, by path.
        """
        super().__init__("commands", "command, memory, store, or at DATE", palette)
        self._used = used
        self._names = names or {}
        self._today = today
        self._listing = listing
        self._worker = worker
        self._memories: Sequence[Memory] = ()
        self._stores: Sequence[Choice[str]] = ()
        self._store_names = Names()
        self._answered = ""
        self._is_asking = False

    def opened(self) -> None:
        """Load the stores; commands are shown at once."""
        self.run_worker(self._ask_for_stores)

    def rows(self, typed: str) -> Sequence[Row]:
        """All commands, or everything that matches the typed text, under headings."""
        if not typed.strip():
            return list(_under_headings(self._before_typing()))
        commands = self._listing.similar(typed)[:_COMMANDS]
        found, words = (
            self._memories if self._answered else (),
            typed.casefold().split(),
        )
        exact = [m for m in found if all(word in m.title.casefold() for word in words)]
        memories = exact or (() if commands else found)
        sections = {
            "time travel": _day_meant(typed, self._today),
            "commands": map(_command, commands),
            "memories": map(partial(_memory, self._names), memories),
            "stores": self._stores_like(typed),
        }
        return list(_under_headings(sections))

    def _before_typing(self) -> Mapping[str, Iterable[Choice[Wanted]]]:
        """The commands used last, those that newcomers need, then all others."""
        used = self._listing.named(self._used)
        first = [one for one in self._listing.named(_FIRST) if one not in used]
        others = (
            entry
            for entry in self._listing.possible_first
            if entry not in used and entry not in first
        )
        named = {"used last": used, "start here": first, "all commands": others}
        return {heading: map(_command, found) for heading, found in named.items()}

    @property
    def nothing(self) -> str:
        """The message without results, which differs while memories are loading."""
        return "Searching…" if self._is_asking else super().nothing

    def changed(self) -> None:
        """Load memories, unless a running request will do that when it ends."""
        is_new = not self._is_asking
        self._is_asking = True
        self.fill()
        if is_new:
            self.run_worker(self._ask_for_memories)

    async def _ask_for_memories(self) -> None:
        """Load memories until the result matches the typed text."""
        while self._answered != self.typed.strip():
            typed = self.typed.strip()
            found: Sequence[Memory] = ()
            if len(typed) >= LEAST:
                found = await self._asked(partial(named, typed=typed)) or ()
            self._answered, self._memories = typed, found
            self.fill(keeps=True)
        self._is_asking = False
        self.fill(keeps=True)

    async def _ask_for_stores(self) -> None:
        """Load the stores with their counts."""
        stores = await self._asked(_stores)
        if stores and len(stores) > 1:
            self._stores = stores_menu(stores, ())
            names = (f"{one.title}\n{one.aside}" for one in self._stores)
            self._store_names = Names(names)

    async def _asked(self, question: Callable[[Library], Answer]) -> Answer | None:
        """The answer, or None on an error, which the list reports anyway."""
        while True:
            try:
                return await self._worker.ask(question)
            except GivenUpError:
                continue
            except RecollectError:
                return None

    def _stores_like(self, typed: str) -> Iterator[Choice[Wanted]]:
        for near in self._store_names.similar(typed.split(), _STORES):
            store = self._stores[near.position]
            yield Choice(
                GoToStore(store.value),
                store.title,
                store.aside,
                before=_BLANK,
                right=store.right,
                detail=store.detail,
            )


def _day_meant(typed: str, today: date) -> Iterator[Choice[Wanted]]:
    """The day of a typed date to travel to: `at 2026-01-15`."""
    said = _AT.fullmatch(typed.strip())
    days = meant(said[1], today) if said else None
    if days is not None:
        day = spelt(days.last)
        yield Choice(LookBack(days.last.toordinal()), day, before=_BLANK, detail=_BACK)


def _stores(library: Library) -> list[StoreReport]:
    return list(library.lists.stores())


def _under_headings(sections: Mapping[str, Iterable[Choice[Wanted]]]) -> Iterator[Row]:
    """The non-empty sections, each under its heading."""
    for name, found in sections.items():
        choices = list(found)
        if choices:
            yield Heading(name)
            yield from choices


def _command(entry: Entry) -> Choice[Wanted]:
    tone = "faint" if entry.why_not else "key"
    return Choice(
        RunCommand(entry.command),
        entry.title,
        entry.help,
        before=_BLANK,
        right=[("  ".join(entry.keys), tone)],
        detail=entry.help,
        why_not=entry.why_not,
    )


def _memory(names: Mapping[str, str], memory: Memory) -> Choice[Wanted]:
    store = names.get(memory.store, PurePath(memory.store).name)
    return Choice(
        GoToMemory(memory.ref),
        memory.title,
        before=[*_BLANK, *at_a_glance(memory)],
        right=[(fitting(told(store), _STORE), "muted")],
        detail=told(told_of(memory)),
    )


# The page of keys: the keys that are valid here, with their commands.

_KEYS = 14
_GAP = 2


class KeysPage(Popup[str]):
    """Returns the id of a command to run."""

    is_wide = True

    def __init__(self, where: str, listing: Listing, palette: Palette) -> None:
        """`where` is the name of the scope."""
        super().__init__(f"keys · {where}", "type to search", palette)
        self._listing = listing
        self._legend = tuple(_legend())

    def rows(self, typed: str) -> Sequence[Row]:
        """The commands with keys under headings, or all that match the typed text."""
        if not typed.strip():
            return [*self._first(), *self._grouped()]
        found = map(_row, self._listing.similar(typed))
        return [*found, *_explained(self._legend, typed)]

    def chose(self, choice: Choice[str]) -> None:
        """Close with a command; what explains a sign is only to read."""
        if choice not in self._legend:
            super().chose(choice)

    def action_keys(self) -> None:
        """Close the page with the key that opened it."""
        self.dismiss(None)

    def _first(self) -> Iterator[Row]:
        """The way to the signs, which are asked for as often as keys."""
        yield Heading("signs")
        yield from map(_row, self._listing.named(["signs"]))

    def _grouped(self) -> Iterator[Row]:
        for group, entries in self._listing.grouped():
            keyed = [entry for entry in entries if entry.keys]
            if keyed:
                yield Heading(group)
                yield from map(_row, keyed)


_STAGES = (
    "Never fades; p pins and unpins.",
    "Strength 0.5 or more.",
    "Strength below 0.5.",
    "Strength below 0.2.",
    "Put aside, or strength below 0.05.",
)
_STATUSES = (
    "Still going on.",
    "Over; nothing has read it for memories yet.",
    "Will be read for memories next.",
    "Is being read for memories.",
    "Was read; a person should look at what came of it.",
    "Was read; its memories are written.",
    "Too short to be read for memories.",
)

# A sign is a few lines of a table; the formatter would make it a hundred.
# fmt: off
_SIGNS: Mapping[str, Sequence[tuple[Piece, str, str]]] = {
    "memories": (
        *(
            ((sign, stage), STAGE_WORDS.get(stage, stage), told)
            for (stage, sign), told in zip(GLYPHS.items(), _STAGES, strict=True)
        ),
        (("━━━╸─", "active"), "strength", "Fades with time; use lifts it, over 1 too."),
        (("0.5 med", "muted"), "importance", "As its file says: 0 to 1, or a word."),
        (("⊘", "muted"), "unseen", "Its agent never reads it."),
        (("0→2", "muted"), "links", "Links to this memory → links from it."),
        (("2d", "muted"), "age", "Since it was changed or created."),
        (("~2d", "faint"), "age", "Only the time of the file is known."),
    ),
    "edges": (
        (("━ ─ ┄", "stroke"), "strength", "At least 0.7, at least 0.35, or less."),
        (("✎", "arrow"), "edge file", "The link has a file of its own."),
        (("⚠", "warning"), "broken", "It has no target, or only one side has it."),
        (("↺", "muted"), "again", "This memory is shown further up."),
    ),
    "conversations": (
        *(
            ((status.glyph, status.tone), word, told)
            for (word, status), told in zip(STATUSES.items(), _STATUSES, strict=True)
        ),
        (("▜ ▟", "arrow"), "start and end", "The longer it took, the higher."),
        (("┊", "faint"), "gap", "Nothing happened."),
        (("in 9 d", "fading"), "expires", "The agent deletes it then; p saves a copy."),
    ),
    "problems": (
        (("✗", "error"), "error", "Something can't be read."),
        (("⚠", "warning"), "warning", "Files don't agree with each other."),
        (("i", "muted"), "note", "Unusual, and harmless."),
        (("▸ ▾", "muted"), "several", "Problems of one kind in one file; l expands."),
    ),
    "measures": (
        (("✓ REAL", "ok"), "claim", "What proves the claim is there."),
        (("✗ ESTIMATE", "error"), "claim", "What it names as its proof is not there."),
        (("✗1", "error"), "task", "The exit code of a task that failed."),
    ),
    "episodes": (
        (("· ■ ■", "heat_2"), "days", "The brighter, the more entries."),
        (("[■]", "strong"), "selected", "The day that is listed below."),
        (("◉", "strong"), "today", ""),
    ),
    "all lists": (
        (("⚠", "warning"), "problem", "Health says what is wrong."),
        (("✓", "marked"), "marked", "The next change applies to all marked records."),
        (("•", "brand"), "new", "New since your last session, or just changed."),
        (("↶ 2", "arrow"), "undo", "Changes that u can undo."),
        (("▲ ▼", "muted"), "order", "Ascending, descending."),
    ),
}
"""The signs of each view: their looks, names and meanings."""

_OTHER_TYPES = "core feedback learning project reference task user"
"""Types of other formats, whose codes are their first three letters."""
# fmt: on


_VIEWS = {"conversations": "timeline", "problems": "health", "measures": "journals"}


def _legend(kind: str = "") -> Iterator[Row]:
    """The signs of a view, then of all others, and the codes of types."""
    for name in sorted(_SIGNS, key=lambda one: one != kind):
        yield Heading(f"signs · {_VIEWS.get(name, name)}")
        for sign, called, told_of_it in _SIGNS[name]:
            yield _sign(sign, called, told_of_it, name)
    yield Heading("types")
    for one in TYPES:
        yield _sign(code(one), one.replace("_", " "), "", "types")
    for one in _OTHER_TYPES.split():
        yield _sign(code(one), one, "", "types")


def _sign(sign: Piece, name: str, told_of_it: str, where: str) -> Choice[str]:
    """A sign with its name, as a row."""
    return Choice(
        f"{sign[0]} {name} {where}",
        name,
        told_of_it,
        before=[*fit([sign], _KEYS, is_right=True), (" " * _GAP, "")],
        detail=told_of_it,
    )


class SignsPage(Popup[str]):
    """Explains the signs and the codes of types; nothing can be chosen."""

    is_wide = True

    def __init__(self, kind: str, palette: Palette) -> None:
        """The signs of the views of this kind are first."""
        super().__init__("signs and types", "type to search", palette)
        self._legend = tuple(_legend(kind))

    def rows(self, typed: str) -> Sequence[Row]:
        """All signs under headings, or those that match the typed text."""
        return list(_explained(self._legend, typed))

    def chose(self, choice: Choice[str]) -> None:
        """Stay open."""


def _explained(legend: Iterable[Row], typed: str) -> Iterator[Row]:
    word = typed.strip().casefold()
    for one in legend:
        is_choice = isinstance(one, Choice)
        if not word or (is_choice and word in f"{one.value} {one.aside}".casefold()):
            yield one


def _row(entry: Entry) -> Choice[str]:
    """A command after its keys."""
    tone = "faint" if entry.why_not else "key"
    keys: list[Piece] = [("  ".join(entry.keys), tone)]
    return Choice(
        entry.command,
        entry.title,
        entry.help,
        before=[*fit(keys, _KEYS, is_right=True), (" " * _GAP, "")],
        detail=entry.help,
        why_not=entry.why_not,
    )


# A picker of memories by a part of their title.


class MemoryPicker(Popup[str]):
    """Returns the ref of a memory."""

    def __init__(
        self,
        title: str,
        worker: Worker,
        palette: Palette,
        near: Sequence[Memory],
        why_not: Callable[[Memory], str | None],
        where: Callable[[Memory], str],
    ) -> None:
        """`near` are offered before anything is typed; `where` names other stores."""
        super().__init__(title, "type to search", palette)
        self._worker = worker
        self._near = near
        self._why_not = why_not
        self._where = where
        self._found = near
        self._is_asking = False

    def rows(self, typed: str) -> Sequence[Choice[str]]:
        """The memories with similar titles; those that cannot be chosen come last."""
        del typed
        choices = [
            _choice(one, self._why_not(one), self._where(one)) for one in self._found
        ]
        return sorted(choices, key=lambda one: one.why_not is not None)

    def changed(self) -> None:
        """Load memories, unless a running request will do that when it ends."""
        if not self._is_asking:
            self._is_asking = True
            self.run_worker(self._ask)

    async def _ask(self) -> None:
        """Load memories until the result matches the typed text."""
        answered: str | None = None
        while answered != self.typed.strip():
            answered = self.typed.strip()
            self._found = self._near
            if len(answered) >= LEAST:
                self._found = await self._named(answered)
            self.fill()
        self._is_asking = False

    async def _named(self, typed: str) -> Sequence[Memory]:
        try:
            return await self._worker.ask_once(partial(named, typed=typed))
        except GivenUpError:
            return ()


def _choice(memory: Memory, why_not: str | None, where: str) -> Choice[str]:
    return Choice(
        memory.ref,
        memory.title,
        f"in {where}" if where else "",
        before=at_a_glance(memory),
        detail=told(told_of(memory)),
        why_not=why_not,
    )
