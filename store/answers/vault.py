"""Conversations saved before their agent removes them."""

from collections.abc import Iterable, Sequence
from contextlib import nullcontext, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from msgspec import Struct

from store.answers.records import Name, changeable
from store.answers.stores import Access, OpenStores
from store.catalogue.counts import first_of
from store.catalogue.reader import Reader, Span
from store.edits.draft import SAVED, Draft, Marking
from store.edits.plan import Planned
from store.errors import (
    NotPossibleError,
    ReadOnlyError,
    RecollectError,
    UnreadableError,
)
from store.kinds.conversations import Conversation
from store.machine import Places
from store.records.reports import Change, DamageReport, EndangeredReport, KeptReport
from store.times import shown_time
from store.vault.storage import Source
from store.vault.vault import DAY, Vault, endangered, transcript_of

if TYPE_CHECKING:
    from store.answers.changes import Changes
    from store.vault.storage import Kept
    from store.vault.vault import Endangered


_FEW = 8
"""How many conversations of a session are searched for its transcript."""

_NO_TRANSCRIPT = "The conversation's transcript isn't in any open store."


class Saved(Struct, frozen=True):
    """What was saved in the vault, or removed from it."""

    kept: tuple[KeptReport, ...]
    """The sessions."""
    change: Change | None
    """The change, for undo; None if nothing was pinned or unpinned that undo could
    reverse."""


class SavedConversations:
    """Conversations saved where no agent removes them.

    Saving writes to no store, so it needs no permission, but the journal has it as a
    mark: undo releases the conversation, or saves it again while the original exists.
    """

    def __init__(self, stores: OpenStores, access: Access, changes: "Changes") -> None:
        self._stores = stores
        self._access = access
        self._changes = changes

    def reason_against(self, record: Conversation) -> str:
        """Why a conversation can't be saved; empty if it can."""
        try:
            self._vault_to_write()
            self._sources([record])
        except (NotPossibleError, ReadOnlyError) as error:
            return str(error)
        return ""

    def keep(self, names: Sequence[Name]) -> Saved:
        """Save the sessions of some conversations in their current state.

        Raises LockedError, NotPossibleError, NotWrittenError, ReadOnlyError and
        UnreadableError.
        """
        return self._keep(self._sources(names))

    def release(self, names: Sequence[Name]) -> Saved:
        """Remove some from the vault; if the original is gone, that was the last copy.

        Raises what `keep` raises.
        """
        vault = self._vault_to_write()
        found = [vault.of(*_place(source)) for source in self._sources(names)]
        kept = [one for one in found if one]
        report = self._reported(kept)
        for one in kept:
            if one.is_gone:
                vault.release(*_place(one.source), self._stores.present)
        change = self._recorded([one for one in report if not one.gone], pins=False)
        return Saved(tuple(report), change)

    def follow(self, root: Path, marks: Sequence[Marking], now: int) -> None:
        """Save or release the conversations that a change pins or unpins.

        What is saved or released already stays as it is, and so does an only copy.
        Raises NotWrittenError and UnreadableError.
        """
        vault = self._vault_to_write()
        for mark in marks:
            source = Source(str(mark.root or root), mark.path)
            kept = vault.of(*_place(source))
            if mark.is_set and kept is None and source.file.exists():
                with self._stores.reader() as reader:
                    title = first_of(reader, *_place(source)).title
                vault.keep(*_place(source), now, title)
            elif kept and not (mark.is_set or kept.is_gone):
                vault.release(*_place(source), now)

    def kept(self) -> list[KeptReport]:
        """Everything in the vault, latest first; raises UnreadableError."""
        return (
            [] if self._stores.writing is None else self._reported(self._vault.kept())
        )

    def kept_of(self, names: Sequence[Name]) -> list[KeptReport]:
        """What the vault has of some conversations; raises what `keep` raises."""
        if self._stores.writing is None:
            return []
        vault = self._vault
        found = (vault.of(*_place(source)) for source in self._sources(names))
        return self._reported([one for one in found if one])

    def endangered(self, days: float) -> list[EndangeredReport]:
        """The transcripts that will be removed within some days, soonest first.

        Those saved in their current state are left out.
        """
        kept = [] if self._stores.writing is None else self._vault.kept()
        safe = {one.source: one.files[0].newest for one in kept}
        until = self._stores.now + int(days * DAY)
        found: list[Endangered] = []
        for place in self._stores.chosen:
            with suppress(UnreadableError):
                found += endangered(place, until)
        left = [one for one in found if not one.is_in(safe.get(one.source))]
        left.sort(key=lambda one: (one.removed_at, one.source))
        with self._stores.reader() as reader:
            firsts = [first_of(reader, *_place(one.source)) for one in left]
        return [
            EndangeredReport(
                ref=first.ref,
                session=one.source.session,
                title=first.title,
                removed=shown_time(one.removed_at),
                bytes=one.size,
                path=one.source.path,
                store=one.source.store,
            )
            for one, first in zip(left, firsts, strict=True)
        ]

    def rescue(self, endangered: Iterable[EndangeredReport]) -> Saved:
        """Save the endangered transcripts; those already gone are skipped.

        Raises LockedError, NotWrittenError and ReadOnlyError.
        """
        sources = [Source(one.store, one.path) for one in endangered]
        return self._keep(sources, skips=True)

    def verify(self) -> list[DamageReport]:
        """Check every byte in the vault; raises UnreadableError."""
        damages = [] if self._stores.writing is None else self._vault.verify()
        return [
            DamageReport(message=told, path=source.path, store=source.store)
            for source, told in damages
        ]

    def _keep(self, sources: Sequence[Source], *, skips: bool = False) -> Saved:
        """Save sessions; with `skips`, without those that can't be read.

        They are copied before the journal is held, which others wait for.
        """
        vault = self._vault_to_write()
        kept: list[Kept] = []
        new: list[Source] = []
        for source in sources:
            with self._stores.reader() as reader:
                title = first_of(reader, *_place(source)).title
            is_known = vault.of(*_place(source)) is not None
            with suppress(UnreadableError) if skips else nullcontext():
                kept.append(vault.keep(*_place(source), self._stores.present, title))
                new += [] if is_known else [source]
        report = self._reported(kept)
        pairs = zip(report, kept, strict=True)
        first = [told for told, one in pairs if one.source in new]
        try:
            change = self._recorded(first, pins=True)
        except RecollectError:
            for source in new:
                vault.release(*_place(source), self._stores.present)
            raise
        return Saved(tuple(report), change)

    def _recorded(self, report: Sequence[KeptReport], *, pins: bool) -> Change | None:
        """Record that sessions were pinned, or unpin them; None without any."""
        if not report:
            return None
        word, first = "pin" if pins else "unpin", report[0]
        what = f"“{first.title or first.session}”"
        if len(report) > 1:
            what = f"{len(report)} conversations"
        marks = tuple(
            Marking(path=one.path, name=SAVED, is_set=pins, root=Path(one.store))
            for one in report
        )
        draft = Draft(action=f"{word} {what}", steps=(), marks=marks)
        refs = tuple(one.ref for one in report if one.ref)
        planned = Planned(draft=draft, root=Path(first.store), word=word, refs=refs)
        return self._changes.apply(planned, is_permitted=True)

    @property
    def _vault(self) -> Vault:
        return Vault(self._access.writing.places)

    def _vault_to_write(self) -> Vault:
        """The vault; raises ReadOnlyError if the session is read-only."""
        if self._access.is_read_only:
            raise ReadOnlyError("This session is read-only; nothing is saved.")
        return self._vault

    def _sources(self, names: Sequence[Name]) -> list[Source]:
        """The transcripts of the sessions of some conversations, each once."""
        found: dict[Source, None] = {}
        for name in names:
            record = changeable(self._stores, name)
            if not isinstance(record, Conversation):
                raise NotPossibleError("Only conversations can be saved in the vault.")
            lies = self._transcript(record)
            found[Source(lies.store, transcript_of(lies.source))] = None
        return list(found)

    def _transcript(self, record: Conversation) -> Conversation:
        """The conversation from its transcript, if this one is from a database."""
        with self._stores.reader() as reader:
            if _is_transcript(reader, record):
                return record
            if record.session:
                span = Span.of(record.session)
                for one in reader.of_session(span, self._stores.now, _FEW):
                    if _is_transcript(reader, one):
                        return one
        raise NotPossibleError(_NO_TRANSCRIPT)

    def _reported(self, kept: "Sequence[Kept]") -> list[KeptReport]:
        """Saved sessions as reports."""
        places = self._vault.places(kept)
        with self._stores.reader() as reader:
            return [
                KeptReport(
                    ref=first_of(reader, *_place(place)).ref,
                    session=one.session,
                    title=one.title,
                    at=shown_time(one.at),
                    files=len(one.files),
                    bytes=one.size,
                    gone=one.is_gone,
                    path=one.source.path,
                    store=one.source.store,
                )
                for one, place in zip(kept, places, strict=True)
            ]


def refuse_lost(places: Places, root: Path, marks: Iterable[Marking]) -> None:
    """Raise NotPossibleError if a conversation can't be pinned or unpinned again."""
    for mark in marks:
        source = Source(str(mark.root or root), mark.path)
        kept = Vault(places).of(*_place(source)) if mark.name == SAVED else None
        if kept and kept.is_gone and not mark.is_set:
            raise NotPossibleError(
                f"The vault has the only copy of “{kept.title or kept.session}”; "
                "`recollect unpin` deletes it."
            )
        if mark.name == SAVED and mark.is_set and not (kept or source.file.exists()):
            raise NotPossibleError(f"The conversation '{mark.path}' no longer exists.")


def _is_transcript(reader: Reader, record: Conversation) -> bool:
    """Whether a conversation was read from the file that it names, not copied."""
    question = "SELECT 1 FROM conversations WHERE ref = ? AND origin IS NULL"
    found = first_of(reader, Path(record.store), record.source).ref is not None
    return found and reader.execute(question, (record.ref,)).fetchone() is not None


def _place(source: Source) -> tuple[Path, str]:
    return Path(source.store), source.path
