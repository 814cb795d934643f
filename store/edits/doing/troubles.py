"""What went wrong, as the errors that the user reads."""

from collections.abc import Sequence

from store.edits.conflict import Conflict
from store.edits.refusals import ChangedOnDiskError, LockedError, NotWrittenError
from store.errors import RecollectError
from store.files.replacing import BusyError, ForeignError, ProtectedError

_NOTHING = "nothing was written."


def changed_on_disk(
    conflicts: Sequence[Conflict], path: str = ""
) -> ChangedOnDiskError:
    """The refusal that names the files; where none is compared, the one at `path`."""
    return ChangedOnDiskError(f"{_told(conflicts, path)}; {_NOTHING}", conflicts)


def translated(
    error: OSError | RecollectError, conflicts: Sequence[Conflict] = ()
) -> RecollectError:
    """The sentences for an error after which nothing is done, in the usual family."""
    if isinstance(error, ForeignError):
        return changed_on_disk(conflicts, error.path)
    if isinstance(error, BusyError):
        return LockedError(f"{error} {_NOTHING.capitalize()}")
    if isinstance(error, ProtectedError):
        return NotWrittenError(f"{error} {_NOTHING.capitalize()}")
    if isinstance(error, OSError):
        return NotWrittenError(f"{reason(error)} All is as it was.")
    return error


def reason(error: OSError | RecollectError, conflicts: Sequence[Conflict] = ()) -> str:
    """What went wrong, as a sentence that does not say what is left of it."""
    if isinstance(error, ForeignError):
        return f"{_told(conflicts, error.path)}."
    if isinstance(error, OSError):
        strange = error.strerror or type(error).__name__
        return f"It cannot be written: {strange}."
    return str(error)


def _told(conflicts: Sequence[Conflict], path: str) -> str:
    paths = [conflict.path for conflict in conflicts] or [path]
    names = ", ".join(map(repr, filter(None, paths))) or "a file"
    return f"Another program has changed {names} meanwhile"
