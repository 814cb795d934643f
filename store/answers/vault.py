"""Conversations saved before their agent removes them."""

from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.records import Name, changeable
from store.answers.stores import Access, OpenStores
from store.catalogue.counts import first_of
from store.catalogue.reader import Reader, Span
from store.errors import NotPossibleError, ReadOnlyError, UnreadableError
from store.kinds.conversations import Conversation
from store.records.reports import DamageReport, EndangeredReport, KeptReport
from store.times import shown_time
from store.vault.storage import Source
from store.vault.vault import DAY, Vault, endangered, transcript_of

if TYPE_CHECKING:
    from store.vault.storage import Kept
    from store.vault.vault import Endangered


_FEW = 8
"""How many conversations of a session are searched for its transcript."""

_NO_TRANSCRIPT = "The conversation's transcript isn't in any open store."


class SavedConversations:
    """Conversations saved where no agent removes them.

    Saving is no change of a store, so the journal has nothing of it: a conversation
    can be released, and saved again as long as the original exists.
    """

    def __init__(self, stores: OpenStores, access: Access) -> None:
        self._stores = stores
        self._access = access

    def reason_against(self, record: Conversation) -> str:
        """Why a conversation can't be saved; empty if it can."""
        try:
            self._vault_to_write()
            self._sources([record])
        except (NotPossibleError, ReadOnlyError) as error:
            return str(error)
        return ""

    def keep(self, names: Sequence[Name]) -> list[KeptReport]:
        """Save the sessions of some conversations in their current state.

        Raises NotPossibleError, NotWrittenError, ReadOnlyError and UnreadableError.
        """
        return self._keep(self._sources(names))

    def release(self, names: Sequence[Name]) -> list[KeptReport]:
        """Remove some from the vault; if the original is gone, that was the last copy.

        Raises what `keep` raises.
        """
        vault = self._vault_to_write()
        sources = self._sources(names)
        report = self._reported([one for s in sources if (one := vault.of(*_place(s)))])
        for source in sources:
            vault.release(*_place(source), self._stores.present)
        return report

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

    def rescue(self, endangered: Iterable[EndangeredReport]) -> list[KeptReport]:
        """Save the endangered transcripts; those already gone are skipped.

        Raises NotWrittenError and ReadOnlyError.
        """
        kept: list[KeptReport] = []
        for one in endangered:
            with suppress(UnreadableError):
                kept += self._keep([Source(one.store, one.path)])
        return kept

    def verify(self) -> list[DamageReport]:
        """Check every byte in the vault; raises UnreadableError."""
        damages = [] if self._stores.writing is None else self._vault.verify()
        return [
            DamageReport(message=told, path=source.path, store=source.store)
            for source, told in damages
        ]

    def _keep(self, sources: Sequence[Source]) -> list[KeptReport]:
        vault = self._vault_to_write()
        kept: list[Kept] = []
        for source in sources:
            with self._stores.reader() as reader:
                title = first_of(reader, *_place(source)).title
            kept.append(vault.keep(*_place(source), self._stores.present, title))
        return self._reported(kept)

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


def _is_transcript(reader: Reader, record: Conversation) -> bool:
    """Whether a conversation was read from the file that it names, not copied."""
    question = "SELECT 1 FROM conversations WHERE ref = ? AND origin IS NULL"
    found = first_of(reader, Path(record.store), record.source).ref is not None
    return found and reader.execute(question, (record.ref,)).fetchone() is not None


def _place(source: Source) -> tuple[Path, str]:
    return Path(source.store), source.path
