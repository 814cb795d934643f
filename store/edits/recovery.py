"""What a crash leaves: interrupted changes, half-done ones, and unsaved texts."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from hashlib import blake2b
from itertools import chain, count
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.edits.backups import Workspace
from store.edits.conflict import Conflict, conflicts_of, how_to_resolve, stale
from store.edits.deeds import FileDeed, Resolved
from store.edits.draft import Draft, FileStep, ForeignLock, Stage
from store.edits.journal import ChangeFolder, Operation, Pair, State, done, event
from store.edits.locks import Held, hold, resume
from store.edits.transaction import take_back
from store.errors import NotPossibleError, NotWrittenError, RecollectError
from store.machine import NotWrittenError as NotReplacedError
from store.machine import replace_own

# At the next start, interrupted operations are finished, undone, or left to the user.
#
# If all files are as before, nothing was done, and this is recorded. If some are new,
# the rest is done as well, from the journal. If another program has written to a file
# meanwhile, nothing is touched: both versions are kept, and this is reported.


class Settled(Struct, frozen=True):
    """The outcome for one thing found at the start."""

    message: str
    is_done: bool = True
    """Whether it is resolved; if not, it is tried again next time."""


def recover(folder: ChangeFolder) -> list[Settled]:
    """Resolve all interrupted operations, and report what was done.

    May itself be interrupted and repeated. If a store is missing or locked by another
    process, its operations wait for the next time.
    """
    open_ones = [each for each in folder.operations().values() if each.is_open]
    settled = [_settled(folder, operation) for operation in open_ones]
    return settled + [Settled(message) for message in _late(folder)]


def _late(folder: ChangeFolder) -> Iterator[str]:
    """Report what others wrote to files that had already been replaced."""
    known = len(folder.journal.entries())
    folder.replaced.look()
    for entry in folder.journal.entries()[known:]:
        operation = folder.operations().get(str(entry["id"]))
        action = f"“{operation.action}”" if operation else "a change"
        where = folder.blobs.folder / str(entry["blob"])
        note = f"Another program wrote during {action}; its text was saved in {where}."
        yield f"{note} {how_to_resolve(operation.id)}" if operation else note


def _settled(folder: ChangeFolder, operation: Operation) -> Settled:
    message = f"“{operation.action}” was interrupted"
    try:
        with folder.workspace(operation) as workspace, Held() as held:
            if operation.locks:
                resume(folder, operation)
            hold(held, workspace, folder, operation)
            state = _settle(folder, operation, workspace)
    except (OSError, RecollectError) as error:
        return Settled(f"{message} and can't be completed yet: {error}", is_done=False)
    message = f"{message}; {_OUTCOMES[state]}"
    if state is State.UNSETTLED:
        message = f"{message} {how_to_resolve(operation.id)}"
    return Settled(message, is_done=state is not State.BEGUN)


_OUTCOMES = {
    State.BEGUN: "it could not be completed yet.",
    State.DONE: "it was finished.",
    State.ABORTED: "it was undone.",
    State.UNSETTLED: "it is half done, because another program has changed the files.",
}


def _settle(folder: ChangeFolder, operation: Operation, workspace: Workspace) -> State:
    for deed in operation.deeds:
        deed.tidy(workspace)
        workspace.touched.add(deed.target)
    stages = {deed.stage(workspace) for deed in operation.deeds if not deed.is_optional}
    if operation.state is State.BACKWARDS:
        return take_back(folder, operation, workspace)
    if Stage.FOREIGN in stages:
        folder.journal.append(event(operation, "unsettled"))
        return State.UNSETTLED
    if stages <= {Stage.BEFORE}:
        return take_back(folder, operation, workspace)
    finished = _forward(operation, workspace)
    folder.remember(finished)
    folder.journal.append(done(finished))
    return State.DONE


def _forward(operation: Operation, workspace: Workspace) -> Operation:
    """Do the rest of an operation."""
    settled: dict[int, Pair | None] = {}
    notes: list[str] = []
    for number, deed in enumerate(operation.deeds):
        if not isinstance(deed, FileDeed) or not deed.is_derived:
            deed.finish(workspace)
        elif deed.stage(workspace) is Stage.FOREIGN:
            settled[number] = None
            notes.append(stale(deed.path, "Another program has changed it."))
        else:
            deed.finish(workspace)
            settled[number] = deed.before, deed.after
    return replace(operation, notes=tuple(notes), settled=settled)


# Half-done changes: another program wrote meanwhile, so the user has to decide.


def half_done_change(operations: Mapping[str, Operation], change: str) -> Operation:
    """The half-done change with an id, or with an id that starts like this.

    Raises NotPossibleError.
    """
    found = [
        operation
        for name, operation in operations.items()
        if operation.is_undecided and change and name.startswith(change)
    ]
    if len(found) != 1:
        what = "Several changes match" if found else "No half-done change matches"
        raise NotPossibleError(f"{what} {change!r}.")
    return found[0]


def open_conflicts(operation: Operation, workspace: Workspace) -> list[Conflict]:
    """The files of a half-done change that another program wrote to."""
    found: list[Conflict] = []
    if operation.state is State.UNSETTLED:
        found += conflicts_of(operation.deeds, workspace)
    for number, blob in operation.late:
        deed = operation.deeds[number]
        with suppress(OSError, RecollectError):
            (seen,) = deed.versions(workspace)
            found.append(
                Conflict(
                    root=deed.root,
                    path=seen.path,
                    base=seen.before,
                    ours=seen.now,
                    theirs=workspace.image(blob),
                )
            )
    return found


def resolving_draft(operation: Operation, workspace: Workspace, *, mine: bool) -> Draft:
    """The draft that finishes a half-done change, or undoes the part that is done.

    If `mine` is true, every file gets our version. If not, files written by others
    stay, and our changes to all other files are undone. The draft is based on the
    current files and has no steps if there is nothing to do. Raises UnreadableError,
    BackupLostError and OSError.
    """
    if operation.state is not State.DONE:
        marks = operation.marks
        steps = list(_resolving(operation, workspace, mine=mine))
    else:
        marks, steps = (), [] if mine else list(_late_versions(operation, workspace))
    return Draft(
        action=f"{'finish' if mine else 'drop'} {operation.action}",
        steps=tuple(step for step in steps if step.before != step.after),
        locks=operation.locks,
        foreign_locks=tuple(
            ForeignLock(path=path, age=age) for path, age in operation.foreign_locks
        ),
        marks=tuple(mark if mine else mark.reversed for mark in marks),
    )


def _resolving(
    operation: Operation, workspace: Workspace, *, mine: bool
) -> Iterator[Resolved]:
    """The steps that finish each deed, or undo it."""
    for deed in operation.deeds:
        stage = deed.stage(workspace)
        is_theirs = stage is Stage.FOREIGN and (not mine or deed.is_optional)
        if not is_theirs and stage is not (Stage.AFTER if mine else Stage.BEFORE):
            yield from deed.resolving(workspace, mine=mine)


def _late_versions(operation: Operation, workspace: Workspace) -> Iterator[FileStep]:
    """Put what others wrote too late in place of our version."""
    for number, blob in operation.late:
        deed = operation.deeds[number]
        (seen,) = deed.versions(workspace)
        yield FileStep(
            path=seen.path,
            before=seen.now,
            after=workspace.image(blob),
            root=workspace.elsewhere(deed.root),
        )


# Texts that were being edited when the program ended, saved to be resumed.


class Unsaved(Struct, frozen=True):
    """A text that was being edited."""

    name: str
    """The record it belongs to, as named by its editor."""
    time: int
    """When it was saved, in microseconds since 1970."""
    raw: bytes
    was: bytes | None = None
    """The text that the editor started from, if known; the file may differ by now."""
    title: str | None = None
    """The title of its record, if known."""
    store: str | None = None
    """The path of its store, if known."""

    def is_of(self, name: str) -> bool:
        """Whether it belongs to the same record, even as one of several texts."""
        return _stem(self.name) == _stem(name)


def beside(name: str, texts: Iterable[Unsaved]) -> str:
    """A free name for another text of a record, so that none is overwritten."""
    taken = {text.name for text in texts}
    stem, _, suffix = name.partition(".")
    more = (f"{stem}.{number}.{suffix}" for number in count(2))
    return next(one for one in chain((name,), more) if one not in taken)


class UnsavedTexts:
    """The texts that are being edited, each in a file of one folder."""

    def __init__(self, folder: Path, clock: Callable[[], int]) -> None:
        self._folder = folder
        self._clock = clock

    def keep(
        self, name: str, raw: bytes, was: bytes | None = None, **of: str | None
    ) -> None:
        """Save a text that is being edited, replacing the one with its name.

        `was` is the text that the editor started from; `of` may name the `title` and
        the `store` of its record. Raises NotWrittenError.
        """
        length = None if was is None else len(was)
        about = {"name": name, "time": self._clock(), "was": length, **of}
        head = json.dumps(about).encode("ascii")
        saved = b"".join((head, b"\n", was or b"", raw))
        try:
            replace_own(_file(self._folder, name), saved)
        except NotReplacedError as error:
            raise NotWrittenError(str(error)) from error

    def all(self) -> list[Unsaved]:
        """The texts that were being edited when the program ended, newest first.

        Those that cannot be read are left out.
        """
        paths = self._folder.glob("*.draft") if self._folder.exists() else ()
        found = [text for path in paths if (text := _read(path)) is not None]
        return sorted(found, key=lambda text: (-text.time, text.name))

    def drop(self, name: str) -> None:
        """Delete a saved text; raises NotWrittenError."""
        try:
            _file(self._folder, name).unlink(missing_ok=True)
        except OSError as error:
            sentence = f"Can't delete the draft: {error.strerror}."
            raise NotWrittenError(sentence) from error


def _stem(name: str) -> str:
    return name.partition(".")[0]


def _read(path: Path) -> Unsaved | None:
    try:
        head, _, raw = path.read_bytes().partition(b"\n")
        about = json.loads(head)
        length: int | None = about.get("was")
        was = None if length is None else raw[:length]
        of = (about.get("title"), about.get("store"))
        return Unsaved(about["name"], about["time"], raw[length or 0 :], was, *of)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return None


def _file(folder: Path, name: str) -> Path:
    """The file for a name, whatever characters it has; unique to the name."""
    digest = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
    return folder / f"{digest}.draft"
