"""A query whose words nobody wrote so: the same query about what is nearly meant."""

from typing import NamedTuple

from store.search.language.tree import All, Fuzzy, Node, Start, Text


class Nearly(NamedTuple):
    """A query about names that are like some words."""

    tree: Node
    text: str
    """The words, as typed."""
    rest: Node
    """All else that the query asks for."""


def nearest_tree(tree: Node) -> Nearly | None:
    """The same query, its words taken together for a name that was typed wrongly.

    None where it has no words, or has them where they cannot be taken together.
    """
    terms = tree.terms if isinstance(tree, All) else (tree,)
    words = [term.text for term in terms if isinstance(term, Text | Start | Fuzzy)]
    if not words:
        return None
    others = tuple(t for t in terms if not isinstance(t, Text | Start | Fuzzy))
    text = " ".join(words)
    return Nearly(All((Fuzzy(text), *others)), text, All(others))
