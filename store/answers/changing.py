"""Changes: what was planned is written, told, and taken back."""

import os
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.journalled import REDO, UNDO, Journalled
from store.discover import Found
from store.errors import CatalogueBusyError, CatalogueDamagedError
from store.places import Places
from store.records.reports import Change, SyncReport

if TYPE_CHECKING:
    from store.answers.exchanging import Exchanges
    from store.edits.draft import Remake
    from store.edits.engine import Applied
    from store.planning import Planned
    from store.records.reports import Progress

_PATIENCE = 10.0
"""Seconds to wait for another process that reads the stores, so that what was changed
is known; if that takes longer, it is read there anyway."""

_AGAIN = f"recollect {REDO}"


class Changing(Journalled):
    """Answers with what was changed just now."""

    def change(self, planned: "Planned", *, is_permitted: bool = False) -> Change:
        """Write what was planned, and read it.

        `is_permitted` says that the user has asked for this very change; otherwise the
        stores have to be permitted. Raises ChangedOnDiskError, LockedError,
        ReadOnlyError, NotPossibleError and NotWrittenError; then nothing was written.
        """
        from store.answers.touched import refs_then
        from store.edits.refusals import NotPossibleError

        self._refuse(planned.roots, is_permitted=is_permitted)
        if planned.is_idle:
            raise NotPossibleError("Nothing would differ.")
        told = self._exchanges(planned)
        before = self._refs_in(planned, told)
        with self._discreet():
            applied = self._engine.apply(planned.root, planned.draft, planned.refs)
        self._catch_up(planned.roots, _files(applied), told)
        after = self._refs_in(planned, told, is_done=True)
        refs = refs_then(planned.word, planned.refs, before, after)
        return _change(applied, refs, f"recollect undo {applied.change}")

    def undo(self, change: str | None = None, *, is_permitted: bool = False) -> Change:
        """Take a change back, or the last that stands; raises what `change` does."""
        from store.answers.touched import refs_then

        planned = self.undo_plan(change)
        self._refuse(planned.roots, is_permitted=is_permitted)
        told = self._exchanges(planned)
        before = self._refs_in(planned, told)
        with self._discreet():
            applied = self._engine.undo(change, self._remaker)
        self._catch_up(planned.roots, _files(applied), told)
        after = self._refs_in(planned, told, is_done=True)
        refs = refs_then(UNDO, applied.refs, before, after)
        told = replace(applied, action=f"{UNDO} {applied.action}")
        return _change(told, refs, _AGAIN)

    def redo(self, *, is_permitted: bool = False) -> Change:
        """Do again what was undone last; raises what `change` does."""
        planned = self.redo_plan()
        self._refuse(planned.roots, is_permitted=is_permitted)
        told = self._exchanges(planned)
        with self._discreet():
            applied = self._engine.redo(self._remaker)
        files = _files(applied)
        self._catch_up([applied.root, *files], files, told)
        told = replace(applied, action=f"{REDO} {applied.action}")
        return _change(told, applied.refs, f"recollect undo {applied.change}")

    def permit(self, store: Path, *, changes: bool = True) -> None:
        """Remember whether a store may be changed; raises NotWrittenError."""
        from store.keeping.permitted import permit

        if self._writing is not None:
            permit(self._writing.places, str(store), changes=changes)

    def is_permitted(self, store: Path) -> bool:
        """Whether its owner has said that a store may be changed."""
        from store.keeping.permitted import permitted

        if self._writing is None:
            return False
        return str(store) in permitted(self._writing.places)

    @property
    def is_read_only(self) -> bool:
        """Whether nothing at all is written in this session."""
        return self._writing is None or self._writing.is_forbidden

    def refuse_if_read_only(self, store: Path) -> None:
        """Raise ReadOnlyError where nothing may be written into a store at all."""
        from store.edits.refusals import ReadOnlyError

        if self.is_read_only:
            raise ReadOnlyError("This session is read-only: nothing is changed.")
        if not os.access(store, os.W_OK):
            raise ReadOnlyError(f"{store} is read-only for you; nothing is changed.")

    def _refuse(self, roots: Iterable[Path], *, is_permitted: bool) -> None:
        """Raise ReadOnlyError where one of some stores is not to be written."""
        from store.edits.refusals import ReadOnlyError

        for root in roots:
            self.refuse_if_read_only(root)
            if not is_permitted and not self.is_permitted(root):
                raise ReadOnlyError(f"{root} is read-only until you allow changes.")

    def _exchanges(self, planned: "Planned") -> "Exchanges":
        """Which lines a change exchanges in files that are known as they are."""
        from store.answers.exchanging import exchanges

        with self._catalogue.in_use() as connection:
            return exchanges(connection, planned)

    def _catch_up(
        self, places: Sequence[Path], files: Sequence[Path], told: "Exchanges"
    ) -> None:
        """Read what was changed, if it concerns others with all of its store.

        It stays changed even if that cannot be read.
        """
        from store.catalogue.lock import only_one
        from store.catalogue.nearby import read_near

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
            near = _by_store(touched, files)
            if near and all(
                read_near(connection, found, paths, told.of_store(found.path))
                for found, paths in near
            ):
                touched = []
            self._read_in(connection, touched, _silent)

    def _read_in(
        self,
        connection: sqlite3.Connection,
        stores: Sequence[Found],
        report: "Callable[[Progress], None]",
    ) -> SyncReport:
        """Read what moved in some stores; what is pinned for them is shown so."""
        from store.catalogue.pinning import show_pins
        from store.catalogue.sync import sync

        done = sync(connection, stores, report, self._gap)
        if self._writing is not None:
            show_pins(connection, self._pins(self._writing.places))
        return done

    def _pins(self, places: Places) -> Mapping[str, Sequence[str]]:
        """The keys of the memories that are marked as pinned, store by store."""
        if not places.marks.exists():
            return {}
        from store.keeping.pinned import by_store, pinned

        return by_store(pinned(places))

    def _refs_in(
        self, planned: "Planned", told: "Exchanges", *, is_done: bool = False
    ) -> list[str]:
        """The records in what a change exchanges, as the catalogue has them.

        Those before it or, where it `is_done`, those after it.
        """
        from store.answers.touched import kinds_of
        from store.catalogue.holding import refs_at

        with self._catalogue.in_use() as connection:
            places = [
                (place, told.lines(place, is_done=is_done)) for place in planned.places
            ]
            return refs_at(connection, kinds_of(planned.word), places)

    def _remaker(self, root: Path, path: str) -> "Remake | None":
        """How a derived file of a store is made anew, where its format can."""
        for found in self._stores:
            if found.path == root and found.format.rebuilds:
                return lambda _raw: _remade(found, path)
        return None


def _silent(_progress: "Progress") -> None:
    """Tell nobody."""


def _remade(found: Found, path: str) -> bytes | None:
    """A derived file, made anew from what lies in its store; None where it cannot."""
    with found.format.open(found.path) as store:
        for name in found.format.rebuilds:
            for rebuilt in store.rebuild(name):
                if rebuilt.path == path:
                    return rebuilt.after.encode("utf-8", "surrogateescape")
    return None


def _files(applied: "Applied") -> list[Path]:
    """The files that were written, wherever they lie."""
    return [applied.root / path for path in applied.paths]


def _by_store(
    stores: Sequence[Found], files: Sequence[Path]
) -> list[tuple[Found, list[str]]]:
    """The files of each store: a file is of the innermost that it lies in.

    None of them where one lies elsewhere.
    """
    chosen: dict[Path, list[str]] = {}
    by_path = {found.path: found for found in stores}
    for file in files:
        root = next((one for one in file.parents if one in by_path), None)
        if root is None:
            return []
        chosen.setdefault(root, []).append(file.relative_to(root).as_posix())
    return [(by_path[root], paths) for root, paths in chosen.items()]


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
