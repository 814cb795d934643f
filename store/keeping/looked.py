"""When the user last looked, so that what came since can be told from the rest."""

from pathlib import Path

from store.errors import UnreadableError
from store.places import Places
from store.private import read_own, replace_own

_LONGEST = 20
"""How many digits an instant has at most, and a line feed."""


def last_look(places: Places) -> int | None:
    """The last look in microseconds since 1970; None where there was none."""
    try:
        text = (read_own(_file(places), _LONGEST) or b"").strip()
    except UnreadableError:
        return None
    return int(text) if text.isdigit() else None


def look(places: Places, now: int) -> None:
    """Remember that the user looks; raises NotWrittenError."""
    replace_own(_file(places), b"%d\n" % now)


def _file(places: Places) -> Path:
    return places.state / "looked"
