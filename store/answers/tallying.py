"""Answers in figures: how much there was when, and how long it took."""

from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.records.tally import Step
from store.search.language.tree import EVERYTHING, Node

if TYPE_CHECKING:
    from store.records.tally import Durations, Tally


class Tallying(Finding):
    """Answers for who wants to see how things went."""

    def tally(
        self, kind: str, query: Node = EVERYTHING, step: Step = Step.DAY
    ) -> "Tally":
        """How much of what a query finds there was in each day, or each hour."""
        from store.catalogue.tallies import tally_of

        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            return tally_of(reader, kind, condition, step)

    def durations(
        self,
        kind: str,
        query: Node = EVERYTHING,
        since: int | None = None,
        until: int = 1 << 62,
    ) -> "Durations":
        """How long that took which a query finds, perhaps within some time only."""
        from store.catalogue.tallies import durations_of

        with self._reader() as reader:
            condition = self._condition(reader, kind, query)
            return durations_of(reader, kind, condition, since, until)
