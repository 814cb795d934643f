"""The palette: commands, memories and stores, all found by typing a part of a name."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import PurePath
from typing import NamedTuple, TypeVar

from store.errors import GivenUpError, RecollectError
from store.library import Library
from store.records.memory import Memory
from store.records.reports import StoreReport
from store.search.fuzzy.names import Names
from tui.browser.data.desk import Desk
from tui.browser.popups.menus import stores_menu
from tui.browser.popups.named import LEAST, at_a_glance, named, told_of
from tui.browser.popups.popup import Popup, Row
from tui.browser.popups.rows import Choice, Heading
from tui.browser.rooms.episodes.said_dates import meant
from tui.commands.listing import Entry, Listing
from widgets.calendar.names import spelt
from widgets.columns.cells import told
from widgets.lines.pieces import fitting
from widgets.styles.palette import Palette

_COMMANDS = 8
"""So many commands are told at most, once something is typed."""
_STORES = 5
_STORE = 18
"""Columns for the name of a memory's store."""

_AT = re.compile(r"(?:at|as of)\s+(.+)", re.IGNORECASE)
_BACK = "Look at the stores as they were then, to read and not to change."

_BLANK = ((" ", ""),)

Answer = TypeVar("Answer")


class RunCommand(NamedTuple):
    """A command shall be carried out."""

    command: str
    """Its id."""


class GoToMemory(NamedTuple):
    """A memory shall be shown."""

    ref: str


class GoToStore(NamedTuple):
    """A store shall be looked at."""

    path: str
    """Its path; nothing for all stores."""


class LookBack(NamedTuple):
    """The stores shall be shown as they were."""

    day: int
    """The day at whose end, as its ordinal."""


Wanted = RunCommand | GoToMemory | GoToStore | LookBack
"""What the palette comes to."""


class CommandPalette(Popup[Wanted]):
    """Closes with what shall be done."""

    is_wide = True

    def __init__(
        self, listing: Listing, desk: Desk, palette: Palette, today: date
    ) -> None:
        super().__init__("commands", "a command, a memory, a store, at DATE", palette)
        self._today = today
        self._listing = listing
        self._desk = desk
        self._memories: Sequence[Memory] = ()
        self._stores: Sequence[Choice[str]] = ()
        self._store_names = Names()
        self._answered = ""
        self._is_asking = False

    def opened(self) -> None:
        """Commands are at hand; stores are asked for."""
        self.run_worker(self._ask_for_stores)

    def rows(self, typed: str) -> Sequence[Row]:
        """All commands; or, under headings, whatever is like what was typed."""
        if not typed.strip():
            return [_command(entry) for entry in self._listing.possible_first]
        sections = {
            "as of a day": self._day_meant(typed),
            "commands": map(_command, self._listing.similar(typed)[:_COMMANDS]),
            "memories": map(_memory, self._memories if self._answered else ()),
            "stores": self._stores_like(typed),
        }
        return list(_under_headings(sections))

    @property
    def nothing(self) -> str:
        """As long as memories may come, nobody knows."""
        return "Looking…" if self._is_asking else super().nothing

    def changed(self) -> None:
        """Ask for memories, unless an answer is on its way: that asks again."""
        is_new = not self._is_asking
        self._is_asking = True
        self.fill()
        if is_new:
            self.run_worker(self._ask_for_memories)

    async def _ask_for_memories(self) -> None:
        """Ask until what was answered is what is typed."""
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
        """Ask for the stores, with how much is in them."""
        stores = await self._asked(_stores)
        if stores and len(stores) > 1:
            self._stores = stores_menu(stores, ())
            names = (f"{one.title}\n{one.aside}" for one in self._stores)
            self._store_names = Names(names)

    async def _asked(self, question: Callable[[Library], Answer]) -> Answer | None:
        """An answer; nothing where the store has none, as the list will tell."""
        while True:
            try:
                return await self._desk.ask(question)
            except GivenUpError:
                continue
            except RecollectError:
                return None

    def _day_meant(self, typed: str) -> Iterator[Choice[Wanted]]:
        """The day that the stores shall be looked at as of: `at 2026-01-15`."""
        said = _AT.fullmatch(typed.strip())
        days = meant(said[1], self._today) if said else None
        if days is not None:
            day = spelt(days.last)
            yield Choice(
                LookBack(days.last.toordinal()), day, before=_BLANK, detail=_BACK
            )

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


def _stores(library: Library) -> list[StoreReport]:
    return list(library.stores())


def _under_headings(sections: Mapping[str, Iterable[Choice[Wanted]]]) -> Iterator[Row]:
    """Sections that hold anything, each under its name."""
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


def _memory(memory: Memory) -> Choice[Wanted]:
    return Choice(
        GoToMemory(memory.ref),
        memory.title,
        before=[*_BLANK, *at_a_glance(memory)],
        right=[(fitting(told(PurePath(memory.store).name), _STORE), "muted")],
        detail=told(told_of(memory)),
    )
