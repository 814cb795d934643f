"""What whoever has a file replaced does for it meanwhile."""

from collections.abc import Callable

from msgspec import Struct


class Care(Struct, frozen=True):
    """Two things that only the caller can do: it knows where its own files lie."""

    put_away: Callable[[int, str], None]
    """Takes a name out of an open folder; the file is looked at later once more, for
    somebody may still have it open."""
    before_overwriting: Callable[[], None]
    """Called when a file cannot be replaced at once: from now on it may be torn."""
