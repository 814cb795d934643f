"""Changes applied, undone and redone."""

from collections.abc import Generator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.index import Index
from store.answers.journal import Journal
from store.answers.stores import Access, OpenStores
from store.answers.vault import refuse_lost
from store.catalogue.partial_sync import exchanges, kinds_of, refs_given, refs_then
from store.catalogue.reader import memories_at, refs_at
from store.discover import Found
from store.edits.conflict import ChangedOnDiskError
from store.edits.draft import SAVED, Changeable, Draft, ModeStep, Remake, RowStep, Step
from store.edits.plan import Planned
from store.errors import CatalogueError, NotPossibleError
from store.kinds.conversations import Conversation
from store.kinds.messages import Message
from store.machine import NotWrittenError
from store.records.reports import Change
from store.state import RefsThen, keep_refs

if TYPE_CHECKING:
    from collections.abc import Callable

    from store.catalogue.partial_sync import Exchanges
    from store.catalogue.reader import Lines, Place
    from store.edits.engine import Applied
    from store.edits.undo import Stores

UNDO = "undo"
"""The word for undoing a change."""

REDO = "redo"
"""The word for redoing a change."""

RESOLVE = "resolve"
"""The word for resolving a half-done change."""

_AGAIN = f"recollect {REDO}"


class Changes:
    """Writes what was planned, and takes it back."""

    def __init__(
        self, stores: OpenStores, access: Access, journal: Journal, index: Index
    ) -> None:
        self._stores = stores
        self._access = access
        self._journal = journal
        self._index = index

    def apply(self, planned: Planned, *, is_permitted: bool = False) -> Change:
        """Apply a plan, and read the changed files.

        `is_permitted` means that the user has confirmed this very change; otherwise the
        stores must allow changes. Raises ChangedOnDiskError, LockedError,
        ReadOnlyError, NotPossibleError and NotWrittenError; then nothing was written.
        """
        self._access.require(planned.roots, is_permitted=is_permitted)
        if planned.is_idle:
            raise NotPossibleError("No changes.")
        apply = self._journal.engine.apply
        parts = (planned.root, planned.draft, planned.refs)
        return self._made(planned, planned.word, partial(apply, *parts))

    def undo(
        self,
        change: str | None = None,
        stores: "Stores" = None,
        *,
        is_permitted: bool = False,
    ) -> Change:
        """Undo a change, or the last one in some stores; raises what `change` does."""
        planned = self.undo_plan(change, stores)
        self._access.require(planned.roots, is_permitted=is_permitted)
        undo = self._journal.engine.undo
        return self._made(planned, UNDO, partial(undo, change, self._remaker, stores))

    def redo(self, stores: "Stores" = None, *, is_permitted: bool = False) -> Change:
        """Redo the change last undone in some stores; raises what `change` does."""
        planned = self.redo_plan(stores)
        self._access.require(planned.roots, is_permitted=is_permitted)
        word = planned.draft.action.removeprefix(f"{REDO} ").partition(" ")[0]
        redo = self._journal.engine.redo
        return self._made(planned, word, partial(redo, self._remaker, stores))

    def _made(
        self, planned: Planned, word: str, make: "Callable[[], Applied]"
    ) -> Change:
        """Make a change, and read the changed files.

        `word` is that of the change; for a redo, of the change that it repeats.
        """
        exchanged = self._exchanges(planned)
        before = self._refs_in(planned, exchanged, word)
        with self._discreet(), self._keeping_refs(planned, exchanged):
            applied = make()
            files = _files(applied)
            places = [*planned.roots, *files]
            lag = self._index.catch_up(places, files, exchanged)
        try:
            after = self._refs_in(planned, exchanged, word, is_done=True)
        except CatalogueError:
            after = before
        refs = refs_then(word, applied.refs, before, after)
        return _change(applied, refs, planned.word, lag)

    def resolve(
        self, change: str, *, mine: bool, is_permitted: bool = False
    ) -> Change | None:
        """Finish a half-done change, or undo the part that is done and keep theirs.

        Returns None if nothing was left to do. Raises what `change` does.
        """
        planned = self.resolve_plan(change, mine=mine)
        self._access.require(planned.roots, is_permitted=is_permitted)
        exchanged = self._exchanges(planned)
        with self._discreet():
            applied = self._journal.engine.resolve(change, mine=mine)
        files = [] if applied is None else _files(applied)
        lag = self._index.catch_up(planned.roots, files, exchanged)
        if applied is None:
            return None
        return _change(applied, applied.refs, RESOLVE, lag)

    def dismiss(self, change: str) -> None:
        """Mark a half-done change as resolved, leaving its files as they are.

        Raises ReadOnlyError, NotPossibleError, LockedError and NotWrittenError.
        """
        self._access.require_session()
        self._journal.engine.dismiss(change)
        self._index.catch_up([], [], None)

    def undo_plan(self, change: str | None = None, stores: "Stores" = None) -> Planned:
        """What undo would do to a change, or to the last one in some stores."""
        root, draft = self._journal.engine.undo_draft(change, stores)
        return self._planned_back(UNDO, root, draft)

    def built_on(self, change: str) -> tuple[str, str] | None:
        """The id and action of the later change that has to be undone first, if any."""
        return self._journal.engine.built_on(change)

    def redo_plan(self, stores: "Stores" = None) -> Planned:
        """What redo would do."""
        root, draft = self._journal.engine.redo_draft(stores)
        return self._planned_back(REDO, root, draft)

    def resolve_plan(self, change: str, *, mine: bool) -> Planned:
        """What finishing a half-done change, or undoing the done part, would do."""
        root, draft = self._journal.engine.resolve_draft(change, mine=mine)
        return self._planned_back(RESOLVE, root, draft)

    def _exchanges(self, planned: Planned) -> "Exchanges":
        """The lines that a change replaces, in files whose index entry is current."""
        with self._stores.catalogue.in_use() as connection:
            return exchanges(connection, planned)

    def _refs_in(
        self,
        planned: Planned,
        exchanged: "Exchanges",
        word: str,
        *,
        is_done: bool = False,
    ) -> list[str]:
        """The refs of the records in the lines and files that a change replaces.

        These are the records before the change, or, if `is_done`, after it.
        """
        places = _places(planned, exchanged, is_done=is_done)
        with self._stores.catalogue.in_use() as connection:
            return refs_at(connection, kinds_of(word), places)

    @contextmanager
    def _keeping_refs(
        self, planned: Planned, exchanged: "Exchanges"
    ) -> Generator[None]:
        """Make the refs from before a change find the same records after it.

        If that cannot be saved, the change is made all the same.
        """
        with self._stores.catalogue.in_use() as connection:
            before = memories_at(connection, _places(planned, exchanged, is_done=False))
        yield
        moved = [(one.root or planned.root, one) for one in planned.draft.moves]
        moves = {(root, one.path): (root, one.new) for root, one in moved}
        with suppress(CatalogueError, NotWrittenError):
            with self._stores.catalogue.in_use() as connection:
                after = memories_at(
                    connection, _places(planned, exchanged, is_done=True)
                )
                given = refs_given(connection, before, after, moves)
            was, now = ({one.ref for one in seen} for seen in (before, after))
            deleted = planned.refs if planned.word == "delete" else ()
            is_undone = planned.word in {UNDO, REDO}
            then = RefsThen(was - now, now - was, given, deleted, is_undone)
            keep_refs(self._access.writing.places, then)

    def _remaker(self, root: Path, path: str) -> Remake | None:
        """A function that rebuilds a derived file, if the store's format has one."""
        for found in self._stores.found:
            if found.path == root and found.format.rebuilds:
                return lambda _raw: _remade(found, path)
        return None

    def _planned_back(self, word: str, root: Path, draft: Draft) -> Planned:
        """The plan that undoes, redoes or resolves a change, with secrets masked."""
        steps = tuple(self._masked(root, step) for step in draft.steps)
        action = draft.action if word == RESOLVE else f"{word} {draft.action}"
        masked = replace(draft, action=action, steps=steps)
        places = self._access.writing.places
        saves = any(one.name == SAVED for one in draft.marks)
        if saves and word != RESOLVE:
            refuse_lost(places, root, draft.marks)
        memory = places.vault if saves else places.marks
        return Planned(draft=masked, root=root, word=word, memory=memory)

    def _masked(self, root: Path, step: Step) -> Step:
        """A step of a change, with the secrets of its file masked."""
        if isinstance(step, RowStep | ModeStep):
            return step
        return replace(step, shown=self._journal.shown(step.root or root, step.path))

    @contextmanager
    def _discreet(self) -> Generator[None]:
        """Mask secrets in the diffs of a ChangedOnDiskError."""
        try:
            yield
        except ChangedOnDiskError as error:
            error.conflicts = tuple(
                replace(one, shown=self._journal.shown(one.root, one.path))
                for one in error.conflicts
            )
            raise


def path_of(record: Changeable) -> str:
    """The file that contains a record."""
    if isinstance(record, Conversation | Message):
        return record.source
    return record.path


def _places(
    planned: Planned, exchanged: "Exchanges", *, is_done: bool
) -> "list[tuple[Place, Lines | None]]":
    """The files that a change writes, each with the lines that it replaces there."""
    return [
        (place, exchanged.lines(place, is_done=is_done)) for place in planned.places
    ]


def _remade(found: Found, path: str) -> bytes | None:
    """A derived file, rebuilt from its store; None if no format rebuilds it."""
    with found.format.open(found.path) as store:
        for name in found.format.rebuilds:
            for rebuilt in store.rebuild(name):
                if rebuilt.path == path:
                    return rebuilt.after.encode("utf-8", "surrogateescape")
    return None


def _files(applied: "Applied") -> list[Path]:
    """The absolute paths of the written files, in whichever store."""
    return [applied.root / path for path in applied.paths]


def _change(
    applied: "Applied", refs: tuple[str, ...], word: str, lag: tuple[str, ...]
) -> Change:
    action = f"{word} {applied.action}" if word in {UNDO, REDO} else applied.action
    return Change(
        change=applied.change,
        action=action,
        refs=refs,
        paths=applied.paths,
        backup=None if applied.backup is None else str(applied.backup),
        undo=_AGAIN if word == UNDO else f"recollect undo {applied.change}",
        notes=(*applied.notes, *lag),
    )
