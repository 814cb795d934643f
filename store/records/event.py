"""An event: something that happened in a session of an agent."""

from msgspec import Struct


class Event(Struct, frozen=True, kw_only=True):
    """What a line of a trace or of a journal tells of."""

    ref: str
    """Names the event for every other command."""
    store: str
    """The absolute path of the store's root."""
    session: str | None
    """The session that it happened in."""
    at: str | None
    """When it happened."""
    kind: str
    """What kind of line tells of it."""
    tool: str | None
    """The tool that was used."""
    file_path: str | None
    """The file that it was used on."""
    is_error: bool
    """Whether it went wrong."""
    event_class: str
    """What class of event it is."""
    message: str | None
    """What it says."""
    path: str
    """The file that tells of it, relative to the store."""
    line: int
    """The line or row that it stands on."""
