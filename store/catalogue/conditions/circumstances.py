"""What a query's meaning hangs on beside its text."""

from collections.abc import Mapping

from msgspec import Struct, field


class Circumstances(Struct, frozen=True):
    """What a query's meaning hangs on beside its text."""

    now: int
    """Microseconds since 1970."""
    looked: Mapping[str, int] = field(default_factory=dict[str, int])
    """When somebody last looked at each store, by its path; of a store that is not in
    it everything is new."""
    marked: frozenset[str] = field(default_factory=frozenset[str])
    """The refs of what is marked."""
