"""Changes: what was planned is written, told, and taken back."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.journalled import UNDO, Journalled, path_of
from store.answers.planning import Name
from store.answers.touched import kinds_of, refs_at, refs_then
from store.catalogue.lock import only_one
from store.catalogue.pinning import show_pins
from store.catalogue.sync import Progress, sync
from store.discover import Found
from store.edits.port import Changeable
from store.edits.refusals import NotPossibleError, NotWrittenError, ReadOnlyError
from store.errors import CatalogueBusyError, CatalogueDamagedError, NothingFoundError
from store.files.beneath import Root
from store.keeping.permitted import permit, permitted
from store.places import Places
from store.records.reports import Change, SyncReport

if TYPE_CHECKING:
    from store.edits.draft import Remake
    from store.edits.engine import Applied
    from store.planning import Planned

_PATIENCE = 10.0
"""Seconds to wait for another process that reads the stores, so that what was changed
is known; if that takes longer, it is read there anyway."""

_RETURN = "return"
_REDO = "recollect redo"


class Changing(Journalled):
    """Answers with what was changed just now."""

    def change(self, planned: "Planned", *, is_permitted: bool = False) -> Change:
        """Write what was planned, and read it.

        `is_permitted` says that the user has asked for this very change; otherwise the
        stores have to be permitted. Raises ChangedOnDiskError, LockedError,
        ReadOnlyError, NotPossibleError and NotWrittenError; then nothing was written.
        """
        self._refuse(planned.roots, is_permitted=is_permitted)
        if planned.is_idle:
            raise NotPossibleError("Nothing would differ.")
        before = self._refs_in(planned)
        applied = self._marked(
            self._engine.apply(planned.root, planned.draft, planned.refs)
        )
        self._catch_up(planned.roots)
        refs = refs_then(planned.word, planned.refs, before, self._refs_in(planned))
        return _change(applied, refs, f"recollect undo {applied.change}")

    def undo(self, change: str | None = None, *, is_permitted: bool = False) -> Change:
        """Take a change back, or the last that stands; raises what `change` does."""
        planned = self.undo_plan(change)
        self._refuse(planned.roots, is_permitted=is_permitted)
        before = self._refs_in(planned)
        applied = self._marked(self._engine.undo(change, self._remaker))
        self._catch_up(planned.roots)
        refs = refs_then(UNDO, applied.refs, before, self._refs_in(planned))
        told = replace(applied, action=f"{UNDO} {applied.action}")
        return _change(told, refs, _REDO)

    def redo(self, *, is_permitted: bool = False) -> Change:
        """Do again what was undone last; raises what `change` does."""
        undone = [Path(past.store) for past in self.changes() if past.undone]
        self._refuse(undone, is_permitted=is_permitted)
        applied = self._marked(self._engine.redo(self._remaker))
        self._catch_up([applied.root, *map(Path, applied.paths)])
        told = replace(applied, action=f"redo {applied.action}")
        return _change(told, applied.refs, f"recollect undo {applied.change}")

    def plan_return(self, name: Name, backup: str) -> "Planned":
        """What it would take for a record to say what a backup of it says.

        A backup goes by any beginning of its name that is no other's.
        """
        record = self._record(name)
        found = [one for one in self.backups(record) if one.backup.startswith(backup)]
        if not backup or len({one.backup for one in found}) != 1:
            raise NothingFoundError(f"No one backup of this is called {backup!r}.")
        form = self.form(record)
        if _whole(record) != form.raw:
            raise NotPossibleError(
                f"{path_of(record)} holds more than this record; undo the change "
                f"instead: recollect undo {found[0].change}"
            )
        from store.records.intents import Rewrite  # noqa: PLC0415  # only for changes

        raw = self._engine.blob(found[0].backup)
        return replace(
            self.plan(Rewrite(was=form.raw, raw=raw), [record]), word=_RETURN
        )

    def permit(self, store: Path, *, changes: bool = True) -> None:
        """Remember whether a store may be changed; raises NotWrittenError."""
        if self._writing is not None:
            permit(self._writing.places, str(store), changes=changes)

    def is_permitted(self, store: Path) -> bool:
        """Whether its owner has said that a store may be changed."""
        if self._writing is None:
            return False
        return str(store) in permitted(self._writing.places)

    def refuse_if_read_only(self, store: Path) -> None:
        """Raise ReadOnlyError where nothing may be written into a store at all."""
        if self._writing is None or self._writing.is_forbidden:
            raise ReadOnlyError("This session is read-only: nothing is changed.")
        if not os.access(store, os.W_OK):
            raise ReadOnlyError(f"{store} is read-only for you; nothing is changed.")

    def _refuse(self, roots: Iterable[Path], *, is_permitted: bool) -> None:
        """Raise ReadOnlyError where one of some stores is not to be written."""
        for root in roots:
            self.refuse_if_read_only(root)
            if not is_permitted and not self.is_permitted(root):
                raise ReadOnlyError(f"{root} is read-only until you allow changes.")

    def _catch_up(self, places: Sequence[Path]) -> None:
        """Read the stores that some places lie in; what was changed is, even if not."""
        touched = [
            found
            for found in self._stores
            if any(place.is_relative_to(found.path) for place in places)
        ]
        with (
            suppress(CatalogueBusyError, CatalogueDamagedError),
            only_one(self._lock, patience=_PATIENCE),
            self._catalogue.in_use() as connection,
        ):
            self._read_in(connection, touched, _silent)

    def _read_in(
        self,
        connection: sqlite3.Connection,
        stores: Sequence[Found],
        report: Callable[[Progress], None],
    ) -> SyncReport:
        """Read what moved in some stores; what is pinned for them is shown so."""
        done = sync(connection, stores, report, self._gap)
        if self._writing is not None:
            show_pins(connection, self._pins(self._writing.places))
        return done

    def _pins(self, places: Places) -> Mapping[str, Sequence[str]]:
        """The keys of the memories that are marked as pinned, store by store."""
        if not places.marks.exists():
            return {}
        from store.keeping.pinned import by_store, pinned  # noqa: PLC0415  # only for pins

        return by_store(pinned(places))

    def _marked(self, applied: "Applied") -> "Applied":
        """What was done, once that is remembered which the store has no words for."""
        if not applied.marks:
            return applied
        from store.keeping.pinned import keep_marks  # noqa: PLC0415  # only for pins

        root = str(applied.root)
        try:
            keep_marks(self._kept.places, root, applied.marks, self._present)
        except NotWrittenError as error:
            note = f"That it is pinned could not be remembered: {error}"
            return replace(applied, notes=(*applied.notes, note))
        return applied

    def _refs_in(self, planned: "Planned") -> list[str]:
        """The records in the files that a change touches, as the catalogue has them."""
        with self._catalogue.in_use() as connection:
            return refs_at(connection, kinds_of(planned.word), planned.places)

    def _remaker(self, root: Path, path: str) -> "Remake | None":
        """How a derived file of a store is made anew, where its format can."""
        for found in self._stores:
            if found.path == root and found.format.rebuilds:
                return lambda _raw: _remade(found, path)
        return None


def _silent(_progress: Progress) -> None:
    """Tell nobody."""


def _remade(found: Found, path: str) -> bytes:
    """A derived file, made anew from what lies in its store."""
    with found.format.open(found.path) as store:
        for name in found.format.rebuilds:
            for rebuilt in store.rebuild(name):
                if rebuilt.path == path:
                    return rebuilt.after.encode("utf-8", "surrogateescape")
    raise NotPossibleError(f"{path} cannot be made anew.")


def _whole(record: Changeable) -> bytes:
    """All that stands in the file of a record."""
    with Root(Path(record.store)) as root:
        return root.read(path_of(record)).raw


def _change(applied: "Applied", refs: tuple[str, ...], undo: str) -> Change:
    return Change(
        change=applied.change,
        action=applied.action,
        refs=refs,
        paths=applied.paths,
        backup=None if applied.backup is None else str(applied.backup),
        undo=undo,
        notes=applied.notes,
    )
