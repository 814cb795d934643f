"""Why a change is not made: small errors whose message is what the user reads."""

from collections.abc import Sequence

from store.edits.conflict import Conflict
from store.errors import RecollectError


class NotPossibleError(RecollectError):
    """The format has no such change, or the record is not fit for it."""


class UnknownKindError(NotPossibleError):
    """What is to be added, or made anew, is nothing that the format knows."""


class ChangedOnDiskError(RecollectError):
    """A file is not what it was when it was read; nothing was written."""

    exit_code = 3

    def __init__(self, message: str, conflicts: Sequence[Conflict] = ()) -> None:
        super().__init__(message)
        self.conflicts = tuple(conflicts)
        """What there was, what there is, and what was wanted, file by file."""


class LockedError(RecollectError):
    """Another program holds the store; nothing was written."""

    exit_code = 3


class ReadOnlyError(RecollectError):
    """The store, or this whole session, is read-only."""

    exit_code = 4


class NotWrittenError(RecollectError):
    """The system would not write; what was there still is."""


class BackupLostError(RecollectError):
    """Bytes that should have been kept are gone or damaged."""
