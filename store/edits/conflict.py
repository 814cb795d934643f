"""Conflicts: another program holds, or has changed, what a change would write."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from store import errors
from store.derive import texts
from store.edits.draft import FileStep, Shown, Stage, Step
from store.files.writable import BusyError, ForeignError, ProtectedError, is_protected

if TYPE_CHECKING:
    from store.edits.backups import Workspace
    from store.edits.deeds import Deed
    from store.records.reports import Past


# Conflicting changes of two programs to the same file.


class Conflict(Struct, frozen=True, kw_only=True):
    """The versions of one file; None where it does not exist."""

    root: Path
    """Its store."""
    path: str
    """The file, relative to its store; a row of a database as `file:table`."""
    base: bytes | None
    """What both programs started from."""
    ours: bytes | None
    """What this program would write."""
    theirs: bytes | None
    """The current content."""
    shown: Shown | None = None
    """What users see instead of these bytes, if they contain a secret."""

    @property
    def diff(self) -> str:
        """What the other program changed, as a unified diff."""
        before, after = self.text(self.base), self.text(self.theirs)
        return texts.difference(self.path, before, after) or texts.hidden(self.path)

    def text(self, raw: bytes | None) -> str | None:
        """One of the versions as users see it."""
        if raw is None:
            return None
        shown = raw if self.shown is None else self.shown(raw)
        return shown.decode("utf-8", "surrogateescape")


def conflicts_of(deeds: "Iterable[Deed]", workspace: "Workspace") -> list[Conflict]:
    """The files that another program has changed, as far as they can be read."""
    found: list[Conflict] = []
    for deed in deeds:
        with suppress(OSError, errors.RecollectError):
            if not deed.is_optional and deed.stage(workspace) is Stage.FOREIGN:
                found += [
                    Conflict(
                        root=deed.root,
                        path=seen.path,
                        base=seen.before,
                        ours=seen.after,
                        theirs=seen.now,
                    )
                    for seen in deed.versions(workspace)
                    if seen.now != seen.before
                ]
    return found


# Why a change is not made; the messages are shown to the user.


class ChangedOnDiskError(errors.RecollectError):
    """A file has changed since it was read; nothing was written."""

    exit_code = 3

    def __init__(self, message: str, conflicts: Sequence[Conflict] = ()) -> None:
        super().__init__(message)
        self.conflicts = tuple(conflicts)
        """The three versions of each changed file."""


class HalfDoneError(ChangedOnDiskError):
    """A change was made only in part, because another program wrote to its files."""

    def __init__(
        self, message: str, conflicts: Sequence[Conflict] = (), change: str = ""
    ) -> None:
        super().__init__(f"{message} {how_to_resolve(change)}", conflicts)
        self.change = change
        """The id of the change, for `resolve`."""


HALF_DONE = "half-done"
"""The name of such a change in `doctor` and `history`."""


def half_done(past: "Past", paths: Sequence[str]) -> str:
    """A message that says what happened to a half-done change and how to resolve it.

    `paths` are the files that the other program wrote to, if known.
    """
    files = ", ".join(paths or past.paths)
    return (
        f"“{past.action}” is half done: another program has changed {files}. "
        f"{how_to_resolve(past.change)}"
    )


def how_to_resolve(change: str) -> str:
    """The commands that resolve a half-done change."""
    return (
        f"Run `recollect resolve {change}` with --mine to finish it, --theirs to "
        "undo it, or --dismiss to leave the files as they are."
    )


# What the files report, as errors that the user reads.

_NOTHING = "nothing was written."


def changed_on_disk(
    conflicts: Sequence[Conflict], path: str = ""
) -> ChangedOnDiskError:
    """The error that names the changed files, or `path` if there are no conflicts."""
    return ChangedOnDiskError(
        f"{_changed_meanwhile(conflicts, path)}; {_NOTHING}", conflicts
    )


def undo_first(
    action: str, change: str, conflicts: Sequence[Conflict]
) -> ChangedOnDiskError:
    """The error for an undo that would have to undo a later change of ours, too."""
    return ChangedOnDiskError(
        f"A later change builds on it: {action}; {_NOTHING} "
        f"Undo that first: recollect undo {change}",
        conflicts,
    )


def translated(
    error: OSError | errors.RecollectError, conflicts: Sequence[Conflict] = ()
) -> errors.RecollectError:
    """The user-facing error for a change that failed without writing anything."""
    if isinstance(error, ForeignError):
        return changed_on_disk(conflicts, error.path)
    if isinstance(error, BusyError):
        return errors.LockedError(f"{error} {_NOTHING.capitalize()}")
    if isinstance(error, ProtectedError):
        return errors.WriteProtectedError(f"{error} {_NOTHING.capitalize()}")
    if isinstance(error, OSError):
        return errors.NotWrittenError(f"{reason(error)} Nothing was changed.")
    return error


def refuse_protected(root: Path, steps: "Iterable[Step]") -> None:
    """Refuse a change of derived files if one is write-protected.

    It would be made without that file. Raises WriteProtectedError.
    """
    for step in steps:
        if not isinstance(step, FileStep) or step.remake is None:
            continue
        is_changed = None is not step.before != step.after
        if is_changed and is_protected((step.root or root) / step.path):
            raise translated(ProtectedError(step.path))


def stale(path: str, why: str) -> str:
    """The message that a change was made without a derived file, and why."""
    return f"{path} could not be updated and is out of date. {why}"


def reason(
    error: OSError | errors.RecollectError, conflicts: Sequence[Conflict] = ()
) -> str:
    """What went wrong, as a sentence that does not mention the state left behind."""
    if isinstance(error, ForeignError):
        return f"{_changed_meanwhile(conflicts, error.path)}."
    if isinstance(error, OSError):
        strange = error.strerror or type(error).__name__
        return f"Can't write: {strange}."
    return str(error)


def _changed_meanwhile(conflicts: Sequence[Conflict], path: str) -> str:
    paths = [conflict.path for conflict in conflicts] or [path]
    names = ", ".join(map(repr, filter(None, paths))) or "a file"
    return f"Another program has changed {names} in the meantime"
