"""The engine: apply a draft, undo or redo a change, recover after a crash."""

import os
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from store.edits.backups import Blobs
from store.edits.conflict import (
    HALF_DONE,
    ChangedOnDiskError,
    Conflict,
    HalfDoneError,
    half_done,
    undo_first,
)
from store.edits.deeds import FileDeed
from store.edits.draft import Draft, Stage
from store.edits.journal import ChangeFolder, Kind, Operation, Remember, event
from store.edits.locks import clear_locks
from store.edits.recovery import (
    UnsavedTexts,
    half_done_change,
    open_conflicts,
    recover,
    resolving_draft,
)
from store.edits.transaction import Work, begin, carry_out
from store.edits.undo import (
    FEWEST,
    Chain,
    History,
    Remaker,
    Stores,
    Verdict,
    files_of,
    purge,
    retain,
    reversal,
    reversed_draft,
    verify,
)
from store.errors import RecollectError
from store.machine import Places
from store.records.reports import Backup, Past
from store.resource import Closing
from store.times import shown_time

# The engine applies byte-level changes; it knows nothing about formats.

Clock = Callable[[], int]
"""The current time, in microseconds since 1970."""

HalfDone = tuple[Past, list[Conflict]]
"""A half-done change, with three versions of the files that others wrote to."""


class Applied(Struct, frozen=True, kw_only=True):
    """The result of a change, an undo or a redo."""

    change: str
    """The id of the change, for undo."""
    action: str
    root: Path
    refs: tuple[str, ...]
    paths: tuple[str, ...]
    """The changed files, relative to the store; files of other stores in full."""
    backup: Path | None
    """The folder that contains the bytes from before."""
    notes: tuple[str, ...]
    """Further messages, one sentence each."""


class Engine(Closing):
    """Makes changes and undoes them; one process at a time.

        engine = Engine(places, clock)
        engine.recover()  # at the start: resolves interrupted operations
        applied = engine.apply(root, draft, refs)
        engine.undo()  # the last change, or one by id
        engine.redo()

    A change is applied completely or not at all, across all its files and stores. After
    a crash, the next `recover` or the next change ensures that.
    """

    def __init__(
        self, places: Places, clock: Clock, remember: Remember | None = None
    ) -> None:
        """No folder is created before the first change.

        `remember` saves the marks of a change, which are undone if the change fails.
        """
        folder = places.state / "changes"
        self._folder = ChangeFolder(folder, remember)
        self._clock = clock
        self.unsaved = UnsavedTexts(folder / "drafts", clock)
        """The texts that are being edited."""

    def apply(self, root: Path, draft: Draft, refs: Sequence[str] = ()) -> Applied:
        """Apply a draft; the change is durable when this returns.

        Raises ChangedOnDiskError, LockedError, NotWrittenError, NotPossibleError and
        UnreadableError; then nothing was changed.
        """
        with self._turn() as notes:
            work = begin(
                self._folder, self._clock(), root.absolute(), draft, tuple(refs)
            )
            return self._carried_out(work, notes)

    def undo(
        self,
        change: str | None = None,
        remaker: Remaker | None = None,
        stores: Stores = None,
    ) -> Applied:
        """Undo a change: the given one, or else the last in some stores.

        `remaker` rebuilds derived files that other programs have written meanwhile.
        Raises what `apply` raises.
        """
        with self._turn() as notes:
            history = self._history(None if change else stores)
            chain = history.to_undo(change)
            work = reversal(self._folder, self._clock(), chain.last, Kind.UNDO, remaker)
            try:
                return self._carried_out(work, notes)
            except ChangedOnDiskError as error:
                later = history.later(chain)
                if not later or isinstance(error, HalfDoneError):
                    raise
                ours, first = self._intact(later), later[0].first
                theirs = [c for c in error.conflicts if (c.root, c.path) not in ours]
                raise undo_first(first.action, first.change, theirs) from error

    def redo(self, remaker: Remaker | None = None, stores: Stores = None) -> Applied:
        """Redo the change last undone in some stores; raises what `apply` raises."""
        with self._turn() as notes:
            chain = self._history(stores).to_redo()
            work = reversal(self._folder, self._clock(), chain.last, Kind.REDO, remaker)
            return self._carried_out(work, notes)

    def recover(self) -> list[str]:
        """Resolve interrupted operations at the start; a sentence for each.

        Raises LockedError and NotWrittenError.
        """
        if not self._folder.is_used:
            return []
        with self._folder.turn():
            notes = [each.message for each in recover(self._folder)]
            notes += clear_locks(self._folder)
            self._folder.blobs.sweep()
            retain(self._folder, self._clock())
            return notes

    def past(self, stores: Stores = None) -> list[Past]:
        """The changes made in some stores, newest first."""
        chains = self._history(stores).chains
        return [_past(one) for one in sorted(chains, key=lambda one: -one.places[0])]

    def undo_draft(
        self, change: str | None = None, stores: Stores = None
    ) -> tuple[Path, Draft]:
        """What `undo` would do, with the store of the change.

        Raises NotPossibleError, UnreadableError and BackupLostError.
        """
        history = self._history(None if change else stores)
        return self._reversed(history.to_undo(change).last)

    def built_on(self, change: str) -> tuple[str, str] | None:
        """The id and action of the later change that has to be undone first, if any."""
        history = self._history(None)
        chain = history.to_undo(change)
        later = history.later(chain)
        if not later or files_of(chain) <= self._intact([chain]):
            return None
        return later[0].first.change, later[0].first.action

    def redo_draft(self, stores: Stores = None) -> tuple[Path, Draft]:
        """What `redo` would do, with the store; raises what `undo_draft` raises."""
        return self._reversed(self._history(stores).to_redo().last)

    def half_done(self) -> list[HalfDone]:
        """The changes that the user has to resolve, newest first.

        Each comes with three versions of the files that another program wrote to.
        """
        operations = self._folder.operations().values()
        found = [
            _half_done(self._folder, one) for one in operations if one.is_undecided
        ]
        return found[::-1]

    def resolve_draft(self, change: str, *, mine: bool) -> tuple[Path, Draft]:
        """What finishing a half-done change would do, or undoing the part that is done.

        The draft is empty if nothing is left to do. Raises NotPossibleError,
        UnreadableError and BackupLostError.
        """
        operation = self._half_done(change)
        with self._folder.workspace(operation) as workspace:
            return operation.root, resolving_draft(operation, workspace, mine=mine)

    def resolve(self, change: str, *, mine: bool) -> Applied | None:
        """Finish a half-done change, or undo the part that is done.

        Returns None if nothing was left to do. Raises what `apply` raises.
        """
        with self._turn() as notes:
            operation = self._half_done(change)
            with self._folder.workspace(operation) as workspace:
                draft = resolving_draft(operation, workspace, mine=mine)
            applied = None
            if draft.steps or draft.marks:
                work = begin(
                    self._folder, self._clock(), operation.root, draft, operation.refs
                )
                if mine and operation.kind is not Kind.CHANGE:
                    work = _as_kind(work, operation)
                applied = self._carried_out(work, notes)
            self._folder.journal.append(event(operation, "seen"))
            return applied

    def dismiss(self, change: str) -> None:
        """Mark a half-done change as resolved, leaving its files as they are.

        Raises NotPossibleError, LockedError and NotWrittenError.
        """
        with self._turn():
            self._folder.journal.append(event(self._half_done(change), "seen"))

    def backups(self, root: Path, path: str) -> list[Backup]:
        """The version of a file before each recorded change, newest first."""
        return _backups(self._folder.operations(), self._folder.blobs, root, path)

    def blob(self, name: str) -> bytes:
        """The bytes of a backup; raises BackupLostError."""
        return self._folder.blobs.read(name)

    def purge(self) -> int:
        """Forget all finished changes, whose backups may contain secrets.

        Returns the number of bytes freed. None of these changes can be undone
        afterwards. Raises LockedError and NotWrittenError.
        """
        with self._turn():
            return purge(self._folder)

    def verify(self) -> list[Verdict]:
        """Check everything undo depends on; raises LockedError and others."""
        with self._folder.turn():
            return [*verify(self._folder), _verdict(self.half_done())]

    def close(self) -> None:
        """Close what is held open; safe to call twice."""
        self._folder.close()

    def _reversed(self, operation: Operation) -> tuple[Path, Draft]:
        with self._folder.workspace(operation) as workspace:
            return operation.root, reversed_draft(operation, workspace)

    def _intact(self, newest_first: Iterable[Chain]) -> set[tuple[Path, str]]:
        """The files that still are what the newest of some changes made of them."""
        seen: dict[tuple[Path, str], bool] = {}
        for chain in newest_first:
            with self._folder.workspace(chain.last) as workspace:
                for deed in chain.last.deeds:
                    place = (deed.root, deed.path)
                    if place in seen:
                        continue
                    seen[place] = False
                    with suppress(OSError, RecollectError):
                        seen[place] = deed.stage(workspace) is Stage.AFTER
        return {place for place, is_intact in seen.items() if is_intact}

    def _half_done(self, change: str) -> Operation:
        return half_done_change(self._folder.operations(), change)

    @contextmanager
    def _turn(self) -> Generator[list[str]]:
        """Hold the lock, and resolve interrupted operations first."""
        with self._folder.turn():
            yield [each.message for each in recover(self._folder) if each.is_done]

    def _carried_out(self, work: Work, notes: list[str]) -> Applied:
        """Carry out some work, and drop old changes every few operations."""
        done = carry_out(self._folder, work)
        with suppress(OSError, RecollectError):
            if len(self._folder.operations()) % FEWEST == 0:
                retain(self._folder, self._clock())
        return _applied(done, self._folder.blobs, notes)

    def _history(self, stores: Stores = None) -> History:
        """The history of changes to some stores, or to all for None."""
        return History(
            one
            for one in self._folder.operations().values()
            if stores is None or not set(stores).isdisjoint(one.stores)
        )


# What the engine reports, from the journal.


def _applied(operation: Operation, blobs: Blobs, notes: Sequence[str]) -> Applied:
    """The result of a finished operation; `notes` are earlier messages."""
    files = (deed for deed in operation.deeds if isinstance(deed, FileDeed))
    has_backup = any(deed.before for deed in files)
    return Applied(
        change=operation.change,
        action=operation.action,
        root=operation.root,
        refs=operation.refs,
        paths=_paths(operation),
        backup=blobs.folder if has_backup else None,
        notes=(*notes, *operation.notes),
    )


def _paths(operation: Operation) -> tuple[str, ...]:
    """The changed files, relative to the store; files of other stores in full.

    Without derived files that could not be updated.
    """
    paths = (
        deed.path if deed.root == operation.root else str(deed.root / deed.path)
        for number, deed in enumerate(operation.deeds)
        if operation.settled.get(number, deed) is not None
    )
    return tuple(dict.fromkeys(paths))


def _as_kind(work: Work, half_done: Operation) -> Work:
    """The work, recorded as the undo or redo that it finishes."""
    whole = replace(
        work.operation,
        kind=half_done.kind,
        change=half_done.change,
        action=half_done.action,
    )
    return replace(work, operation=whole)


# Past changes and their backups, as shown to users.


def _past(chain: Chain) -> Past:
    change = chain.first
    return Past(
        change=change.id,
        at=shown_time(change.time),
        action=change.action,
        store=str(change.root),
        stores=tuple(map(str, change.stores)),
        refs=change.refs,
        paths=_paths(change),
        undone=chain.is_undone,
    )


def _half_done(folder: ChangeFolder, operation: Operation) -> HalfDone:
    """A half-done change, and the files that another program wrote to."""
    with folder.workspace(operation) as workspace:
        conflicts = open_conflicts(operation, workspace)
    past = replace(_past(Chain((operation,), (0,))), half_done=True)
    return replace(past, action=_in_words(operation)), conflicts


def _in_words(operation: Operation) -> str:
    """What an operation does: its action, or the undo or redo of it."""
    is_change = operation.kind is Kind.CHANGE
    return operation.action if is_change else f"{operation.kind} {operation.action}"


def _verdict(found: Sequence[HalfDone]) -> Verdict:
    """The changes that the user has to resolve, and the commands for that."""
    each = [half_done(past, [one.path for one in clashes]) for past, clashes in found]
    message = "\n".join(each) or "No half-done changes."
    return Verdict(name=HALF_DONE, message=message, is_good=not found)


def _backups(
    operations: Mapping[str, Operation], blobs: Blobs, root: Path, path: str
) -> list[Backup]:
    """The version of a file before each operation, newest first."""
    wanted = os.path.realpath(root)
    sizes = blobs.sizes()
    return [
        Backup(
            backup=deed.before,
            change=operation.change,
            at=shown_time(operation.time),
            action=_in_words(operation),
            store=str(root),
            path=path,
            bytes=sizes[deed.before],
            kept=str(blobs.folder / deed.before),
        )
        for operation in reversed(list(operations.values()))
        for deed in operation.deeds
        if isinstance(deed, FileDeed)
        and deed.path == path
        and deed.before in sizes
        and os.path.realpath(deed.root) == wanted
    ]
