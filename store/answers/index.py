"""The index kept in step with the files: all of it, or what a change touched."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from store import errors
from store.answers.journal import Journal
from store.answers.stores import OpenStores
from store.catalogue.annotations import (
    identities,
    show_half_done,
    show_ignored,
    show_lost,
    show_pins,
)
from store.catalogue.database import only_one
from store.catalogue.sync import Move, moves_since, newest_move, sync
from store.discover import Found
from store.kinds import KINDS
from store.kinds.problems import Problem, score
from store.machine import NotWrittenError
from store.records.reports import Progress, SyncReport
from store.state import Score, ignore, ignored, note_score, scores
from store.times import moment_of

if TYPE_CHECKING:
    from store.catalogue.partial_sync import Exchanges
    from store.records.reports import Past


def silent(_progress: Progress) -> None:
    """Report nothing."""


class Index:
    """Reads what moved in the stores."""

    patience = 10.0
    """Seconds that a change waits for a sync in another process before it returns.

    The index then lags behind the change until that sync has read it.
    """

    def __init__(self, stores: OpenStores, journal: Journal) -> None:
        self._stores = stores
        self._journal = journal

    def sync(
        self,
        report: Callable[[Progress], None] = silent,
        *,
        waits: bool = True,
        again: Sequence[Path] = (),
    ) -> SyncReport:
        """Read everything that changed, after resolving interrupted changes.

        Files in `again`, or in folders in `again`, are read from the start. If another
        process is syncing, this waits for it and then finds nothing left to do, or
        raises CatalogueBusyError if `waits` is False. If the catalogue can't be
        written, everything is read into a temporary one.
        """
        while True:
            try:
                return self._sync_alone(report, again, waits=waits)
            except errors.CatalogueUnusableError as error:
                self._stores.use_spare(error)

    def newest_move(self) -> int:
        """The number of the latest change, for a later call of `moves`."""
        with self._stores.catalogue.in_use() as connection:
            return newest_move(connection)

    def state(self) -> tuple[int, int]:
        """What differs once anybody else has changed the index."""
        with self._stores.catalogue.in_use() as connection:
            (changes,) = connection.execute("PRAGMA data_version").fetchone()
        return id(connection), changes

    def moves(self, since: int) -> list[Move]:
        """The changes in the stores since a number, whichever process read them."""
        with self._stores.catalogue.in_use() as connection:
            moves = moves_since(connection, since)
        return [move for move in moves if move.store in self._stores.chosen]

    def catch_up(
        self,
        places: Sequence[Path],
        files: Sequence[Path],
        exchanged: "Exchanges | None",
    ) -> tuple[str, ...]:
        """Read the changed files; returns notes on why the index is outdated, if it is.

        The change has already been made, so problems with the index are not raised.
        """
        try:
            self._read_changed(places, files, exchanged)
        except errors.CatalogueDamagedError as error:
            with suppress(errors.CatalogueError):
                self._read_all()
            return (str(error),)
        except errors.CatalogueUnusableError as error:
            with suppress(errors.CatalogueError):
                self._stores.use_spare(error)
                self._read_all()
            return (f"Saved, but the index is out of date. {error}",)
        except errors.CatalogueError as error:
            return (f"Saved, but the index is out of date. {error}",)
        return ()

    def _read_all(self) -> None:
        """Read the stores into an empty catalogue."""
        with self._stores.catalogue.in_use() as connection:
            self._read_in(connection, self._stores.found, silent)

    def _read_changed(
        self,
        places: Sequence[Path],
        files: Sequence[Path],
        exchanged: "Exchanges | None",
    ) -> None:
        """Read the changed files, or their whole stores if that is not enough.

        A pin that the stores have no field for changes no file.
        """
        from store.catalogue.partial_sync import read_near  # noqa: PLC0415  # only after a change

        touched = [
            found
            for found in self._stores.found
            if any(place.is_relative_to(found.path) for place in places)
        ]
        with (
            only_one(self._stores.catalogue.lock, patience=self.patience),
            self._stores.catalogue.in_use() as connection,
        ):
            near = _by_store(touched, files)
            is_read = (
                read_near(
                    connection, one, paths, exchanged and exchanged.of_store(one.path)
                )
                for one, paths in near
            )
            if not files or (near and all(is_read)):
                touched = []
            self._read_in(connection, touched, silent)

    def _read_in(
        self,
        connection: sqlite3.Connection,
        stores: Sequence[Found],
        report: Callable[[Progress], None],
        again: Sequence[Path] = (),
    ) -> SyncReport:
        """Sync some stores, then update pins and half-done changes in the catalogue."""
        done = sync(connection, stores, report, self._stores.gap, again)
        if self._stores.writing is not None:
            show_pins(connection, self._stores.pins())
            show_half_done(connection, _as_problems(self._journal.half_done()))
            show_lost(connection, partial(self._stores.earlier, connection))
            show_ignored(connection, ignored(self._stores.writing.places))
        return done

    def check_fully(self) -> None:
        """Run the checks that take long, and keep their problems until the next one.

        A problem is gone as soon as its file is read again.
        """
        from store.answers.fixes import check_fully  # noqa: PLC0415  # only on request

        with self._stores.reader() as reader:
            doubles = self._stores.finder.doubles(reader)
        with (
            only_one(self._stores.catalogue.lock, patience=self.patience),
            self._stores.catalogue.in_use() as connection,
        ):
            check_fully(connection, self._stores.found, doubles, self._stores.now)

    def scores(self) -> list[Score]:
        """How healthy the stores are, and were on earlier days; today comes last."""
        with self._stores.reader() as reader:
            rows = reader.execute(
                "SELECT severity, sum(count) FROM problems "
                f"WHERE shared IS NULL AND NOT ignored AND {reader.within('store')} "
                "GROUP BY severity",
                reader.stores_seen,
            )
            counts: dict[str, int] = dict(rows)
            memories = reader.count(KINDS["memories"])
        today = Score(
            day=moment_of(self._stores.now).date().isoformat(),
            score=score(counts, memories),
            errors=counts.get("error", 0),
            warnings=counts.get("warning", 0),
            notes=counts.get("note", 0),
        )
        writing = self._stores.writing
        if writing is None:
            return [today]
        stores = [str(found.path) for found in self._stores.found]
        with suppress(NotWrittenError):
            note_score(writing.places, stores, today)
        before = scores(writing.places, stores)
        return [*(one for one in before if one.day < today.day), today]

    def ignore(self, problems: Sequence[Problem], *, ignores: bool) -> None:
        """Ignore problems until they change, or report them again.

        Raises NotWrittenError, and ReadOnlyError if nothing can be remembered.
        """
        if self._stores.writing is None:
            raise errors.ReadOnlyError("This session is read-only; nothing is saved.")
        places = self._stores.writing.places
        with self._stores.catalogue.in_use() as connection:
            ignore(places, identities(connection, problems), ignores=ignores)
            show_ignored(connection, ignored(places))

    def _sync_alone(
        self,
        report: Callable[[Progress], None],
        again: Sequence[Path],
        *,
        waits: bool,
    ) -> SyncReport:
        with only_one(self._stores.catalogue.lock, waits=waits):
            try:
                return self._sync(report, again)
            except errors.CatalogueDamagedError as damaged:
                self._stores.catalogue.notice = str(damaged)
                return self._sync(report, again)

    def _sync(
        self, report: Callable[[Progress], None], again: Sequence[Path]
    ) -> SyncReport:
        with self._stores.catalogue.in_use() as connection:
            return self._read_in(connection, self._stores.found, report, again)


def _as_problems(
    half_done: "Sequence[Past]",
) -> Mapping[str, Sequence[tuple[str, str, str]]]:
    """Half-done changes as problems, by store: path, message and fix."""
    found: dict[str, list[tuple[str, str, str]]] = {}
    for past in half_done:
        message = (
            f"“{past.action}” is half done: another program has changed this file."
        )
        fix = f"recollect resolve {past.change}"
        places = [(one.store, one.path) for one in past.conflicts]
        for store, path in places or [(past.store, path) for path in past.paths[:1]]:
            found.setdefault(store, []).append((path, message, fix))
    return found


def _by_store(
    stores: Sequence[Found], files: Sequence[Path]
) -> list[tuple[Found, list[str]]]:
    """The files by store, each in the innermost store that contains it.

    Empty if any file is outside the stores.
    """
    chosen: dict[Path, list[str]] = {}
    by_path = {found.path: found for found in stores}
    for file in files:
        root = next((one for one in file.parents if one in by_path), None)
        if root is None:
            return []
        chosen.setdefault(root, []).append(file.relative_to(root).as_posix())
    return [(by_path[root], paths) for root, paths in chosen.items()]
