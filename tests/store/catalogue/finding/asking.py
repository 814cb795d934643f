"""Queries put to stores as somebody types them."""

from store.catalogue.reader import Page
from store.catalogue.views import Record
from store.library import Library
from store.search.language.parsing import parse
from store.search.language.tree import Node
from tests.store.catalogue.stores import Shelf


def tree_of(text: str, kind: str | None = None) -> Node:
    """What a text asks of a kind, or of all; all of it is understood."""
    query = parse(text, kind and [kind], is_finished=True)
    assert not query.complaints, query.complaints
    return query.tree


def rows(library: Library, kind: str, tree: Node) -> list[Record]:
    """The records of a kind that meet a tree, in a list's own order."""
    return list(library.page(kind, Page(), query=tree))


def asked(shelf: Shelf, kind: str, text: str) -> list[Record]:
    """The records of a kind that somebody finds who types a text."""
    with shelf.opened() as library:
        return rows(library, kind, tree_of(text, kind))


def titles(shelf: Shelf, text: str, kind: str = "memories") -> list[str]:
    """What the records are called that somebody finds, by the alphabet."""
    return sorted(str(getattr(row, "title", row)) for row in asked(shelf, kind, text))


def phrase(text: str) -> str:
    """A text as it is typed so that it means itself and nothing else."""
    return '"' + text.replace('"', '""') + '"'
