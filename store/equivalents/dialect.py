"""A query's tree in another language, as far as that can say it.

What cannot be said is left out, and told. In the middle of an `either` or a `not`
leaving a part out would mean something else, so the whole of it is left out then.
"""

from typing import Protocol

from msgspec import Struct

from store.search.language.printing import written
from store.search.language.tree import All, Either, Leaf, Node, Not


class Dialect(Protocol):
    """A language, and what it calls things."""

    @property
    def negation(self) -> str:
        """What makes the opposite of a condition, with `{}` for the condition."""
        ...

    @property
    def both(self) -> str:
        """What stands between conditions that must all hold."""
        ...

    @property
    def either(self) -> str:
        """What stands between those of which one must."""
        ...

    def leaf(self, leaf: Leaf) -> str | None:
        """What a leaf says; None where that cannot be said."""
        ...


class Said(Struct, frozen=True):
    """What was said of a query."""

    condition: str
    """The condition; empty where nothing is asked."""
    left_out: tuple[str, ...] = ()
    """The parts that could not be said, as they are typed."""


def said(tree: Node, dialect: Dialect) -> Said:
    """A query as a condition of another language."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    each = [(term, _whole(term, dialect)) for term in terms]
    conditions = [condition for _, condition in each if condition]
    left_out = tuple(written(term) for term, condition in each if condition is None)
    return Said(dialect.both.join(conditions), left_out)


def _whole(node: Node, dialect: Dialect) -> str | None:
    """A part of a query, or None where any of it cannot be said."""
    match node:
        case Not(term):
            inner = _whole(term, dialect)
            return inner and dialect.negation.format(inner)
        case All(terms) | Either(terms):
            conditions = [_whole(term, dialect) for term in terms]
            if None in conditions:
                return None
            sign = dialect.both if isinstance(node, All) else dialect.either
            return f"({sign.join(filter(None, conditions))})" if conditions else ""
        case _:
            return dialect.leaf(node)
