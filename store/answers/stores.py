"""The open stores: their index, the time of answers, and what may be changed."""

import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct
from msgspec.structs import replace

from store import errors
from store.catalogue.database import Catalogue
from store.catalogue.reader import (
    ALWAYS,
    Circumstances,
    Condition,
    Reader,
    StoreRow,
    known_stores,
)
from store.derive.conversations import USUAL
from store.discover import Found, with_rules
from store.kinds import KINDS
from store.machine import Places
from store.resource import Closing
from store.search.tree import EVERYTHING, Node
from store.state import by_store, permit, permitted, pinned

if TYPE_CHECKING:
    from store.catalogue.search import Finder
    from store.edits.draft import Scribe
    from store.formats.port import Format
    from store.kinds import Record
    from store.past.lookback import Lookback
    from store.provenance.history import Earlier


# The open stores: the index over them, and the time that answers are about.

_LITTLE = 2048
"""Kibibytes of pages that are kept where few are enough."""


def _present() -> int:
    return time.time_ns() // 1000


class Writing(Struct, frozen=True):
    """Where the journal of changes is kept, and whether any may be made."""

    places: Places
    is_forbidden: bool = False
    clock: Callable[[], int] = _present
    """The time of a change, in microseconds since 1970."""


class OpenStores(Closing):
    """What every answer depends on: the index, the stores, the time."""

    def __init__(
        self,
        catalogue: Path,
        now: int,
        gap: int = USUAL.gap,
        writing: Writing | None = None,
        spares: Iterable[Path] = (),
    ) -> None:
        """Open the catalogue.

        `now` is in microseconds since 1970; `gap` is the length in microseconds of a
        silence that separates two conversations. Without `writing`, the stores are
        read-only. `spares` are paths for temporary catalogues, tried in turn when the
        catalogue can't be opened or written.
        """
        self._spares = iter(spares)
        try:
            self.catalogue = Catalogue(catalogue)
        except errors.CatalogueUnusableError as error:
            self.catalogue = self._spare(error)
        self.now = now
        self.gap = gap
        self.writing = writing
        self.found: tuple[Found, ...] = ()
        self.circumstances = Circumstances(now)
        self._loaded: Finder | None = None
        self.lookback: Lookback | None = None
        """The past that is shown in place of the present, if it is."""

    @property
    def path(self) -> Path:
        """The catalogue's file, for readers in another process."""
        return self.catalogue.path

    @property
    def present(self) -> int:
        """The current time, which dates changes; answers refer to `now` instead."""
        return self.now if self.writing is None else self.writing.clock()

    @property
    def notice(self) -> str | None:
        """A message about the catalogue for the user, if there is one."""
        return self.catalogue.notice

    @property
    def is_replaced(self) -> bool:
        """Whether the catalogue was damaged, and is empty until the next sync."""
        return self.catalogue.is_replaced

    def remembered(self) -> list[StoreRow]:
        """The stores in the catalogue; does not search the disk."""
        with self.catalogue.in_use() as connection:
            return known_stores(connection)

    @property
    def chosen(self) -> tuple[Path, ...]:
        """The paths of the chosen stores."""
        return tuple(found.path for found in self.found)

    @property
    def formats(self) -> list[str]:
        """The formats of the chosen stores, one for each."""
        return [found.format.name for found in self.found]

    @property
    def given_format(self) -> str | None:
        """The format that `--as` gave the chosen stores, if it did."""
        given = (found.format.name for found in self.found if found.is_given)
        return next(given, None)

    def choose(self, stores: Sequence[Found]) -> None:
        """Use these stores from now on."""
        self.found = with_rules(stores)

    def choose_also(self, store: Found) -> None:
        """Use this store as well from now on."""
        if store.path not in self.chosen:
            self.found = with_rules((*self.found, store))

    def look_since(
        self, looked: Mapping[str, int], marked: frozenset[str] = frozenset()
    ) -> None:
        """Set what `is:new`, `since:last` and `is:marked` refer to.

        `looked` is the time when the user last viewed each store, by its path.
        """
        self.circumstances = Circumstances(self.now, looked, marked)

    def as_of(self, now: int) -> None:
        """Answer as of another time from now on."""
        self.now = now
        self.circumstances = replace(self.circumstances, now=now)

    def keep_little(self) -> None:
        """Shrink the page cache, for a process that answers short queries for hours."""
        self.catalogue.connection.execute(f"PRAGMA cache_size = -{_LITTLE}")

    def give_up(self) -> None:
        """Cancel the running query; called from another thread."""
        self.catalogue.connection.interrupt()

    def close(self) -> None:
        """Close the index."""
        self.catalogue.close()

    def use_spare(self, error: errors.CatalogueUnusableError) -> None:
        """Answer from a temporary index from now on, or raise the error."""
        spare = self._spare(error)
        self.catalogue.close()
        self.catalogue = spare

    def _spare(self, error: errors.CatalogueUnusableError) -> Catalogue:
        """The next temporary catalogue that opens; raises the error after the last."""
        for path in self._spares:
            with suppress(errors.CatalogueUnusableError):
                spare = Catalogue(path)
                spare.notice = f"{error} Using a temporary index."
                return spare
        raise error

    @contextmanager
    def reader(self) -> Generator[Reader]:
        """A reader of the index that sees these stores alone."""
        with self.catalogue.in_use() as connection:
            rows = [s.row for s in known_stores(connection) if s.path in self.chosen]
            yield Reader(connection, rows)

    @contextmanager
    def reader_of(self, found: Found) -> Generator[Reader]:
        """A reader of the index that sees one store alone."""
        with self.catalogue.in_use() as connection:
            known = known_stores(connection)
            yield Reader(connection, [s.row for s in known if s.path == found.path])

    def condition(
        self, reader: Reader, kind: str, query: Node, sort: str | None = None
    ) -> Condition:
        """A query as SQL; a list of everything loads nothing for it.

        Sorting by cost needs the functions that queries have.
        """
        if query == EVERYTHING and sort != "cost":
            listed = KINDS[kind].is_listed
            return Condition(listed) if listed else ALWAYS
        return self.finder.condition(reader, kind, query)

    @property
    def finder(self) -> "Finder":
        """The query code, loaded on first use."""
        if self._loaded is None:
            from store.catalogue.search import Finder  # noqa: PLC0415  # only for queries

            self._loaded = Finder()
        self._loaded.circumstances = self.circumstances
        return self._loaded

    def store_at(self, place: Path) -> Found:
        """The open store at a path; raises NotPossibleError."""
        for found in self.found:
            if found.path == place:
                return found
        raise errors.NotPossibleError(f"{place} isn't one of the open stores.")

    def format_of(self, store: str) -> "Format":
        """The format of an open store."""
        for found in self.found:
            if str(found.path) == store:
                return found.format
        raise errors.NothingFoundError(f"{store} isn't open.")

    def editor_of(self, found: Found) -> "Scribe":
        """The scribe for a store; raises ReadOnlyError if its format has none."""
        try:
            return found.format.scribe(found.path)
        except errors.NotPossibleError as error:
            raise errors.ReadOnlyError(str(error)) from error

    def earlier(self, connection: sqlite3.Connection) -> "Earlier":
        """What is known about files that are gone."""
        from store.provenance.history import Earlier  # noqa: PLC0415  # if one is gone

        rows = [store.row for store in known_stores(connection)]
        places = None if self.writing is None else self.writing.places
        formats = {found.path: found.format for found in self.found}
        return Earlier(Reader(connection, rows), formats, places, self.now)

    def pins(self) -> Mapping[str, Sequence[str]]:
        """The keys of pinned memories, by store."""
        if self.writing is None or not self.writing.places.marks.exists():
            return {}
        return by_store(pinned(self.writing.places))

    def mirrored(self, record: "Record") -> "Record":
        """A record of the past as if its store were where its file was rebuilt."""
        if self.lookback is None:
            return record
        path = getattr(record, "path", "") or getattr(record, "source", "")
        mirror = self.lookback.mirror(record.store, path)
        return record if mirror is None else replace(record, store=str(mirror))


# Whether a store may be changed: the one place that decides it, and says why not.


class Access:
    """What may be written in this session."""

    def __init__(self, stores: OpenStores) -> None:
        self._stores = stores

    def permit(self, store: Path, *, changes: bool = True) -> None:
        """Remember whether changes to a store are allowed; raises NotWrittenError."""
        if self._stores.writing is not None:
            permit(self._stores.writing.places, str(store), changes=changes)

    def is_permitted(self, store: Path) -> bool:
        """Whether the user has allowed changes to a store."""
        if self._stores.writing is None:
            return False
        return str(store) in permitted(self._stores.writing.places)

    @property
    def is_read_only(self) -> bool:
        """Whether the whole session is read-only."""
        return self._stores.writing is None or self._stores.writing.is_forbidden

    def require_writable(self, store: Path) -> None:
        """Raise ReadOnlyError if the session or the store's folder is read-only."""
        self.require_session()
        if not os.access(store, os.W_OK):
            raise errors.ReadOnlyError(f"You can't write to {store}.")

    def require(self, roots: Iterable[Path], *, is_permitted: bool) -> None:
        """Raise ReadOnlyError if one of the stores may not be changed."""
        self.require_session()
        for root in roots:
            self.require_writable(root)
            if not is_permitted and not self.is_permitted(root):
                raise errors.ReadOnlyError(
                    f"{root} is read-only. Press ! to allow edits."
                )

    def require_session(self) -> None:
        """Raise ReadOnlyError if the whole session is read-only."""
        if self.is_read_only:
            raise errors.ReadOnlyError("This session is read-only.")

    @property
    def writing(self) -> Writing:
        """Where changes are recorded; raises ReadOnlyError if nothing may change."""
        if self._stores.writing is None:
            raise errors.ReadOnlyError("This session is read-only.")
        return self._stores.writing
