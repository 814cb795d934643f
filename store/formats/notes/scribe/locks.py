"""Claude Code's mark that it consolidates memories: while it is fresh, all wait."""

from store.errors import UnreadableError
from store.files.beneath import Root

LOCK = ".consolidate-lock"

HELD = 3600.0
"""Seconds after which it counts no more."""

_NANOS_A_MICRO = 1000


def is_fresh(root: Root, now: int) -> bool:
    """Whether there is such a mark that still counts."""
    try:
        entries = root.entries()
    except UnreadableError:
        return False
    stamps = (entry.stamp for entry in entries if entry.name == LOCK)
    ages = (now - stamp.mtime_ns // _NANOS_A_MICRO for stamp in stamps)
    return any(age < HELD * 1_000_000 for age in ages)
