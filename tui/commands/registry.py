"""The register of commands: what is not entered here cannot be asked for.

A command is entered once it works, so that no key and no line of help promises more
than there is.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from tui.commands.command import Command
from tui.commands.scopes import Scope, chain, places
from tui.commands.tables import (
    app,
    changes,
    edges,
    episodes,
    everywhere,
    facets,
    journals,
    links,
    lists,
    memories,
    past,
    popup,
    problems,
    query,
    question,
    reader,
    record,
    review,
    rows,
    timeline,
    transcript,
    writing,
)
from tui.keys.keymap import Bound, Keymap
from tui.keys.names import spelt

NEEDED = frozenset({"step-back", "quit", "palette"})
"""The commands that always keep a key: the ways out, and to everything else."""


@dataclass(frozen=True)
class Registry:
    """Commands, and what follows from them."""

    commands: tuple[Command, ...]
    """All of them, those of one scope in the order in which they are told."""

    @classmethod
    def of(cls, *tables: Iterable[Command]) -> "Registry":
        """The register of these tables."""
        return cls(tuple(command for table in tables for command in table))

    def command(self, command_id: str) -> Command:
        """The command that goes by an id."""
        return self._by_id[command_id]

    def in_scope(self, scope: Scope) -> tuple[Command, ...]:
        """What can be asked for in a scope, its own commands first."""
        return tuple(
            command
            for holding in chain(scope)
            for command in self.commands
            if command.scope is holding
        )

    @cached_property
    def usual_keys(self) -> Keymap:
        """The keys as long as the user wants no others."""
        bound = (
            Bound(command.id, command.scope, tuple(map(spelt, command.keys)))
            for command in self.commands
        )
        return Keymap.of(bound, places())

    @cached_property
    def _by_id(self) -> dict[str, Command]:
        return {command.id: command for command in self.commands}


REGISTRY = Registry.of(
    memories.COMMANDS,
    edges.COMMANDS,
    problems.COMMANDS,
    timeline.COMMANDS,
    journals.COMMANDS,
    episodes.COMMANDS,
    reader.COMMANDS,
    transcript.COMMANDS,
    links.COMMANDS,
    facets.COMMANDS,
    lists.COMMANDS,
    review.COMMANDS,
    changes.COMMANDS,
    record.COMMANDS,
    past.COMMANDS,
    rows.COMMANDS,
    app.COMMANDS,
    query.COMMANDS,
    popup.COMMANDS,
    question.COMMANDS,
    writing.COMMANDS,
    everywhere.COMMANDS,
)
"""The commands of the browser."""
