"""Our search beside the other ways, asked the same about the same records."""

from collections.abc import Iterator, Sequence

from store.library import Library
from tui.bench.finding.items import Finder, Item, known_items
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
        for name, finder in {OURS: _among(items, ours), **finders}.items():
            yield from measure(name, finder, asked)


def _among(items: Sequence[Item], finder: Finder) -> Finder:
    """What a finder lists of these items: the others are given no more to look through.

    What is left out are records that are called what another is called, too.
    """
    known = {item.ref for item in items}

    def find(query: str, limit: int) -> list[str]:
        listed = [ref for ref in finder(query, limit) if ref in known]
        return listed[:limit]

    return find
