"""The rooms of the graph: memories, and the edges between them."""

from tui.browser.rooms.room import Room
from tui.commands.scopes import Scope


class MemoryRoom(Room):
    """Memories."""

    holding = Scope.MEMORIES


class EdgeRoom(Room):
    """Edges."""

    holding = Scope.EDGES
