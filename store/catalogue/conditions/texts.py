"""Text in a record, as a condition: the index tells where, the text itself decides."""

import sqlite3
from dataclasses import dataclass

from store.catalogue.conditions.condition import Condition, one_of
from store.catalogue.conditions.kinds.kind import Place
from store.catalogue.words.index import upto
from store.catalogue.words.match import Match, match
from store.catalogue.words.shelves import SHELVES, Shelf
from store.catalogue.words.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Shelves:
    """The index, ready to be asked."""

    connection: sqlite3.Connection
    vocabulary: Vocabulary

    def holds(self, places: tuple[Place, ...], text: str) -> Condition:
        """Whether a text stands in one of several places."""
        return one_of([self._in_place(place, text) for place in places])

    def share(self, text: str) -> float:
        """About how many of all texts hold a text, from 0 to 1."""
        having = total = 0
        for shelf in SHELVES:
            found = match(self.connection, self.vocabulary, shelf, text)
            rows = upto(self.connection, shelf)
            total += rows
            having += rows if found.expression is None else self._count(shelf, found)
        return having / total if total else 0.0

    def _count(self, shelf: Shelf, found: Match) -> int:
        """How many rows of a shelf may hold what was looked for."""
        question = f"SELECT count(*) FROM {shelf.words} WHERE {shelf.words} MATCH ?"
        (number,) = self.connection.execute(question, (found.expression,)).fetchone()
        return int(number)

    def _in_place(self, place: Place, text: str) -> Condition:
        if place.shelf is None:
            return _looked(place, "holds", text)
        found = match(self.connection, self.vocabulary, place.shelf, text)
        if found.expression is None:
            return _looked(place, "holds", text)
        words = place.shelf.words
        named = Condition(
            f"{place.row} IN (SELECT rowid FROM {words} WHERE {words} MATCH ?)",
            (found.expression,),
        )
        looked = Condition(f"holds({place.text}, ?)", (text,))
        if not (found.is_certain and place.is_whole):
            named = _both(named, looked)
        late = self._late(place, place.shelf, looked)
        condition = named if late is None else one_of([named, late])
        return Condition(place.chosen.format(condition.sql), condition.values)

    def _late(self, place: Place, shelf: Shelf, looked: Condition) -> Condition | None:
        """The rows that came since the index was brought up to date."""
        end = upto(self.connection, shelf)
        question = f"SELECT max(id) FROM {shelf.table}"
        (last,) = self.connection.execute(question).fetchone()
        if last is None or last <= end:
            return None
        return _both(Condition(f"{place.row} > ?", (end,)), looked)


def found_in(places: tuple[Place, ...], expression: str) -> Condition:
    """Whether a regular expression finds something in one of several places."""
    return one_of([_looked(place, "finds", expression) for place in places])


def _looked(place: Place, function: str, text: str) -> Condition:
    """Whether a text, looked at by itself, is as it should be."""
    return Condition(place.each.format(f"{function}({place.text}, ?)"), (text,))


def _both(first: Condition, second: Condition) -> Condition:
    return Condition(f"({first.sql} AND {second.sql})", first.values + second.values)
