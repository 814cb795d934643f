"""How long Claude Code keeps transcripts, as its own settings say.

When it starts it removes the sessions that were last written longer ago than
`cleanupPeriodDays`. It does so in its own folder alone: a copy elsewhere is safe. What
is no number of at least one day it refuses, and then what it does is not foretold.
"""

from pathlib import Path
from typing import cast

import orjson

from store.errors import UnreadableError
from store.private import read_own

DAY = 86_400_000_000
"""Microseconds."""

USUAL = 30
"""Days, where the settings say nothing."""

_WATCHED, _OWN = "projects", ".claude"
_SETTINGS, _KEY = "settings.json", "cleanupPeriodDays"
_LIMIT = 1024 * 1024
_MOST = 36_500_000
"""Days that are still told as an instant; more are for ever."""


def kept_for(store: Path) -> int | None:
    """How many microseconds transcripts are kept; None where nobody removes them."""
    if store.name != _WATCHED:
        return None
    try:
        raw = read_own(store.parent / _SETTINGS, _LIMIT)
    except UnreadableError:
        return None
    if raw is None:
        return USUAL * DAY if store.parent.name == _OWN else None
    return _told(raw)


def _told(raw: bytes) -> int | None:
    try:
        settings: object = orjson.loads(raw)
    except orjson.JSONDecodeError:
        return None
    if not isinstance(settings, dict):
        return None
    days = cast("dict[str, object]", settings).get(_KEY, USUAL)
    if isinstance(days, bool) or not isinstance(days, int | float):
        return None
    return int(days * DAY) if 1 <= days <= _MOST else None
