"""The terms that stand on the shelves, held in memory for as long as they are true."""

import sqlite3

from store.catalogue.words.shelves import CUT, Shelf

_MANY = 256
"""So many terms are asked for at once; what stands in more of them is in most rows,
and is found sooner by looking."""


class Vocabulary:
    """Finds the terms that a part of a word may stand in."""

    def __init__(self) -> None:
        self._lists: dict[str, tuple[tuple[int, int], list[str]]] = {}

    def holding(
        self, connection: sqlite3.Connection, shelf: Shelf, part: str
    ) -> list[str] | None:
        """The terms that hold a part; None where these are too many.

        A part that ends with a newline is one that a term must end with. Terms that are
        cut may hold anything.
        """
        found: set[str] = set()
        for terms in self._terms(connection, shelf):
            if CUT in terms:
                found.update(term for term in terms.split("\n") if term.endswith(CUT))
            place = terms.find(part)
            while place >= 0:
                end = terms.find("\n", place + 1)
                found.add(terms[terms.rfind("\n", 0, place) + 1 : end])
                if len(found) > _MANY:
                    return None
                place = terms.find(part, end)
        return sorted(found)

    def _terms(self, connection: sqlite3.Connection, shelf: Shelf) -> list[str]:
        """The lists of a shelf's terms, read again where there are others by now."""
        (count, last) = connection.execute(
            "SELECT count(*), coalesce(max(id), 0) FROM terms WHERE shelf = ?",
            (shelf.table,),
        ).fetchone()
        before, lists = self._lists.get(shelf.table, ((0, 0), []))
        if before != (count, last):
            rows = connection.execute(
                "SELECT terms FROM terms WHERE shelf = ? ORDER BY id", (shelf.table,)
            )
            lists = [terms for (terms,) in rows]
            self._lists[shelf.table] = ((count, last), lists)
        return lists
