"""Which records a change is about: named one by one, or found by a query."""

import argparse
from collections.abc import Sequence

from store.edits.port import Changeable
from store.errors import WrongUseError
from store.library import Library, Page
from store.records.memory import Memory
from store.search.language.tree import EVERYTHING
from tui.cli.query import complain_of_unknown, looking_back, understood
from tui.cli.session import Session
from tui.cli.terminal import complain

_KIND = "memories"

_MOST = 5
"""Records that are left out and named; more are counted."""


def chosen(
    library: Library,
    session: Session,
    names: Sequence[str],
    arguments: argparse.Namespace,
    word: str,
) -> Sequence[Changeable]:
    """The records by name, or those memories that `--query` finds and that can be.

    `word` is what is to be done; what a query finds besides is only told.
    """
    query: str | None = arguments.query
    if query is None:
        if not names:
            raise WrongUseError("A REF is missing, or --query QUERY.")
        return library.changeable(names)
    if names:
        raise WrongUseError("Records are named, or found with --query; not both.")
    return able(library, word, _found(library, session, query))


def able(
    library: Library, word: str, records: Sequence[Changeable]
) -> Sequence[Changeable]:
    """Those with which something can be done; of the others it is said why not."""
    found, others = library.sifted(word, records)
    for record, reason in others[:_MOST]:
        complain(f"{record.ref or record.store} is left out. {reason}")
    if len(others) > _MOST:
        complain(f"And {len(others) - _MOST} more are left out.")
    return found


def _found(library: Library, session: Session, query: str) -> Sequence[Memory]:
    tree = understood([query], [_KIND])
    if tree == EVERYTHING:
        raise WrongUseError("An empty --query finds everything; say what is meant.")
    looking_back(library, tree, session.places)
    records = library.page(_KIND, Page(), query=tree)
    memories = [record for record in records if isinstance(record, Memory)]
    if not memories:
        complain_of_unknown(library, [_KIND], tree)
    return memories
