"""Commands as lines to choose from or to read: what palette and page of keys list."""

from collections.abc import Sequence

from msgspec import Struct

from store.search.fuzzy.names import Names
from tui.commands.command import Group
from tui.commands.keyed import Keyed
from tui.commands.scopes import Scope
from tui.commands.situation import Situation


class Entry(Struct, frozen=True):
    """A command, with its keys of today."""

    command: str
    """Its id."""
    group: str
    """Under which heading it stands."""
    title: str
    """What it does, in a few words."""
    help: str
    """What it does, in a sentence."""
    keys: tuple[str, ...]
    """Its keys that hold here, as they look."""
    why_not: str | None
    """Why it is not possible now; None where it is."""


class Listing:
    """What can be asked for in a scope, to be read through or searched."""

    def __init__(self, keyed: Keyed, scope: Scope, situation: Situation) -> None:
        self.entries: Sequence[Entry] = tuple(
            Entry(
                command.id,
                command.group,
                command.title,
                command.help,
                keyed.keys(scope, command),
                command.guard(situation),
            )
            for command in keyed.registry.in_scope(scope)
        )
        """All of them, those that hold nowhere else first."""
        self._names = Names(f"{entry.title}\n{entry.help}" for entry in self.entries)

    def grouped(self) -> Sequence[tuple[str, Sequence[Entry]]]:
        """The entries under their headings, how one moves before all else."""
        under = {group: list[Entry]() for group in Group}
        for entry in self.entries:
            under[Group(entry.group)].append(entry)
        return [(group, entries) for group, entries in under.items() if entries]

    @property
    def possible_first(self) -> Sequence[Entry]:
        """All of them, moving after the rest, what is not possible now at the end.

        Who moves does it by keys; who looks for a command looks for something else.
        """
        return sorted(self.entries, key=_late)

    def similar(self, typed: str) -> Sequence[Entry]:
        """What a word may mean, the best first: a key, a title, or what help says."""
        if not typed.strip():
            return self.entries
        named = [
            self.entries[near.position]
            for near in self._names.similar(typed.split(), len(self.entries))
        ]
        with_key = [entry for entry in self.entries if typed.strip() in entry.keys]
        return [*with_key, *(entry for entry in named if entry not in with_key)]


def _late(entry: Entry) -> tuple[bool, bool]:
    return entry.why_not is not None, entry.group == Group.MOVING
