"""The present moment, written as a memory's writer writes moments."""

from store.files.moments import moment_like
from store.findings import Json


def instant_like(like: Json, now: int) -> str:
    """An instant in microseconds since 1970, with the zone and precision of another.

    Whole seconds in UTC, which is what the format shows, where there is none.
    """
    return moment_like(like if isinstance(like, str) else None, now, "Z")
