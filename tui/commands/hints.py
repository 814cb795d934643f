"""The row of hints: the keys that one wants most, as many of them as there is room."""

from msgspec import Struct

from tui.commands.command import Command
from tui.commands.guards import SENSELESS
from tui.commands.keyed import Keyed
from tui.commands.scopes import Scope
from tui.commands.situation import Situation

GAP = 2
"""Columns between two hints."""

_SOON = frozenset({"read", "filter"})
"""What one wants in every list."""

_DECIDE = frozenset({"pin", "edit", "tag", "merge", "archive"})
"""What one wants in a review, besides what is particular to it."""

_OVER = frozenset({Scope.POPUP, Scope.QUESTION, Scope.WRITING})
"""What lies over the screen."""

_LAST = ("palette", "keys")
"""What stands at the end, whatever else there is room for: the ways to all the rest."""


class Hint(Struct, frozen=True):
    """A key and a word."""

    key: str
    """The key as it looks."""
    word: str
    """What it does."""
    is_possible: bool
    """Whether it would do it now."""

    @property
    def width(self) -> int:
        """How many columns it takes."""
        return len(self.key) + 1 + len(self.word)


def hints(
    keyed: Keyed, scope: Scope, situation: Situation, width: int
) -> tuple[Hint, ...]:
    """What fits into a width, the nearest first and the ways to all the rest last."""
    told = {
        command.id: Hint(
            keys[0],
            command.hint,
            command.guard(situation) is None,
        )
        for command in sorted(
            keyed.registry.in_scope(scope), key=lambda one: _rank(one, scope)
        )
        if command.hint and (keys := keyed.keys(scope, command))
        if command.guard(situation) != SENSELESS
    }
    last = [told.pop(command) for command in _LAST if command in told]
    if scope in _OVER:
        last = [_close(keyed, scope)]
    fitting: list[Hint] = []
    room = width - _width(last)
    for hint in told.values():
        if _width([*fitting, hint]) + GAP > room:
            break
        fitting.append(hint)
    return (*fitting, *last)


def _close(keyed: Keyed, scope: Scope) -> Hint:
    """How to get out of what lies over the screen; nothing opens over that."""
    step_back = keyed.registry.command("step-back")
    key = next(iter(keyed.keys(scope, step_back)), "")
    return Hint(key, "close", is_possible=True)


def _rank(command: Command, scope: Scope) -> int:
    """What is particular to a place comes first, then what one wants everywhere."""
    if command.scope is scope or (scope is Scope.REVIEW and command.id in _DECIDE):
        return 0
    return 1 if command.id in _SOON else 2


def _width(row: list[Hint]) -> int:
    """How many columns hints take beside one another."""
    return sum(hint.width for hint in row) + GAP * max(len(row) - 1, 0)
