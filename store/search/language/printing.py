"""From tree to text: the one way to type what a tree says.

What is written is read again as the same tree, about whatever kinds the tree came from.
"""

import re

from store.search.language import patterns, values
from store.search.language.tree import (
    All,
    Compared,
    Either,
    Fuzzy,
    Leaf,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
)

_PLAIN = re.compile(r"""[^\s|():<>="~^/!-][^\s|():<>="]*""")
"""A word that is nothing but a word wherever it stands."""


def written(tree: Node) -> str:
    """A tree as it is typed."""
    if isinstance(tree, All):
        return " ".join(_term(term) for term in tree.terms)
    return _term(tree)


def _term(node: Node) -> str:
    """What stands between spaces."""
    if isinstance(node, Either):
        return "|".join(_branch(term) for term in node.terms)
    return _branch(node)


def _branch(node: Node) -> str:
    """What stands between `|`."""
    if isinstance(node, Not):
        inner = _grouped(node.term) if isinstance(node.term, Not) else None
        return f"-{inner or _branch(node.term)}"
    if isinstance(node, All | Either):
        return _grouped(node)
    return _leaf(node)


def _grouped(node: Node) -> str:
    return f"({written(node)})"


def _leaf(leaf: Leaf) -> str:
    """What says something by itself."""
    match leaf:
        case Text(text):
            return _word(text)
        case Fuzzy(text):
            return f"~{_word(text)}"
        case Start(text):
            return f"^{_word(text)}"
        case Pattern(text):
            return patterns.escaped(text)
        case Named(name, alternatives):
            return f"{name}:{','.join(map(values.written, alternatives))}"
        case Compared(name, operator, value):
            return f"{name}{operator}{values.written(value)}"


def _word(text: str) -> str:
    """A word, or a phrase in quotes."""
    return text if _PLAIN.fullmatch(text) else values.quoted(text)
