"""What went wrong, as the errors that the user reads."""

from collections.abc import Sequence

from store.edits.conflict import Conflict
from store.edits.refusals import ChangedOnDiskError, LockedError, NotWrittenError
from store.errors import RecollectError
from store.files.replacing import BusyError, ForeignError, ProtectedError


def changed_on_disk(
    conflicts: Sequence[Conflict], path: str = ""
) -> ChangedOnDiskError:
    """The refusal that names the files; where none is compared, the one at `path`."""
    paths = [conflict.path for conflict in conflicts] or [path]
    told = ", ".join(map(repr, filter(None, paths))) or "a file"
    sentence = f"Another program has changed {told} meanwhile; nothing was written."
    return ChangedOnDiskError(sentence, conflicts)


def translated(
    error: OSError | RecollectError, conflicts: Sequence[Conflict] = ()
) -> RecollectError:
    """The sentence for an error, in the family that a change may fail with."""
    if isinstance(error, ForeignError):
        return changed_on_disk(conflicts, error.path)
    if isinstance(error, BusyError):
        return LockedError(f"{error} Nothing was written.")
    if isinstance(error, ProtectedError):
        return NotWrittenError(f"{error} Nothing was written.")
    if isinstance(error, OSError):
        reason = error.strerror or type(error).__name__
        return NotWrittenError(f"It cannot be written: {reason}. All is as it was.")
    return error
