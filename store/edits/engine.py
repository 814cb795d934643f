"""The engine of changes: it puts bytes in place of bytes, and knows no format.

    engine = Engine(places, clock)
    engine.recover()                  # at the start: settles what broke off
    applied = engine.apply(root, draft, refs)
    engine.undo()                     # the last change that stands, or one by name
    engine.redo()

A change is done as a whole or not at all, across all the files and stores that it is
about, also after a crash: then at the next `recover`, or before the next change.
"""

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from msgspec.structs import replace

from store.closing import Closing
from store.edits.applied import Applied, applied
from store.edits.conflict import Conflict
from store.edits.doing.carrying import Work, carry_out
from store.edits.doing.clashes import conflicts_of
from store.edits.doing.hands import Hands
from store.edits.doing.locks import clear_locks
from store.edits.doing.recovery import recover
from store.edits.doing.undoing import Remaker, draft_of, reversed_deeds
from store.edits.doing.working import Beginner
from store.edits.draft import Draft
from store.edits.kept.entries import seen
from store.edits.kept.history import History
from store.edits.kept.operation import Kind, Operation, State
from store.edits.kept.retention import FEWEST, purge, retain
from store.edits.kept.unsaved import Unsaved, all_unsaved, drop_unsaved, keep_unsaved
from store.edits.kept.verification import Verdict, verify
from store.edits.kept.workshop import Remember, Workshop
from store.edits.refusals import NotPossibleError
from store.edits.telling import backups, past, unsettled
from store.errors import RecollectError
from store.places import Places
from store.records.reports import Backup, Past

Clock = Callable[[], int]
"""Tells the time, in microseconds since 1970."""


class Engine(Closing):
    """Makes changes, and takes them back; one process at a time does either."""

    def __init__(
        self, places: Places, clock: Clock, remember: Remember | None = None
    ) -> None:
        """Nothing is made before something is changed.

        `remember` keeps the marks of changes: they stand or fall with the files.
        """
        folder = places.state / "changes"
        self._workshop, self._drafts = Workshop(folder, remember), folder / "drafts"
        self._clock = clock

    def apply(self, root: Path, draft: Draft, refs: Sequence[str] = ()) -> Applied:
        """Do what a draft says, durably: it is done when this returns.

        Raises ChangedOnDiskError, LockedError, NotWrittenError, NotPossibleError and
        UnreadableError; then nothing was done.
        """
        with self._turn() as told:
            work = self._beginner().change(root.absolute(), draft, tuple(refs))
            return self._carried_out(work, told)

    def undo(
        self, change: str | None = None, remaker: Remaker | None = None
    ) -> Applied:
        """Take a change back, or the last one that stands.

        `remaker` says how derived files are made anew that others wrote meanwhile.
        Raises what `apply` raises.
        """
        with self._turn() as told:
            chain = self._history().to_undo(change)
            work = self._beginner().reversal(chain.last, Kind.UNDO, remaker)
            return self._carried_out(work, told)

    def redo(self, remaker: Remaker | None = None) -> Applied:
        """Do again what was undone last; raises what `apply` raises."""
        with self._turn() as told:
            chain = self._history().to_redo()
            work = self._beginner().reversal(chain.last, Kind.REDO, remaker)
            return self._carried_out(work, told)

    def recover(self) -> list[str]:
        """Settle what broke off, at the start; a sentence for each thing done.

        Raises LockedError and NotWrittenError.
        """
        if not self._workshop.is_used:
            return []
        with self._workshop.turn():
            told = [each.message for each in recover(self._workshop)]
            told += clear_locks(self._workshop)
            self._workshop.blobs.sweep()
            retain(self._workshop, self._clock())
            return told

    def past(self) -> list[Past]:
        """The changes that were made, the newest first."""
        return past(self._history())

    def undo_draft(self, change: str | None = None) -> tuple[Path, Draft]:
        """What taking a change back would do, and the store that it is about.

        Raises NotPossibleError, UnreadableError and BackupLostError.
        """
        return self._reversed(self._history().to_undo(change).last)

    def redo_draft(self) -> tuple[Path, Draft]:
        """What `redo` would do, likewise; raises what `undo_draft` raises."""
        return self._reversed(self._history().to_redo().last)

    def conflict(self, change: str) -> list[Conflict]:
        """The files of a change that somebody else has changed since: three versions.

        `ours` is what taking it back, or doing it again, would put there; for a change
        that is `unsettled`, what it would have put there. Raises NotPossibleError and
        UnreadableError.
        """
        operation = self._workshop.operations().get(change)
        if operation and operation.state is State.UNSETTLED:
            with Hands(self._workshop, operation) as hands:
                return conflicts_of(hands, operation)
        operation = self._history().named(change).last
        with Hands(self._workshop, operation) as hands:
            deeds = reversed_deeds(operation, hands)
            return conflicts_of(hands, replace(operation, deeds=deeds))

    def unsettled(self) -> list[Past]:
        """The changes that broke off and that another program wrote into meanwhile.

        They were left as they are, for people to look at; see `conflict`.
        """
        return unsettled(self._workshop.operations().values())

    def dismiss(self, change: str) -> None:
        """Say that somebody has looked at one; raises NotPossibleError and such."""
        with self._turn():
            operation = self._workshop.operations().get(change)
            if not operation or operation.state is not State.UNSETTLED:
                raise NotPossibleError(f"Nobody needs to look at {change!r}.")
            self._workshop.journal.append(seen(operation))

    def backups(self, root: Path, path: str) -> list[Backup]:
        """The file as it was before each change that is kept, the newest first."""
        return backups(self._workshop.operations(), self._workshop.blobs, root, path)

    def blob(self, name: str) -> bytes:
        """The bytes of a backup, by its name; raises BackupLostError."""
        return self._workshop.blobs.read(name)

    def keep_draft(self, name: str, raw: bytes, was: bytes | None = None) -> None:
        """Keep a text that is being edited, in place of what goes by its name.

        `was` is what its editor was given. Raises NotWrittenError.
        """
        keep_unsaved(self._drafts, Unsaved(name, self._clock(), raw, was))

    def drafts(self) -> list[Unsaved]:
        """The texts that were being edited when the program ended, the newest first."""
        return all_unsaved(self._drafts)

    def drop_draft(self, name: str) -> None:
        """Forget one; raises NotWrittenError."""
        drop_unsaved(self._drafts, name)

    def purge(self) -> int:
        """Forget all changes that are finished: what they kept may be secret.

        How many bytes that gave back. None of them can be undone then. Raises
        LockedError and NotWrittenError.
        """
        with self._turn():
            return purge(self._workshop)

    def verify(self) -> list[Verdict]:
        """Whether all that undo lives on is sound; raises LockedError and such."""
        with self._workshop.turn():
            return verify(self._workshop)

    def close(self) -> None:
        """Let go of what is held open; may be called again."""
        self._workshop.close()

    def _reversed(self, operation: Operation) -> tuple[Path, Draft]:
        with Hands(self._workshop, operation) as hands:
            return operation.root, draft_of(operation, hands)

    @contextmanager
    def _turn(self) -> Generator[list[str]]:
        """Be the only one; before anything else is done, what broke off is settled."""
        with self._workshop.turn():
            yield [each.message for each in recover(self._workshop) if each.is_done]

    def _carried_out(self, work: Work, told: list[str]) -> Applied:
        done = carry_out(self._workshop, work)
        with suppress(OSError, RecollectError):
            self._seldom()
        return applied(done, self._workshop.blobs, told)

    def _seldom(self) -> None:
        """Drop what is too old, now and then; it is no matter if that fails."""
        if len(self._workshop.operations()) % FEWEST == 0:
            retain(self._workshop, self._clock())

    def _beginner(self) -> Beginner:
        return Beginner(self._workshop, self._workshop.operations(), self._clock())

    def _history(self) -> History:
        return History(self._workshop.operations().values())
