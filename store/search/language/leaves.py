"""What a tree asks for at its leaves."""

from collections.abc import Iterator

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

Sought = Text | Start | Fuzzy | Pattern
"""What is looked for in text: what is shown where it stands, and ranked by."""


def texts(tree: Node) -> tuple[Sought, ...]:
    """What a record's text is to hold; what it must not hold is not among it."""
    found = leaves(tree)
    return tuple(
        leaf for leaf, negated in found if isinstance(leaf, Sought) and not negated
    )


def fields_named(tree: Node) -> frozenset[str]:
    """The whole names of the fields that a tree asks for, negated or not."""
    found = leaves(tree)
    return frozenset(
        leaf.name for leaf, _ in found if isinstance(leaf, Named | Compared)
    )


def leaves(tree: Node, *, negated: bool = False) -> Iterator[tuple[Leaf, bool]]:
    """Every leaf in order, and whether it is negated."""
    match tree:
        case Not(term):
            yield from leaves(term, negated=not negated)
        case All(terms) | Either(terms):
            for term in terms:
                yield from leaves(term, negated=negated)
        case _:
            yield tree, negated
