"""Queries against stores, as a user types them."""

from store.catalogue.reader import Page
from store.kinds import Record
from store.library import Library
from store.search.parse import parse
from store.search.tree import Node
from tests.store.catalogue.stores import Shelf


def tree_of(text: str, kind: str | None = None) -> Node:
    """The tree of a query for a kind, or for all; the query must be valid."""
    query = parse(text, kind and [kind], is_finished=True)
    assert not query.complaints, query.complaints
    return query.tree


def rows(library: Library, kind: str, tree: Node) -> list[Record]:
    """The records of a kind that match a tree, in the list's own order."""
    return list(library.lists.page(kind, Page(), query=tree))


def asked(shelf: Shelf, kind: str, text: str) -> list[Record]:
    """The records of a kind that a typed query finds."""
    with shelf.opened() as library:
        return rows(library, kind, tree_of(text, kind))


def titles(shelf: Shelf, text: str, kind: str = "memories") -> list[str]:
    """The titles of the records that a query finds, sorted."""
    return sorted(str(getattr(row, "title", row)) for row in asked(shelf, kind, text))


def phrase(text: str) -> str:
    """A text quoted so that it means only itself."""
    return '"' + text.replace('"', '""') + '"'
