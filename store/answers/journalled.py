"""The journal of changes: what is in it, what broke off, what is kept beside it."""

from collections.abc import Generator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.chosen import Writing
from store.answers.planning import Planning

if TYPE_CHECKING:
    from store.answers.planning import Name
    from store.edits.draft import Draft, Marking, Shown, Step
    from store.edits.engine import Engine
    from store.edits.kept.unsaved import Unsaved
    from store.edits.kept.verification import Verdict
    from store.edits.port import Changeable
    from store.planning import Planned
    from store.records.reports import Backup, Past

_SETTINGS = ".json"
"""How files end that may hold a key."""

UNDO = "undo"
"""The word for what takes a change back."""

REDO = "redo"
"""The word for what makes it again."""


class Journalled(Planning):
    """Answers with what was changed before."""

    _at_work: "Engine | None" = None
    _is_settled = False

    settled: tuple[str, ...] = ()
    """What had broken off and was settled, a sentence each."""

    def changes(self) -> "list[Past]":
        """What was changed, newest first; nothing where nothing may be."""
        return [] if self._writing is None else self._engine.past()

    def undo_plan(self, change: str | None = None) -> "Planned":
        """What it would do to take a change back, or the last that stands."""
        return self._planned_back(UNDO, *self._engine.undo_draft(change))

    def redo_plan(self) -> "Planned":
        """What it would do to do again what was undone last."""
        return self._planned_back(REDO, *self._engine.redo_draft())

    def backups(self, name: "Name") -> "list[Backup]":
        """What a record's file was before each change that is kept, newest first."""
        record = self._record(name)
        return self._engine.backups(Path(record.store), path_of(record))

    def settle(self) -> None:
        """Finish or take back what broke off, once; `settled` tells of it.

        Where another process is at work, that waits until something is changed.
        """
        from store.edits.glance import may_be_open
        from store.edits.refusals import LockedError, NotWrittenError

        writing = self._writing
        if self._is_settled or writing is None or writing.is_forbidden:
            return
        self._is_settled = True
        if may_be_open(writing.places.state / "changes"):
            with suppress(LockedError, NotWrittenError):
                self.settled = tuple(self._engine.recover())

    def keep_draft(self, name: str, text: bytes, was: bytes | None = None) -> None:
        """Keep what was written and cannot be saved yet, and what it was made of.

        Raises NotWrittenError.
        """
        self._engine.keep_draft(name, text, was)

    def unsaved(self) -> "list[Unsaved]":
        """All that was written and not saved, the newest first."""
        return [] if self._writing is None else self._engine.drafts()

    def drop_draft(self, name: str) -> None:
        """Forget what was written; raises NotWrittenError."""
        self._engine.drop_draft(name)

    def verify(self) -> "list[Verdict]":
        """Whether all that undo lives on is there and sound."""
        return self._engine.verify()

    def purge(self) -> int:
        """Forget all changes, and what they kept; how many bytes that gives back.

        None of them can be undone then.
        """
        from store.edits.refusals import ReadOnlyError

        if self._kept.is_forbidden:
            raise ReadOnlyError("This session is read-only: nothing is forgotten.")
        return self._engine.purge()

    def close(self) -> None:
        """Let go of the catalogue, and of the journal."""
        if self._at_work is not None:
            self._at_work.close()
            self._at_work = None
        super().close()

    def _remember(self, root: Path, marks: "Sequence[Marking]", now: int) -> None:
        """Keep what a store has no words for; raises NotWrittenError."""
        from store.keeping.pinned import keep_marks

        keep_marks(self._kept.places, str(root), marks, now)

    def _planned_back(self, word: str, root: Path, draft: "Draft") -> "Planned":
        """What takes a change back, or does it again, without what is secret in it."""
        from store.planning import Planned

        steps = tuple(self._masked(root, step) for step in draft.steps)
        told = replace(draft, action=f"{word} {draft.action}", steps=steps)
        memory = self._kept.places.marks
        return Planned(draft=told, root=root, word=word, memory=memory)

    def _masked(self, root: Path, step: "Step") -> "Step":
        """A step of a change of a store, without what is secret in its file."""
        from store.edits.draft import ModeStep, RowStep

        if isinstance(step, RowStep | ModeStep):
            return step
        return replace(step, shown=self._shown(step.root or root, step.path))

    def _shown(self, root: Path, path: str) -> "Shown | None":
        """What people are shown in place of a file's bytes, where those are secret.

        Of a store that is not looked at nobody knows, so its settings are not shown.
        """
        for found in self._stores:
            if found.path == root:
                return found.format.shown(path)
        return _hidden if path.endswith(_SETTINGS) else None

    @contextmanager
    def _discreet(self) -> Generator[None]:
        """Where something was changed on disk, keep what is secret out of its diff."""
        from store.edits.refusals import ChangedOnDiskError

        try:
            yield
        except ChangedOnDiskError as error:
            error.conflicts = tuple(
                replace(one, shown=self._shown(one.root, one.path))
                for one in error.conflicts
            )
            raise

    @property
    def _kept(self) -> Writing:
        """Where changes are kept; raises ReadOnlyError."""
        from store.edits.refusals import ReadOnlyError

        if self._writing is None:
            raise ReadOnlyError("This session only looks: nothing is changed.")
        return self._writing

    @property
    def _engine(self) -> "Engine":
        """What writes, loaded when something is asked of it."""
        if self._at_work is None:
            from store.edits.engine import Engine

            writing = self._kept
            self._at_work = Engine(writing.places, writing.clock, self._remember)
        return self._at_work


def _hidden(_raw: bytes) -> bytes:
    return b"(not shown)\n"


def path_of(record: "Changeable") -> str:
    """The file that a record lies in."""
    from store.records.conversation import Conversation, Message

    if isinstance(record, Conversation | Message):
        return record.source
    return record.path
