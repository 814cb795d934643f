"""Which room belongs to which kind of record."""

from tui.browser.rooms.episodes.room import EpisodeRoom
from tui.browser.rooms.graph import EdgeRoom, MemoryRoom
from tui.browser.rooms.health import HealthRoom
from tui.browser.rooms.journals.room import JournalRoom
from tui.browser.rooms.room import Room
from tui.browser.rooms.timeline.room import TimelineRoom

_ROOMS: dict[str, type[Room]] = {
    "memories": MemoryRoom,
    "edges": EdgeRoom,
    "problems": HealthRoom,
    "episodes": EpisodeRoom,
    "conversations": TimelineRoom,
    "measures": JournalRoom,
    "events": JournalRoom,
    "agents": JournalRoom,
}


def room_of(kind: str) -> Room:
    """The room of a kind; a list and nothing else where it has none of its own."""
    return _ROOMS.get(kind, Room)(kind)
