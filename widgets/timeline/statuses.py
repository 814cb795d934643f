"""Where conversations stand, as glyphs: nothing is told by colour alone."""

from typing import NamedTuple

from store.clean import clean


class Status(NamedTuple):
    """What a status looks like."""

    glyph: str
    tone: str
    bar: str
    """The tone of the block."""


STATUSES = {
    "active": Status("▶", "active", "active"),
    "ready": Status("◆", "vault", "arrow"),
    "queued": Status("◐", "fading", "fading"),
    "processing": Status("↻", "fading", "fading"),
    "review": Status("✎", "warning", "warning"),
    "archived": Status("✓", "ok", "muted"),
    "skipped": Status("∅", "faint", "faint"),
}
"""All of them, in the order of a conversation's life."""

_UNKNOWN = Status("?", "muted", "muted")


def status_of(word: str) -> Status:
    """What a status looks like; one that is not known is a question."""
    return STATUSES.get(word, _UNKNOWN)


def status_told(word: str) -> str:
    """The word of a status, fit to stand in a cell."""
    return clean(word)
