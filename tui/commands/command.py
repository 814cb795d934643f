"""A command of the browser, with everything that is ever said about it."""

from enum import StrEnum

from msgspec import Struct

from tui.commands.guards import Guard, always
from tui.commands.scopes import Scope


class Group(StrEnum):
    """Under which heading a command is told."""

    MOVING = "moving"
    LOOKING = "looking"
    SEARCHING = "searching"
    MARKING = "marking"
    COPYING = "copying"
    CHANGING = "changing"
    SCREEN = "the screen"
    PROGRAM = "the program"


class Command(Struct, frozen=True, kw_only=True):
    """Something that can be asked for, by a key or by name."""

    id: str
    """Its name in the settings: words joined by hyphens."""
    scope: Scope
    """Where its keys hold."""
    group: Group
    """Under which heading it is told."""
    title: str
    """What it does, in a few words, as the palette lists it."""
    help: str
    """What it does, in a sentence, as the page of keys tells it."""
    keys: tuple[str, ...] = ()
    """Its usual keys; the first is the one that hints tell."""
    hint: str = ""
    """The word for it in the row of hints; nothing where it is not told there."""
    word: str = ""
    """The word for it behind a key that begins a chord, where titles have no room."""
    action: str = ""
    """What is called, with arguments; nothing stands for the id with underscores."""
    guard: Guard = always
    """Says why it is not possible now."""

    @property
    def call(self) -> str:
        """The call that carries it out, as Textual writes actions."""
        return self.action or self.id.replace("-", "_")

    @property
    def handler(self) -> str:
        """The method that carries it out."""
        return f"action_{self.call.partition('(')[0]}"
