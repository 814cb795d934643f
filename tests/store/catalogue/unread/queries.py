"""Queries against a library and the files it has not read."""

from collections.abc import Sequence

from store.kinds import Record
from store.library import Library, Page
from store.records.answers import Hit
from store.search.tree import Node

AT_LEISURE = 600
"""Seconds that no look takes."""

SPANNING = frozenset({"edge", "problem"})
"""What only all files together tell."""


def hits(library: Library, tree: Node, *, looks: bool = False) -> list[Hit]:
    """The results of a search, on request also in unread files."""
    if not looks:
        return library.search.best(tree, Page()).hits
    with library.search.unread(tree, (), AT_LEISURE) as unread:
        return library.search.best(tree, Page(), unread=unread).hits


def refs(found: Sequence[Hit]) -> list[str]:
    """The names of records that one file determines, sorted."""
    return sorted(str(hit.record.ref) for hit in found if hit.kind not in SPANNING)


def listed(
    library: Library, kind: str, tree: Node, page: Page | None = None
) -> list[Record]:
    """A list from read and unread files."""
    with library.search.unread(tree, [kind], AT_LEISURE) as unread:
        wanted = page or Page()
        return list(library.lists.page(kind, wanted, query=tree, unread=unread))
