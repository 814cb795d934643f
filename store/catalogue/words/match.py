"""The rows of a shelf that may hold a text, as an expression for its index.

Text that somebody types reaches the index only as terms of the index's own, in quotes.
"""

import sqlite3
from typing import NamedTuple

from store.catalogue.words.letters import LETTERS, Term
from store.catalogue.words.shelves import CUT, Shelf
from store.catalogue.words.vocabulary import Vocabulary
from store.search.fold import is_exact


class Match(NamedTuple):
    """Where a text may stand."""

    expression: str | None
    """What to ask the index; None where it cannot tell and all rows are looked at."""
    is_certain: bool
    """Whether what the index answers holds the text without a further look."""


_BEGUN = " *"
"""What stands behind the beginning of a term."""

NOWHERE = Match('""', is_certain=True)
"""For a text that no row holds: the index answers nothing to this."""


def match(
    connection: sqlite3.Connection, vocabulary: Vocabulary, shelf: Shelf, text: str
) -> Match:
    """Where a text may stand on a shelf."""
    terms = LETTERS.terms(text)
    asked: list[str] = []
    for term in terms:
        known = _known(connection, vocabulary, shelf, term)
        if known == []:
            return NOWHERE
        if known is not None:
            asked.append(f"({' OR '.join(known)})")
    is_word = len(terms) == 1 and terms[0].text == text.lower()
    is_plain = text.isascii() and not is_exact(text)
    is_certain = is_word and is_plain and not any(_BEGUN in one for one in asked)
    return Match(" AND ".join(asked) or None, is_certain)


def _known(
    connection: sqlite3.Connection, vocabulary: Vocabulary, shelf: Shelf, term: Term
) -> list[str] | None:
    """The terms of a shelf that a term may be part of; None where these are many."""
    if not term.is_open_before:
        return [f'"{term.text}"{_BEGUN if term.is_open_after else ""}']
    part = term.text if term.is_open_after else f"{term.text}\n"
    found = vocabulary.holding(connection, shelf, part)
    return None if found is None else [_written(one) for one in found]


def _written(term: str) -> str:
    """A listed term, as the index is asked for it."""
    return f'"{term[:-1]}"{_BEGUN}' if term.endswith(CUT) else f'"{term}"'
