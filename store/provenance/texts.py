"""The text of a file as it is now."""

from pathlib import Path

from store.derive.whereabouts import Placed
from store.errors import UnreadableError
from store.files.beneath import Root
from store.provenance.replay import plain

_BINARY = b"\0"


def text_now(place: Placed) -> str:
    """What a file says now; raises UnreadableError."""
    with Root(Path(place.store)) as root:
        blob = root.read(place.path)
    if _BINARY in blob.raw or not blob.whole:
        raise UnreadableError(f"{place.path} is no text, or too long to be compared.")
    return plain(blob.raw.decode("utf-8", "surrogateescape"))


def moment_now(place: Placed) -> int | None:
    """When a file was changed last, in microseconds since 1970."""
    try:
        return (Path(place.store) / place.path).stat().st_mtime_ns // 1000
    except OSError:
        return None
