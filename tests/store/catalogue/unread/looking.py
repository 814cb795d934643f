"""Queries put to a library and to what it has not read."""

from collections.abc import Sequence

from store.library import Library, Page
from store.records.hit import Found, Hit
from store.search.language.tree import Node

AT_LEISURE = 600
"""Seconds that no look takes."""

SPANNING = frozenset({"edge", "problem"})
"""What only all files together tell."""


def hits(library: Library, tree: Node, *, looks: bool = False) -> list[Hit]:
    """All that a search finds; with a look, in what is not read, too."""
    if not looks:
        return library.search(tree, Page()).hits
    with library.unread(tree, (), AT_LEISURE) as unread:
        return library.search(tree, Page(), unread=unread).hits


def refs(found: Sequence[Hit]) -> list[str]:
    """The names of what one file can tell, in order of the alphabet."""
    return sorted(str(hit.record.ref) for hit in found if hit.kind not in SPANNING)


def listed(
    library: Library, kind: str, tree: Node, page: Page | None = None
) -> list[Found]:
    """A list of what is found in what is read and in what is not."""
    with library.unread(tree, [kind], AT_LEISURE) as unread:
        wanted = page or Page()
        return list(library.page(kind, wanted, query=tree, unread=unread))
