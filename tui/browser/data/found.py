"""What a list shows: a query about a kind of record, put in order."""

import time
from array import array
from dataclasses import dataclass, field

from msgspec import Struct

from store.library import Library, Page, Record
from store.search.language.leaves import texts
from store.search.language.query import UNASKED, Query
from store.search.language.tree import EVERYTHING, All, Either, Named, Node, Not

RELEVANCE = "relevance"
"""The order of a query's words: what was meant first."""

_AT_ONCE = 100
"""Records that come along with the order, so that a screen is full at once."""

_ARCHIVED = {
    "memories": Either((Named("is", ("archived",)), Named("stage", ("archived",)))),
    "conversations": Named("status", ("archived", "skipped")),
}
"""What was put away, or faded so far; what is done with."""


class Wish(Struct, frozen=True):
    """What is to be listed."""

    kind: str
    text: str = ""
    """The query, as typed."""
    sort: str | None = None
    """What to sort by; None for what is usual."""
    is_reversed: bool = False
    has_archived: bool = True
    """Whether what was put away is listed too."""
    stores: frozenset[str] = frozenset()
    """The stores that are looked at; all of them, where none is named."""
    without: tuple[Node, ...] = ()
    """What is left out besides, because nobody wants to hear of it."""


@dataclass(frozen=True, slots=True)
class Found:
    """What was found."""

    wish: Wish
    query: Query
    """How the text was understood."""
    tree: Node
    """What was looked for: the query, narrowed by what the list leaves out."""
    rows: "array[int]"
    """A number for each record, in order."""
    first: list[Record | None]
    """The first of them."""
    total: int
    """How many there are of the kind in these stores, whatever is asked."""
    is_similar: bool
    """Whether nothing holds what was typed, and these nearly do."""
    is_ranked: bool
    """Whether the best come first."""
    seconds: float = field(compare=False)
    """How long that took."""


def find(library: Library, wish: Wish) -> Found:
    """Find what is wished for."""
    began = time.perf_counter()
    query = _understood(wish.text, wish.kind)
    tree = _narrowed(query.tree, wish)
    is_ranked = wish.sort == RELEVANCE
    rows = _ordered(library, wish, tree)
    is_similar = False
    if not rows and query.tree != EVERYTHING:
        rows = library.like(wish.kind, tree)
        is_similar = bool(rows)
    records = library.numbered(wish.kind, rows[:_AT_ONCE])
    total = library.count(wish.kind, _in_stores(wish.stores))
    return Found(
        wish=wish,
        query=query,
        tree=tree,
        rows=rows,
        first=[records.get(row) for row in rows[:_AT_ONCE]],
        total=total,
        is_similar=is_similar,
        is_ranked=is_ranked,
        seconds=time.perf_counter() - began,
    )


def asks_for_words(text: str, kind: str) -> bool:
    """Whether a query seeks words, so that some records are meant more than others."""
    return bool(texts(_understood(text, kind).tree))


def _understood(text: str, kind: str) -> Query:
    """The query; most starts have none."""
    if not text:
        return UNASKED
    from store.search.language.parsing import parse

    return parse(text, [kind])


def _ordered(library: Library, wish: Wish, tree: Node) -> "array[int]":
    """The rows in the order that is wished for; the judged before all others."""
    if wish.sort != RELEVANCE:
        page = Page(sort=wish.sort, reverse=wish.is_reversed)
        return library.order(wish.kind, page, tree)
    best = library.ranked(wish.kind, tree)
    judged = set(best)
    others = library.order(wish.kind, Page(), tree)
    best.extend(row for row in others if row not in judged)
    if wish.is_reversed:
        best.reverse()
    return best


def _narrowed(tree: Node, wish: Wish) -> Node:
    """The query, and what the list leaves out besides."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    if not wish.has_archived:
        terms = (*terms, Not(_ARCHIVED[wish.kind]))
    terms = (*terms, *map(Not, wish.without))
    if wish.stores:
        terms = (*terms, _in_stores(wish.stores))
    return terms[0] if len(terms) == 1 else All(terms)


def _in_stores(stores: frozenset[str]) -> Node:
    """Whatever lies in some stores; in all of them, where none is named."""
    return Named("store", tuple(sorted(stores))) if stores else EVERYTHING
