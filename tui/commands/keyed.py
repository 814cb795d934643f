"""Commands with the keys that they have today, and how those look on this terminal."""

from msgspec import Struct

from tui.commands.command import Command
from tui.commands.registry import Registry
from tui.commands.scopes import Scope
from tui.keys.keymap import Keymap
from tui.keys.names import Keys, shown


class Keyed(Struct, frozen=True):
    """What hints, help and palette tell of."""

    registry: Registry
    """The commands."""
    keymap: Keymap
    """Their keys, the user's own included."""
    in_ascii: bool = False
    """Whether the terminal shows nothing but ASCII."""

    def keys(self, scope: Scope, command: Command) -> tuple[str, ...]:
        """How the keys of a command look that hold in a scope."""
        return tuple(map(self.look, self.keymap.keys_in(scope, command.id)))

    def look(self, keys: Keys) -> str:
        """How keys look."""
        return shown(keys, in_ascii=self.in_ascii)
