"""Conversations kept for good: copies of what an agent removes some day."""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from store.answers.changing import Changing
from store.catalogue.reader import Reader, Span
from store.errors import UnreadableError

if TYPE_CHECKING:
    from store.answers.planning import Name
    from store.records.conversation import Conversation
    from store.records.vault import DamageReport, EndangeredReport, KeptReport
    from store.vault import Endangered, Kept, Source, Vault

_FEW = 8
"""Conversations of one session that are looked at for a transcript."""

_NO_TRANSCRIPT = (
    "What would be kept is its transcript, and none of the stores that are looked at "
    "holds that."
)


class Vaulting(Changing):
    """Answers with what is kept where no agent cleans up, and keeps more.

    What is kept is no change of a store, so no journal tells of it: whoever keeps can
    let go, and whoever lets go can keep again as long as the original is there.
    """

    def keep(self, names: "Sequence[Name]") -> "list[KeptReport]":
        """Keep the sessions of some conversations, as they are this moment.

        Raises NotPossibleError, NotWrittenError, ReadOnlyError and UnreadableError.
        """
        return self._keep(self._sources(names))

    def release(self, names: "Sequence[Name]") -> "list[KeptReport]":
        """Let some go; where the original is gone, that was the last of it.

        Raises what `keep` raises.
        """
        vault = self._vault_to_write()
        sources = self._sources(names)
        told = self._reported([one for s in sources if (one := vault.of(*_place(s)))])
        for source in sources:
            vault.release(*_place(source), self.present)
        return told

    def kept(self) -> "list[KeptReport]":
        """Everything that is kept, the latest first; raises UnreadableError."""
        return [] if self._writing is None else self._reported(self._vault.kept())

    def kept_of(self, names: "Sequence[Name]") -> "list[KeptReport]":
        """What of it is kept of some conversations; raises what `keep` raises."""
        if self._writing is None:
            return []
        vault = self._vault
        found = (vault.of(*_place(source)) for source in self._sources(names))
        return self._reported([one for one in found if one])

    def endangered(self, days: float) -> "list[EndangeredReport]":
        """The transcripts that are removed within some days, the soonest first.

        One that is kept as it is by now is in no danger.
        """
        from store.answers.cleanup import DAY
        from store.vault import endangered

        kept = [] if self._writing is None else self._vault.kept()
        safe = {one.source: one.files[0].newest for one in kept}
        until = self._now + int(days * DAY)
        found: list[Endangered] = []
        for place in self.chosen:
            with suppress(UnreadableError):
                found += endangered(place, until)
        left = [one for one in found if not one.is_in(safe.get(one.source))]
        left.sort(key=lambda one: (one.removed_at, one.source))
        return self._endangered_reported(left)

    def rescue(self, endangered: "Iterable[EndangeredReport]") -> "list[KeptReport]":
        """Keep what is in danger; what is gone by now is passed over.

        Raises NotWrittenError and ReadOnlyError.
        """
        from store.vault import Source

        kept: list[KeptReport] = []
        for one in endangered:
            with suppress(UnreadableError):
                kept += self._keep([Source(one.store, one.path)])
        return kept

    def verify_vault(self) -> "list[DamageReport]":
        """Read every byte that is kept again; raises UnreadableError."""
        from store.records.vault import DamageReport

        damages = [] if self._writing is None else self._vault.verify()
        return [
            DamageReport(
                message=one.message, path=one.source.path, store=one.source.store
            )
            for one in damages
        ]

    def possible(
        self, name: "Name | None", store: Path | None = None
    ) -> Mapping[str, str]:
        """What can be done; conversations are kept whatever their format allows."""
        from store.edits.refusals import NotPossibleError, ReadOnlyError
        from store.records.conversation import Conversation
        from store.records.intents import Pin

        found = super().possible(name, store)
        try:
            record = None if name is None else self._record(name)
        except NotPossibleError:
            return found
        if not isinstance(record, Conversation):
            return found
        try:
            self._vault_to_write()
            self._sources([record])
        except (NotPossibleError, ReadOnlyError) as error:
            return {**found, Pin.word: str(error)}
        return {**found, Pin.word: ""}

    def _keep(self, sources: "Sequence[Source]") -> "list[KeptReport]":
        from store.catalogue.sessions import first_of

        vault = self._vault_to_write()
        with self._reader() as reader:
            titles = [first_of(reader, *_place(source)).title for source in sources]
        return self._reported(
            [
                vault.keep(*_place(source), self.present, title)
                for source, title in zip(sources, titles, strict=True)
            ]
        )

    @property
    def _vault(self) -> "Vault":
        from store.vault import Vault

        return Vault(self._kept.places)

    def _vault_to_write(self) -> "Vault":
        """The vault; raises ReadOnlyError where nothing is to be kept."""
        from store.edits.refusals import ReadOnlyError

        if self._kept.is_forbidden:
            raise ReadOnlyError("This session is read-only: nothing is kept.")
        return self._vault

    def _sources(self, names: "Sequence[Name]") -> "list[Source]":
        """The transcripts of the sessions of some conversations, each once."""
        from store.edits.refusals import NotPossibleError
        from store.records.conversation import Conversation
        from store.vault import Source, transcript_of

        found: dict[Source, None] = {}
        for name in names:
            record = self._record(name)
            if not isinstance(record, Conversation):
                raise NotPossibleError("Only conversations are kept in the vault.")
            lies = self._transcript(record)
            found[Source(lies.store, transcript_of(lies.source))] = None
        return list(found)

    def _transcript(self, record: "Conversation") -> "Conversation":
        """The conversation as its transcript has it, where a database told of it."""
        from store.edits.refusals import NotPossibleError

        with self._reader() as reader:
            if _is_transcript(reader, record):
                return record
            span = Span.of(record.session or "")
            told = reader.of_session(span, self._now, _FEW) if record.session else []
            for one in told:
                if _is_transcript(reader, one):
                    return one
        raise NotPossibleError(_NO_TRANSCRIPT)

    def _reported(self, kept: "Sequence[Kept]") -> "list[KeptReport]":
        """What is kept, as reports tell it."""
        from store.catalogue.sessions import first_of
        from store.records.vault import KeptReport
        from store.times import told_time

        places = self._vault.places(kept)
        with self._reader() as reader:
            return [
                KeptReport(
                    ref=first_of(reader, *_place(place)).ref,
                    session=one.session,
                    title=one.title,
                    at=told_time(one.at),
                    files=len(one.files),
                    bytes=one.size,
                    gone=one.is_gone,
                    path=one.source.path,
                    store=one.source.store,
                )
                for one, place in zip(kept, places, strict=True)
            ]

    def _endangered_reported(
        self, endangered: "Sequence[Endangered]"
    ) -> "list[EndangeredReport]":
        """What is in danger, as reports tell it."""
        from store.catalogue.sessions import first_of
        from store.records.vault import EndangeredReport
        from store.times import told_time

        with self._reader() as reader:
            firsts = [first_of(reader, *_place(one.source)) for one in endangered]
        return [
            EndangeredReport(
                ref=first.ref,
                session=one.source.session,
                title=first.title,
                removed=told_time(one.removed_at),
                bytes=one.size,
                path=one.source.path,
                store=one.source.store,
            )
            for one, first in zip(endangered, firsts, strict=True)
        ]


def _is_transcript(reader: Reader, record: "Conversation") -> bool:
    """Whether a conversation was read from the file that it names."""
    from store.catalogue.sessions import first_of

    return first_of(reader, Path(record.store), record.source).ref is not None


def _place(source: "Source") -> tuple[Path, str]:
    return Path(source.store), source.path
