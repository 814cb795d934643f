"""What a query's meaning hangs on beside its text."""

from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a query's meaning hangs on beside its text."""

    now: int
    """Microseconds since 1970."""
    looked: int | None = None
    """When somebody last looked, if ever."""
    marked: frozenset[str] = field(default_factory=frozenset[str])
    """The refs of what is marked."""
