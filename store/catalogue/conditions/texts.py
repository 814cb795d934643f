"""Text in a record, as a condition: the index tells where, the text itself decides."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from store.catalogue.conditions.condition import Condition, all_of, one_of
from store.catalogue.conditions.kinds.kind import Place
from store.catalogue.words.index import upto
from store.catalogue.words.match import Match, match
from store.catalogue.words.shelves import SHELVES, Shelf
from store.catalogue.words.vocabulary import Vocabulary

_FREQUENT = 20_000
"""What more rows hold is looked for in the list's own order, which soon finds enough;
taking all of them first and putting them in order would take longer."""


@dataclass(frozen=True, slots=True)
class Shelves:
    """The index, ready to be asked."""

    connection: sqlite3.Connection
    vocabulary: Vocabulary

    def holds(self, places: tuple[Place, ...], texts: Sequence[str]) -> Condition:
        """Whether each of some texts stands in one of several places."""
        if len(places) == 1 and places[0].shelf is not None:
            return self._on_shelf(places[0], places[0].shelf, texts)
        return all_of([self._in_one(places, text) for text in texts])

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

    def _in_one(self, places: tuple[Place, ...], text: str) -> Condition:
        return one_of(
            [
                _looked(place, "holds", [text])
                if place.shelf is None
                else self._on_shelf(place, place.shelf, [text])
                for place in places
            ]
        )

    def _on_shelf(self, place: Place, shelf: Shelf, texts: Sequence[str]) -> Condition:
        """Whether all of some texts stand in a place that a shelf knows of."""
        found = [match(self.connection, self.vocabulary, shelf, t) for t in texts]
        asked = [one.expression for one in found if one.expression is not None]
        together = Match(" AND ".join(f"({one})" for one in asked), is_certain=False)
        is_frequent = bool(asked) and self._count(shelf, together) > _FREQUENT
        if not asked or (is_frequent and place.chosen != place.each):
            return _looked(place, "holds", texts)
        row = f"+{place.row}" if is_frequent else place.row
        named = Condition(
            f"{row} IN (SELECT rowid FROM {shelf.words} WHERE {shelf.words} MATCH ?)",
            (together.expression,),
        )
        unsure = [
            _held(place, text)
            for text, one in zip(texts, found, strict=True)
            if not (one.is_certain and place.is_whole)
        ]
        late = self._late(place, shelf, all_of([_held(place, t) for t in texts]))
        sure = all_of([named, *unsure])
        condition = sure if late is None else one_of([sure, late])
        return Condition(place.chosen.format(condition.sql), condition.values)

    def _late(self, place: Place, shelf: Shelf, looked: Condition) -> Condition | None:
        """The rows that came since the index was brought up to date."""
        end = upto(self.connection, shelf)
        question = f"SELECT max(id) FROM {shelf.table}"
        (last,) = self.connection.execute(question).fetchone()
        if last is None or last <= end:
            return None
        return all_of([Condition(f"{place.row} > ?", (end,)), looked])


def found_in(places: tuple[Place, ...], expression: str) -> Condition:
    """Whether a regular expression finds something in one of several places."""
    return one_of([_looked(place, "finds", [expression]) for place in places])


def _looked(place: Place, function: str, texts: Sequence[str]) -> Condition:
    """Whether a text, looked at by itself, is as it should be."""
    looked = all_of([Condition(f"{function}({place.text}, ?)", (t,)) for t in texts])
    return Condition(place.each.format(looked.sql), looked.values)


def _held(place: Place, text: str) -> Condition:
    """Whether a place's own text holds another."""
    return Condition(f"holds({place.text}, ?)", (text,))
