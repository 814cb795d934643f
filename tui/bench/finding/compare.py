"""Our search beside the other ways, asked the same."""

from collections.abc import Iterator

from store.library import Library
from tui.bench.finding.items import Finder, known_items
from tui.bench.finding.others import others
from tui.bench.finding.queries import queries
from tui.bench.finding.score import Score, measure

OURS = "recollect"
"""What our search is called in the table."""


def compare(library: Library, ours: Finder) -> Iterator[Score]:
    """How well each way of searching finds what is in a library, ours first."""
    items = known_items(library)
    asked = queries(items)
    with others(items) as finders:
        for name, finder in {OURS: ours, **finders}.items():
            yield from measure(name, finder, asked)
