"""Answers about time: when conversations were, and what they took."""

import os
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.catalogue.reader import Reader
from store.errors import UnreadableError

if TYPE_CHECKING:
    from store.records.spans import Closeup, Keeping, Spans

_TRANSCRIPTS = "transcripts"


class Spanning(Finding):
    """Answers for who looks at many conversations along their time."""

    def spans(self, rows: Sequence[int]) -> "Spans":
        """When the conversations that go by some numbers were, in their order."""
        from store.catalogue.spans import spans

        with self._reader() as reader:
            return spans(reader, rows, self._periods(reader), self._held(reader))

    def closeups(self, rows: Sequence[int]) -> "Mapping[int, Closeup]":
        """What the messages of some conversations add up to."""
        from store.catalogue.closeups import closeups

        with self._reader() as reader:
            return closeups(reader, rows)

    def _held(self, reader: Reader) -> "dict[int, Keeping]":
        """What the vault has of which conversations; nothing where it has none."""
        from store.catalogue.held import rows_of

        if self._writing is None or not self._writing.places.vault.is_dir():
            return {}
        from store.vault import Vault

        held: dict[int, Keeping] = {}
        with suppress(UnreadableError):
            for source, keeping in Vault(self._writing.places).standing():
                for row in rows_of(reader, source.store, source.path, source.session):
                    held[row] = max(keeping, held.get(row, keeping))
        return held

    def _periods(self, reader: Reader) -> dict[int, int]:
        """How long transcripts are kept, by store, where somebody removes them."""
        from store.answers.cleanup import kept_for

        known = reader.ask(
            f"SELECT id, path FROM stores WHERE format = ? AND {reader.within('id')}",
            (_TRANSCRIPTS, *reader.stores_seen),
        )
        periods = {
            row: kept_for(place)
            for row, path in known
            for place in self.chosen
            if os.fspath(place) == os.fsdecode(path)
        }
        return {row: period for row, period in periods.items() if period is not None}
