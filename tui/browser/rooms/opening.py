"""Which room belongs to which kind of record."""

from tui.browser.rooms.graph import EdgeRoom, MemoryRoom
from tui.browser.rooms.room import Room

_ROOMS: dict[str, type[Room]] = {"memories": MemoryRoom, "edges": EdgeRoom}


def room_of(kind: str) -> Room:
    """The room of a kind; a list and nothing else where it has none of its own."""
    return _ROOMS.get(kind, Room)(kind)
