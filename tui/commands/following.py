"""What can follow a key that begins a chord: shown while another key is waited for."""

from msgspec import Struct

from tui.commands.keyed import Keyed
from tui.commands.scopes import Scope
from tui.commands.situation import Situation
from tui.keys.names import Keys


class Following(Struct, frozen=True):
    """Keys that may come next, and what they would do."""

    key: str
    """The rest of the chord as it looks."""
    title: str
    """What it does."""
    why_not: str | None
    """Why it is not possible now; None where it is."""
    word: str = ""
    """What it does, where there is no room for its title."""


def following(
    keyed: Keyed, scope: Scope, situation: Situation, prefix: Keys
) -> tuple[Following, ...]:
    """All that may follow a prefix, in the order of keys."""
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
