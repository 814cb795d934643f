"""Backups: what a record said before, and what it takes to have it say that again."""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec.structs import replace

from store.answers.changing import Changing
from store.catalogue.reader import Page
from store.discover import Found
from store.errors import NothingFoundError, RecollectError

if TYPE_CHECKING:
    from store.answers.planning import Name
    from store.edits.draft import Shown
    from store.edits.port import Changeable
    from store.planning import Planned
    from store.records.document import Document
    from store.records.reports import Backup

_RETURN = "return"

_BACKUP = "backup"
"""The category of documents that are copies which a store's own program kept."""


class Returning(Changing):
    """Answers with backups, and with plans to put them in place again."""

    def backups(self, name: "Name") -> "list[Backup]":
        """What a record's file was before, newest first; of others' copies last."""
        record = self._record(name)
        return [*super().backups(record), *self._copies(record)]

    def plan_return(self, name: "Name", backup: str) -> "Planned":
        """What it would take for a record to say what a backup of it says.

        A backup goes by any beginning of its name that is no other's. Where its file
        holds more than this record, all the rest stays as it is.
        """
        from store.answers.journalled import path_of

        record = self._record(name)
        raw = self._raw_of(self._named(record, backup))
        found = self._found(Path(record.store))
        shown = found.format.shown(path_of(record))
        if shown is not None:
            return self._put_back(found, record, raw, shown)
        was = self.form(record).raw
        if _whole(record) != was:
            raw = self._part_of(found, record, raw)
        from store.records.intents import Rewrite

        planned = self.plan(Rewrite(was=was, raw=raw), [record])
        action = f"{_RETURN} {planned.draft.action.partition(' ')[2]}"
        draft = replace(planned.draft, action=action)
        return replace(planned, word=_RETURN, draft=draft)

    def _named(self, record: "Changeable", name: str) -> "Backup":
        """The one backup of a record that is called so."""
        found = [one for one in self.backups(record) if one.backup.startswith(name)]
        if not name or len({one.backup for one in found}) != 1:
            raise NothingFoundError(f"No one backup of this is called {name!r}.")
        return found[0]

    def _raw_of(self, backup: "Backup") -> bytes:
        """What was kept; raises BackupLostError and UnreadableError."""
        from store.files.beneath import Root

        if backup.change is not None:
            return self._engine.blob(backup.backup)
        kept = Path(backup.kept).relative_to(backup.store)
        with Root(Path(backup.store)) as root:
            return root.read(kept.as_posix()).raw

    def _copies(self, record: "Changeable") -> "Iterator[Backup]":
        """The copies of a record's file that its store's own program kept."""
        from store.answers.journalled import path_of
        from store.records.document import Document

        path = path_of(record)
        beginning = f"{path.rpartition('/')[2]}.{_BACKUP}"
        for one in self.page("documents", Page()):
            if (
                isinstance(one, Document)
                and (one.store, one.category) == (record.store, _BACKUP)
                and one.path.rpartition("/")[2].startswith(beginning)
            ):
                yield _copy(one, path)

    def _part_of(self, found: Found, record: "Changeable", raw: bytes) -> bytes:
        """What a backup of a file says of one of the records in it."""
        from store.answers.journalled import path_of
        from store.edits.refusals import NotPossibleError

        path = path_of(record)
        with tempfile.TemporaryDirectory(prefix="recollect-") as folder:
            place = Path(folder) / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(raw)
            try:
                with found.format.scribe(Path(folder)) as scribe:
                    return scribe.form(record).raw
            except RecollectError as error:
                sentence = f"That backup of {path} does not hold this record."
                raise NotPossibleError(sentence) from error

    def _put_back(
        self, found: Found, record: "Changeable", raw: bytes, shown: "Shown"
    ) -> "Planned":
        """The whole file as it was: what is secret in it no editor has ever seen."""
        from store.answers.journalled import path_of
        from store.edits.draft import Draft, FileStep
        from store.planning import Planned

        path = path_of(record)
        step = FileStep(path=path, before=_whole(record), after=raw, shown=shown)
        draft = Draft(action=f"{_RETURN} {path}", steps=(step,))
        refs = (record.ref,) if record.ref else ()
        return Planned(draft=draft, root=found.path, word=_RETURN, refs=refs, count=1)


def _copy(document: "Document", path: str) -> "Backup":
    """A document that is a copy of a file, as backups are told."""
    from store.records.reports import Backup
    from store.times import parse

    kept = Path(document.store) / document.path
    told = parse(document.title.rpartition(" of ")[2])
    return Backup(
        backup=document.ref,
        change=None,
        at=told.iso,
        action=None,
        store=document.store,
        path=path,
        bytes=kept.stat().st_size if kept.is_file() else 0,
        kept=str(kept),
    )


def _whole(record: "Changeable") -> bytes:
    """All that stands in the file of a record."""
    from store.answers.journalled import path_of
    from store.files.beneath import Root

    with Root(Path(record.store)) as root:
        return root.read(path_of(record)).raw
