"""Why a lock was not got."""

from store.errors import RecollectError


class HeldError(RecollectError):
    """Somebody else holds the lock, and did not let go in time."""
