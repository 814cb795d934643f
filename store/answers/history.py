"""Who wrote a record and when, its backups, and the stores as of another date."""

import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store import errors
from store.answers.changes import path_of
from store.answers.index import silent
from store.answers.journal import Journal
from store.answers.lists import Lists
from store.answers.plans import Plans
from store.answers.records import Name, changeable, record_named
from store.answers.stores import OpenStores
from store.catalogue.reader import Page, Reader
from store.derive.paths import Placed
from store.discover import Found
from store.edits.draft import Changeable, Draft, FileStep, Shown
from store.edits.plan import Planned
from store.files.beneath import Root
from store.kinds.pages import Document
from store.past import lookback as looking
from store.past.rebuild import Maker
from store.provenance.calls import Calls, Commands
from store.provenance.history import Changes, Tracer, text_now
from store.records.intents import Rewrite
from store.records.reports import Backup
from store.times import parse

if TYPE_CHECKING:
    from store.kinds.messages import Message
    from store.past.lookback import Lookback
    from store.provenance.calls import Past
    from store.records.answers import Blame, Version
    from store.records.reports import Progress


Complain = Callable[[str], None]
"""Receives what was in the way of an answer."""

_MIRRORS = "stores"
"""The folder of files that were different then."""

_RETURN = "return"

_BACKUP = "backup"
"""The category of documents that are copies which a store's own program kept."""


def _silent(_sentence: str) -> None:
    """Ignore it."""


class History:
    """Who wrote what and when, and what it takes to have it back."""

    def __init__(
        self, stores: OpenStores, lists: Lists, plans: Plans, journal: Journal
    ) -> None:
        self._stores = stores
        self._lists = lists
        self._plans = plans
        self._journal = journal

    def blame(self, name: str, complain: Complain = _silent) -> "Blame":
        """The lines of a record's file by author; raises UnreadableError."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return self._tracer(reader, complain).blame(record)

    def versions(self, name: str, complain: Complain = _silent) -> "list[Version]":
        """The known changes of a record's file, newest first."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return self._tracer(reader, complain).versions(record)

    def traced(
        self, name: str, complain: Complain = _silent
    ) -> "tuple[list[Version], Blame | None]":
        """Versions and blame in one pass; no blame if the file cannot be read."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return self._tracer(reader, complain).traced(record)

    def written_by(self, name: str) -> "list[Message]":
        """The messages whose calls wrote the file of a record, oldest first."""
        with self._stores.reader() as reader:
            record = record_named(self._stores, reader, name)
            return self._tracer(reader, _silent).messages(record)

    def look_back(
        self,
        at: int,
        folder: Path,
        report: "Callable[[Progress], None]" = silent,
    ) -> "Lookback":
        """The stores as of a time, read into a separate catalogue.

        All its files are in `folder`, which the caller has to remove. Raises
        NoStoresError and CatalogueUnusableError.
        """
        if not self._stores.found:
            raise errors.NoStoresError("No store to look back at.")
        formats = {found.path: found.format for found in self._stores.found}
        with self._stores.reader() as reader:
            pasts = (Calls(reader, formats, self._stores.now), *self._others())
            leaving = Commands(reader, self._stores.finder, formats, self._stores.now)
            maker = Maker(reader, pasts, leaving, at, folder / _MIRRORS)
            remade = tuple(looking.remade(maker, self._stores.found))
        return looking.read(remade, self._stores.path, folder, self._stores.gap, report)

    def backups(self, name: Name) -> list[Backup]:
        """A record's file before each change, newest first; then the store's copies."""
        record = changeable(self._stores, name, is_changed=False)
        kept = self._journal.engine.backups(Path(record.store), path_of(record))
        return [*kept, *self._copies(record)]

    def plan_return(self, name: Name, backup: str) -> Planned:
        """The plan that restores a record from a backup.

        `backup` is the backup's name, or any unambiguous beginning of it. If the file
        contains other records, they stay as they are.
        """
        record = changeable(self._stores, name)
        raw = self._raw_of(self._named(record, backup))
        found = self._stores.store_at(Path(record.store))
        shown = found.format.shown(path_of(record))
        if shown is not None:
            return self._put_back(found, record, raw, shown)
        was = self._plans.form(record).raw
        if _whole(record) != was:
            raw = self._part_of(found, record, raw)
        planned = self._plans.plan(Rewrite(was=was, raw=raw), [record])
        action = f"{_RETURN} {planned.draft.action.partition(' ')[2]}"
        draft = replace(planned.draft, action=action)
        return replace(planned, word=_RETURN, draft=draft)

    def _tracer(self, reader: Reader, complain: Complain) -> Tracer:
        formats = {found.path: found.format for found in self._stores.found}
        others = self._others()
        tracer = Tracer(
            reader, self._stores.finder, formats, others, self._stores.now, complain
        )
        lookback = self._stores.lookback
        if lookback is None:
            return tracer

        def text_of(place: Placed) -> str:
            """The text of a file at the time that is shown."""
            store = str(lookback.mirror(*place) or place.store)
            return text_now(Placed(store, place.path))

        return replace(tracer, until=lookback.at, text_of=text_of)

    def _others(self) -> "list[Past]":
        """Sources of earlier versions besides transcripts and git: our own journal."""
        if self._stores.writing is None:
            return []
        return [Changes(self._stores.writing.places)]

    def _named(self, record: Changeable, name: str) -> Backup:
        """The only backup of a record whose name starts like this."""
        found = [one for one in self.backups(record) if one.backup.startswith(name)]
        if not name or len({one.backup for one in found}) != 1:
            sentence = f"No single backup matches {name!r}"
            raise errors.NothingFoundError(
                f"{sentence}; recollect backups {record.ref} lists them."
            )
        return found[0]

    def _raw_of(self, backup: Backup) -> bytes:
        """The content of a backup; raises BackupLostError and UnreadableError."""
        if backup.change is not None:
            return self._journal.engine.blob(backup.backup)
        kept = Path(backup.kept).relative_to(backup.store)
        with Root(Path(backup.store)) as root:
            return root.read(kept.as_posix()).raw

    def _copies(self, record: Changeable) -> Iterator[Backup]:
        """The backups of a record's file that the store's own program made."""
        path = path_of(record)
        beginning = f"{path.rpartition('/')[2]}.{_BACKUP}"
        for one in self._lists.page("documents", Page()):
            if (
                isinstance(one, Document)
                and (one.store, one.category) == (record.store, _BACKUP)
                and one.path.rpartition("/")[2].startswith(beginning)
            ):
                yield _copy(one, path)

    def _part_of(self, found: Found, record: Changeable, raw: bytes) -> bytes:
        """The part of a file's backup that is about one record."""
        path = path_of(record)
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(raw)
            try:
                with found.format.scribe(Path(folder)) as scribe:
                    return scribe.form(record).raw
            except errors.RecollectError as error:
                sentence = f"That backup of {path} doesn't contain this record."
                raise errors.NotPossibleError(sentence) from error

    def _put_back(
        self, found: Found, record: Changeable, raw: bytes, shown: Shown
    ) -> Planned:
        """The plan that restores a whole file, whose secrets no editor may show."""
        path = path_of(record)
        step = FileStep(path=path, before=_whole(record), after=raw, shown=shown)
        draft = Draft(action=f"{_RETURN} {path}", steps=(step,))
        refs = (record.ref,) if record.ref else ()
        return Planned(draft=draft, root=found.path, word=_RETURN, refs=refs, count=1)


def _copy(document: Document, path: str) -> Backup:
    """A document that is a copy of a file, as a backup."""
    kept = Path(document.store) / document.path
    when = parse(document.title.rpartition(" of ")[2])
    return Backup(
        backup=document.ref,
        change=None,
        at=when.iso,
        action=None,
        store=document.store,
        path=path,
        bytes=kept.stat().st_size if kept.is_file() else 0,
        kept=str(kept),
    )


def _whole(record: Changeable) -> bytes:
    """The whole file that contains a record."""
    with Root(Path(record.store)) as root:
        return root.read(path_of(record)).raw
