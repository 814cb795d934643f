"""The registry of commands; provides hints, key page and palette, and runs commands."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from typing import Protocol, cast

from msgspec import Struct
from textual.actions import parse
from textual.app import App
from textual.dom import DOMNode
from textual.widget import Widget

from store.search.fuzzy import Names
from tui.commands.command import (
    POPUPS,
    SENSELESS,
    Command,
    Group,
    Scope,
    Situation,
    chain,
    places,
)
from tui.commands.table import COMMANDS
from tui.keys import Bound, Keymap, Keys, shown, spelt
from tui.names import COMMANDS as SHELL_COMMANDS

# The registry: only commands that are listed here exist.
#
# A command is added once it works, so that every key and line of help does something.

NEEDED = frozenset({"step-back", "quit", "palette"})
"""Commands that always need a key: the ways out, and the palette."""


class Registry(Struct, frozen=True, dict=True):
    """All commands, with lookups by id and scope."""

    commands: tuple[Command, ...]
    """The commands; those of one scope are in display order."""

    def command(self, command_id: str) -> Command:
        """The command with an id."""
        return self._by_id[command_id]

    def in_scope(self, scope: Scope) -> tuple[Command, ...]:
        """The commands available in a scope, its own first."""
        return tuple(
            command
            for holding in chain(scope)
            for command in self.commands
            if command.scope is holding
        )

    @cached_property
    def usual_keys(self) -> Keymap:
        """The default keys."""
        bound = (
            Bound(command.id, command.scope, tuple(map(spelt, command.keys)))
            for command in self.commands
        )
        return Keymap.of(bound, places())

    @cached_property
    def _by_id(self) -> dict[str, Command]:
        return {command.id: command for command in self.commands}


REGISTRY = Registry(COMMANDS)
"""The commands of the browser."""


# Commands with their current keys, as displayed on this terminal.


class Keyed(Struct, frozen=True):
    """Commands and their keys, for hints, help and palette."""

    registry: Registry
    """The commands."""
    keymap: Keymap
    """Their keys, including the user's."""
    in_ascii: bool = False
    """Whether the terminal shows only ASCII."""

    def keys(self, scope: Scope, command: Command) -> tuple[str, ...]:
        """The keys of a command in a scope, as displayed."""
        return tuple(map(self.look, self.keymap.keys_in(scope, command.id)))

    def look(self, keys: Keys) -> str:
        """Keys as displayed."""
        return shown(keys, in_ascii=self.in_ascii)


# Continuations of a chord, shown while the next key is awaited.


class Following(Struct, frozen=True):
    """The remaining keys of a chord, and their command."""

    key: str
    """The remaining keys, as displayed."""
    title: str
    """The title of the command."""
    why_not: str | None
    """Why the command is not possible; None if it is."""
    word: str = ""
    """A short word, if the title does not fit."""


def following(
    keyed: Keyed, scope: Scope, situation: Situation, prefix: Keys
) -> tuple[Following, ...]:
    """The continuations of a prefix, sorted by key."""
    chords = {
        keys[len(prefix) :]: keyed.registry.command(command)
        for keys, command in keyed.keymap.meanings(scope).items()
        if keys[: len(prefix)] == prefix
    }
    return tuple(
        Following(
            keyed.look(rest), command.title, command.guard(situation), command.word
        )
        for rest, command in sorted(chords.items(), key=lambda chord: chord[0])
    )


# The row of hints: the most useful keys, as many as fit.

GAP = 2
"""Columns between two hints."""

_SOON = frozenset({"read", "filter"})
"""Commands that are useful in every list."""

_DECIDE = frozenset({"pin", "edit", "tag", "merge", "archive"})
"""Commands that are useful in a review, in addition to those of its scope."""

_SIDES = ("previous-tab", "next-tab")
"""Commands with one hint for both, where the tabs are."""

_LAST = ("palette", "keys")
"""Commands always shown last: they lead to all others."""


class Hint(Struct, frozen=True):
    """A key and its word in the row of hints."""

    key: str
    """The key, as displayed."""
    word: str
    """The word for its command."""
    is_possible: bool
    """Whether the command is possible now."""

    @property
    def width(self) -> int:
        """Its width in columns."""
        return len(self.key) + 1 + len(self.word)


def hints(
    keyed: Keyed, scope: Scope, situation: Situation, width: int
) -> tuple[Hint, ...]:
    """The hints that fit into a width, ordered by relevance."""
    told = {
        command.id: Hint(
            _key_told(keyed, scope, command, keys[0]),
            f"{'un' * (command.id in situation.reverses)}{command.hint}",
            command.guard(situation) is None,
        )
        for command in sorted(
            keyed.registry.in_scope(scope), key=lambda one: _rank(one, scope)
        )
        if command.hint and (keys := keyed.keys(scope, command))
        if command.guard(situation) != SENSELESS
        if scope is Scope.READER or command.id not in _SIDES
        if situation.has_record or not command.guard(situation) or scope in POPUPS
    }
    if scope is Scope.QUESTION:
        return ()  # it shows its answers itself
    last = [told.pop(command) for command in _LAST if command in told]
    if scope in POPUPS:
        last = [_close(keyed, scope)]
    fitting: list[Hint] = []
    room = width - _width(last)
    for hint in told.values():
        if _width([*fitting, hint]) + GAP > room:
            break
        fitting.append(hint)
    return (*fitting, *last)


def _key_told(keyed: Keyed, scope: Scope, command: Command, key: str) -> str:
    """The key of a hint; for the next tab, the key of the previous one before it."""
    if command.id not in _SIDES:
        return key
    before = keyed.keys(scope, keyed.registry.command(_SIDES[0]))
    return " ".join([*before[:1], key])


def _close(keyed: Keyed, scope: Scope) -> Hint:
    """The hint for closing a popup."""
    step_back = keyed.registry.command("step-back")
    key = next(iter(keyed.keys(scope, step_back)), "")
    return Hint(key, "close", is_possible=True)


def _rank(command: Command, scope: Scope) -> int:
    """The order of a command: the scope's own first, then common ones, then others."""
    is_own = command.scope is scope or (scope is Scope.READER and command.id in _SIDES)
    if scope is Scope.REVIEW and not is_own:
        return 1 if command.id == "leave" else 3 - (command.id in _DECIDE)
    return 0 if is_own else 2 - (command.id in _SOON)


def _width(row: list[Hint]) -> int:
    """The width of several hints in a row."""
    return sum(hint.width for hint in row) + GAP * max(len(row) - 1, 0)


# Commands as lines, for the palette and the page of keys.


class Entry(Struct, frozen=True):
    """A command with its current keys."""

    command: str
    """The id of the command."""
    group: str
    """Its heading."""
    title: str
    """A few words."""
    help: str
    """A sentence."""
    keys: tuple[str, ...]
    """Its keys in this scope, as displayed."""
    why_not: str | None
    """Why it is not possible; None if it is."""
    names: tuple[str, ...] = ()
    """The words of its id, and its synonyms; none if only its title finds it."""


class Listing:
    """The commands of a scope, to read or to search."""

    def __init__(self, keyed: Keyed, scope: Scope, situation: Situation) -> None:
        self.entries: Sequence[Entry] = tuple(
            Entry(
                command.id,
                command.group,
                command.title,
                command.help,
                keyed.keys(scope, command),
                command.guard(situation),
                () if command.is_destructive else command.names,
            )
            for command in keyed.registry.in_scope(scope)
        )
        """All of them, those of the innermost scope first."""
        self._by_id = {entry.command: entry for entry in self.entries}
        self._searched = (*self.entries, *_only_in_a_shell(keyed.registry))
        self._loose = [entry for entry in self.entries if entry.names]
        self._names = Names(
            f"{entry.title} {' '.join(entry.names)}" for entry in self._loose
        )

    def grouped(self) -> Sequence[tuple[str, Sequence[Entry]]]:
        """The entries by heading, in the order of `Group`."""
        under = {group: list[Entry]() for group in Group}
        for entry in self.entries:
            under[Group(entry.group)].append(entry)
        return [(group, entries) for group, entries in under.items() if entries]

    def named(self, commands: Iterable[str]) -> Sequence[Entry]:
        """The entries with some ids, those that exist here."""
        return [self._by_id[one] for one in commands if one in self._by_id]

    @property
    def possible_first(self) -> Sequence[Entry]:
        """All entries: possible ones first, and motions after other commands.

        Motions are used by key; the palette is searched for something else.
        """
        return sorted(self.entries, key=_late)

    def similar(self, typed: str) -> Sequence[Entry]:
        """The entries that match a key, a title, a synonym or a help text, best first.

        Only if there are none, those with a title or synonym like what was typed.
        """
        words = typed.casefold().split()
        if not words:
            return self.entries
        ranks = {
            entry.command: 0 if typed.strip() in entry.keys else _nearness(entry, words)
            for entry in self._searched
        }
        found = [entry for entry in self._searched if ranks[entry.command] <= _FAR]
        return sorted(found, key=lambda entry: ranks[entry.command]) or [
            self._loose[near.position]
            for near in self._names.similar(words, len(self._loose))
        ]


_FAR = 7
"""The rank of entries that only the help finds; those after it do not match."""


def _nearness(entry: Entry, words: Sequence[str]) -> int:
    """The rank of an entry: what is meant by the words comes before what has them."""
    typed, title = " ".join(words), entry.title.casefold()
    parts = (*title.split(), *entry.names)
    ranks = (
        typed == title,
        typed in entry.names and typed in title,
        typed in entry.names,
        title.startswith(typed),
        all(any(part.startswith(word) for part in parts) for word in words),
        all(any(word in part for part in parts) for word in words),
        bool(entry.names) and all(word in entry.help.casefold() for word in words),
    )
    return next((rank for rank, holds in enumerate(ranks, 1) if holds), _FAR + 1)


def _only_in_a_shell(registry: Registry) -> Iterator[Entry]:
    """The commands of the command line that the browser has no command for."""
    known = {name for command in registry.commands for name in command.names}
    for one in SHELL_COMMANDS:
        if one.name not in known:
            title = f"recollect {one.name}"
            why_not = f"Run `{title}` in a shell."
            yield Entry(title, Group.PROGRAM, title, one.help, (), why_not, (one.name,))


def _late(entry: Entry) -> tuple[bool, bool]:
    return entry.why_not is not None, entry.group == Group.MOVING


# Running a command, in the nearest pane that supports it or in a part of the browser.


class Composed(Protocol):
    """An application that is composed of parts."""

    async def carry_out(self, command: Command, arguments: Sequence[object]) -> None:
        """Run a command that is a method of one of its parts."""
        ...


async def obey(app: App[None], command: Command, situation: Situation) -> str | None:
    """Run a command; returns the reason if it is not possible.

    The handler is searched from the focused pane outwards, so that one command can act
    on the list or on the reader. If no pane has it, a part of the browser does it.
    """
    why_not = command.guard(situation)
    if why_not is not None:
        return why_not
    node = _handling(app, command.handler)
    if command.method and node is app:
        _, _, arguments = parse(command.call)
        await cast("Composed", app).carry_out(command, arguments)
    else:
        await app.run_action(command.call, node)
    return None


def _handling(app: App[None], handler: str) -> DOMNode:
    """The innermost focused node that has a handler; the app if none has.

    What all widgets of Textual have, such as `action_page_down`, is not a handler.
    """
    if hasattr(Widget, handler):
        return app
    focused = app.focused
    nodes: Iterable[DOMNode] = (
        focused.ancestors_with_self if focused else (app.screen, app)
    )
    return next((node for node in nodes if hasattr(node, handler)), app)
