"""What the bytes of a file must hold for a query to find something in it.

A word is looked for by its longest run of plain letters and digits: these are written
as they are in every format, whatever is escaped around them. What has none can only be
told by reading the file.
"""

import re
from collections.abc import Collection

from store.search.fold import fold
from store.search.language.leaves import texts
from store.search.language.tree import All, Either, Node, Start, Text

_PLAIN = re.compile("[a-z0-9]+")


class Sieve:
    """Lets through what a query may find something in, and more, but never less."""

    def __init__(self, tree: Node) -> None:
        self._tree = tree
        self.needles: frozenset[bytes] = frozenset(
            wanted
            for leaf in texts(tree)
            if isinstance(leaf, Text | Start) and (wanted := needle(leaf.text))
        )
        """What to look for, all of it ASCII in small letters."""

    def lets_through(self, found: Collection[bytes]) -> bool:
        """Whether a file may be what is looked for that holds these needles."""
        return _may_be(self._tree, found)


def needle(text: str) -> bytes:
    """The longest run of plain letters and digits in a text; nothing where none is."""
    return max(_PLAIN.findall(fold(text)), key=len, default="").encode()


def _may_be(node: Node, found: Collection[bytes]) -> bool:
    match node:
        case All(terms):
            return all(_may_be(term, found) for term in terms)
        case Either(terms):
            return any(_may_be(term, found) for term in terms)
        case Text(text) | Start(text):
            wanted = needle(text)
            return not wanted or wanted in found
        case _:
            return True
