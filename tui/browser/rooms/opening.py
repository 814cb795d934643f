"""Which room belongs to which kind of record; each is loaded by who enters it."""

from tui.browser.rooms.room import Room


def room_of(kind: str) -> Room:
    """The room of a kind; a list and nothing else where it has none of its own."""
    return _class_of(kind)(kind)


def _class_of(kind: str) -> type[Room]:
    match kind:
        case "memories":
            from tui.browser.rooms.graph import MemoryRoom as Its
        case "edges":
            from tui.browser.rooms.graph import EdgeRoom as Its
        case "problems":
            from tui.browser.rooms.health import HealthRoom as Its
        case "episodes":
            from tui.browser.rooms.episodes.room import EpisodeRoom as Its
        case "conversations":
            from tui.browser.rooms.timeline.room import TimelineRoom as Its
        case "measures" | "events" | "agents":
            from tui.browser.rooms.journals.room import JournalRoom as Its
        case _:
            return Room
    return Its
