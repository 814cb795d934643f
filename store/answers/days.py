"""What was on which day: what a calendar counts, and what a diary is laid out by."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from store.answers.finding import Finding
from store.search.language.tree import EVERYTHING, Node

if TYPE_CHECKING:
    from store.derive.timing import Timing


class Dated(Finding):
    """Answers by days."""

    def days(self, kind: str, query: Node = EVERYTHING) -> Mapping[str, int]:
        """How many of what a query finds there are of each day, as `on:` finds them."""
        from store.catalogue.days import day_counts

        with self._reader() as reader:
            return day_counts(reader, kind, self._condition(reader, kind, query))

    def timing(self, rows: Sequence[int]) -> "Timing":
        """When the episodes that go by some numbers were, in the same order."""
        from store.catalogue.days import timing_of

        with self._reader() as reader:
            return timing_of(reader, rows)
