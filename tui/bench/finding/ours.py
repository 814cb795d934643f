"""Our own search, as one of the ways of searching."""

from store.library import Library, Page
from store.search.language.parsing import parse
from tui.bench.finding.items import KINDS, Finder

_LISTED = 50
"""So much is listed, that which is nobody's item among it."""


def ours(library: Library) -> Finder:
    """What `recollect search` lists of the kinds that are looked for."""

    def find(query: str, _limit: int) -> list[str]:
        tree = parse(query, None, is_finished=True).tree
        best = library.search(tree, Page(limit=_LISTED), KINDS)
        return [hit.record.ref for hit in best.hits if hit.record.ref]

    return find
