"""Why a change is not made: small errors whose message is what the user reads."""

from store.errors import RecollectError


class NotPossibleError(RecollectError):
    """The format has no such change, or the record is not fit for it."""


class ChangedOnDiskError(RecollectError):
    """A file is not what it was when it was read; nothing was written."""

    exit_code = 3


class LockedError(RecollectError):
    """Another program holds the store; nothing was written."""

    exit_code = 3


class ReadOnlyError(RecollectError):
    """The store, or this whole session, is read-only."""

    exit_code = 4


class NotWrittenError(RecollectError):
    """The system would not write; what was there still is."""
