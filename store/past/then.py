"""What is known of a store as it was at a time, for whoever reads it."""

from pathlib import Path

from msgspec import Struct


class Then(Struct, frozen=True):
    """A store at a time: files made anew, files not there, all others as they are."""

    at: int
    """The time, in microseconds since 1970."""
    mirror: Path
    """The folder in which files lie that were other than they are."""
    mirrored: frozenset[str]
    """Those files, relative to the store."""
    absent: frozenset[str]
    """The files that were not there then."""
