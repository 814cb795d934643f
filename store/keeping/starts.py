"""How often the browser was started, so that it can stop explaining itself."""

from pathlib import Path

from store.errors import UnreadableError
from store.places import Places
from store.private import only_writer, read_own, replace_own

_LONGEST = 20
"""How many digits a count has at most, and a line feed."""

_MOST = 1_000_000
"""Nobody counts further."""


def starts(places: Places) -> int:
    """How often it was started; who cannot be told is not new here."""
    try:
        raw = read_own(_file(places), _LONGEST)
    except UnreadableError:
        return _MOST
    text = b"0" if raw is None else raw.strip()
    return min(int(text), _MOST) if text.isdigit() else _MOST


def count_start(places: Places) -> int:
    """Count one more, and answer how many that makes; raises NotWrittenError."""
    with only_writer(places.state):
        count = min(starts(places) + 1, _MOST)
        replace_own(_file(places), b"%d\n" % count)
    return count


def _file(places: Places) -> Path:
    return places.state / "starts"
