"""An episode: one entry of a daily log."""

from msgspec import Struct


class Episode(Struct, frozen=True, kw_only=True):
    """What happened at one time of one day."""

    ref: str
    """Names the episode for every other command."""
    store: str
    """The absolute path of the store's root."""
    date: str
    """The day, as YYYY-MM-DD."""
    time: str | None
    """The time of day, as written."""
    title: str
    """What the entry is called."""
    type: str | None
    """What kind of memory it tells of."""
    tags: tuple[str, ...]
    """Its tags, in the order of the file."""
    summary: str | None
    """What happened."""
    memory: str | None
    """The ref of the memory that its link leads to; null when there is none."""
    link: str | None
    """The link, as written."""
    path: str
    """The file that it is in, relative to the store."""
    line: int
    """The line it starts at."""
