"""What was on which day: what a calendar counts, and what a diary is laid out by."""

from collections.abc import Mapping, Sequence

from store.answers.finding import Finding
from store.catalogue.days import day_counts, timing_of
from store.derive.timing import Timing
from store.search.language.tree import EVERYTHING, Node


class Dated(Finding):
    """Answers by days."""

    def days(self, kind: str, query: Node = EVERYTHING) -> Mapping[str, int]:
        """How many of what a query finds there are of each day, as `on:` finds them."""
        with self._reader() as reader:
            return day_counts(reader, kind, self._condition(reader, kind, query))

    def timing(self, rows: Sequence[int]) -> Timing:
        """When the episodes that go by some numbers were, in the same order."""
        with self._reader() as reader:
            return timing_of(reader, rows)
