"""What a key press comes to, where some commands take several keys in a row.

A prefix waits for as long as it takes: there is no moment after which it is forgotten.
"""

from msgspec import Struct

from tui.keys.keymap import Keymap
from tui.keys.names import Keys


class Resolved(Struct, frozen=True):
    """The keys mean a command."""

    command: str
    """Its id."""


class Pending(Struct, frozen=True):
    """The keys begin a chord, and another key is waited for."""

    prefix: Keys
    """What was pressed so far."""


class Nothing(Struct, frozen=True):
    """The key means nothing here."""

    given_up: Keys = ()
    """The prefix that it put an end to; without one the key may be somebody else's."""


Outcome = Resolved | Pending | Nothing


class Chords:
    """Remembers what was pressed until it means something or nothing."""

    def __init__(self, keymap: Keymap) -> None:
        self.keymap = keymap
        self._prefix: Keys = ()

    @property
    def prefix(self) -> Keys:
        """What was pressed so far of a chord; nothing where none was begun."""
        return self._prefix

    def forget(self) -> None:
        """Begin anew, as where another place is turned to."""
        self._prefix = ()

    def press(self, place: str, key: str) -> Outcome:
        """Press a key in a place."""
        prefix, self._prefix = self._prefix, ()
        keys = (*prefix, key)
        meanings = self.keymap.meanings(place)
        if keys in meanings:
            return Resolved(meanings[keys])
        if any(longer[: len(keys)] == keys for longer in meanings):
            self._prefix = keys
            return Pending(keys)
        return Nothing(prefix)
