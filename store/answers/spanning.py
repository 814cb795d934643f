"""Answers about time: when conversations were, and what they took."""

import os
from collections.abc import Mapping, Sequence

from store.answers.cleanup import kept_for
from store.answers.finding import Finding
from store.catalogue.closeups import closeups
from store.catalogue.reader import Reader
from store.catalogue.spans import spans
from store.records.spans import Closeup, Spans

_TRANSCRIPTS = "transcripts"


class Spanning(Finding):
    """Answers for who looks at many conversations along their time."""

    def spans(self, rows: Sequence[int]) -> Spans:
        """When the conversations that go by some numbers were, in their order."""
        with self._reader() as reader:
            return spans(reader, rows, self._periods(reader))

    def closeups(self, rows: Sequence[int]) -> Mapping[int, Closeup]:
        """What the messages of some conversations add up to."""
        with self._reader() as reader:
            return closeups(reader, rows)

    def _periods(self, reader: Reader) -> dict[int, int]:
        """How long transcripts are kept, by store, where somebody removes them."""
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
