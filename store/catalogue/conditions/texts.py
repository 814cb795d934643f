"""Text in a record, as a condition: the index tells where, the text itself decides."""

import sqlite3
from collections.abc import Sequence
from math import log, sqrt

from msgspec import Struct, field

from store.catalogue.conditions.condition import NEVER, Condition, all_of, one_of
from store.catalogue.conditions.kinds.kind import Place
from store.catalogue.words.index import listed, upto
from store.catalogue.words.match import NOWHERE, Match, match
from store.catalogue.words.shelves import SHELVES, Shelf
from store.catalogue.words.vocabulary import Vocabulary

_FREQUENT, _PART = 20_000, 4
"""What so many rows hold, or such a part of all, is looked for in the list's own order,
which soon finds enough; taking all first and putting them in order takes longer."""


_COMMON = 230
"""What more rows hold than so many times the root of their number is found sooner by
looking: a thousand of them come soon, and the index would go through all."""

_COUNTED = 400_000
"""So many rows that hold a text are counted; more of them say nothing more of it."""


class Shelves(Struct, frozen=True):
    """The index, ready to be asked."""

    connection: sqlite3.Connection
    vocabulary: Vocabulary
    _matched: dict[tuple[str, str], Match] = field(
        default_factory=dict[tuple[str, str], Match]
    )
    """What was matched for this query: it is asked for more than once."""
    _counted: dict[tuple[str, str], tuple[int, int]] = field(
        default_factory=dict[tuple[str, str], tuple[int, int]]
    )
    """What was counted, likewise, and up to where."""

    def holds(self, places: tuple[Place, ...], texts: Sequence[str]) -> Condition:
        """Whether each of some texts stands in one of several places."""
        if len(places) == 1 and places[0].shelf is not None:
            return self._on_shelf(places[0], places[0].shelf, texts)
        return all_of([self._in_one(places, text) for text in texts])

    def looked(
        self, places: tuple[Place, ...], texts: Sequence[str]
    ) -> Condition | None:
        """The same without the index, for whoever takes only the first few rows.

        None where so few rows hold the texts that the index is through them sooner.
        """
        place = places[0]
        if len(places) > 1 or place.shelf is None or place.each != place.chosen:
            return None
        rows = upto(self.connection, place.shelf)
        many = int(_COMMON * sqrt(rows)) + 1
        lacking = sum(
            rows - self._count(place.shelf, one, many if len(texts) == 1 else _COUNTED)
            for one in self._matches(place.shelf, texts)
        )
        return _looked(place, "holds", texts) if rows - lacking >= many else None

    def rarity(self, text: str) -> float:
        """How rare a text is: 1 where no record holds it, 0 where all of them do.

        By orders of magnitude: of a million records, a word in a thousand of them is
        halfway between.
        """
        having = total = 0
        for shelf in SHELVES:
            (found,) = self._matches(shelf, [text])
            total += upto(self.connection, shelf)
            having += self._count(shelf, found, _COUNTED)
        return log((1 + total) / (1 + having)) / log(2 + total)

    def _matches(self, shelf: Shelf, texts: Sequence[str]) -> list[Match]:
        """Where each of some texts may stand on a shelf."""
        for text in texts:
            if (shelf.table, text) not in self._matched:
                found = match(self.connection, self.vocabulary, shelf, text)
                self._matched[shelf.table, text] = found
        return [self._matched[shelf.table, text] for text in texts]

    def _together(self, shelf: Shelf, texts: Sequence[str]) -> Match:
        """Where all of some texts may stand on a shelf."""
        found = self._matches(shelf, texts)
        asked = [one.expression for one in found if one.expression is not None]
        if NOWHERE in found:
            return NOWHERE
        both = " AND ".join(f"({one})" for one in asked)
        return Match(asked[0] if len(asked) == 1 else both or None, is_certain=False)

    def _count(self, shelf: Shelf, found: Match, most: int) -> int:
        """How many rows of a shelf may hold what was looked for, at most so many."""
        if found.expression is None:
            return upto(self.connection, shelf)
        asked = (shelf.table, found.expression)
        number, up_to = self._counted.get(asked, (0, 0))
        if number == up_to < most:
            (number,) = self.connection.execute(
                "SELECT count(*) FROM (SELECT 1 "
                f"FROM {shelf.words} WHERE {shelf.words} MATCH ? LIMIT ?)",
                (found.expression, most),
            ).fetchone()
            self._counted[asked] = (number, most)
        return min(number, most)

    def _in_one(self, places: tuple[Place, ...], text: str) -> Condition:
        found = [
            _looked(place, "holds", [text])
            if place.shelf is None
            else self._on_shelf(place, place.shelf, [text])
            for place in places
        ]
        return one_of([condition for condition in found if condition != NEVER])

    def _on_shelf(self, place: Place, shelf: Shelf, texts: Sequence[str]) -> Condition:
        """Whether all of some texts stand in a place that a shelf knows of."""
        late = self._late(place, shelf, all_of([_held(place, t) for t in texts]))
        found = self._matches(shelf, texts)
        together = self._together(shelf, texts)
        frequent = min(_FREQUENT, upto(self.connection, shelf) // _PART + 1)
        is_frequent = self._count(shelf, together, frequent) == frequent
        if together.expression is None:
            return _looked(place, "holds", texts)
        if NOWHERE in found and late is None:
            return NEVER
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
        sure = NEVER if NOWHERE in found else all_of([named, *unsure])
        condition = sure if late is None else one_of([sure, late])
        each = place.each if is_frequent else place.chosen
        return Condition(each.format(condition.sql), condition.values)

    def _late(self, place: Place, shelf: Shelf, looked: Condition) -> Condition | None:
        """The rows that came, or changed, since their terms were listed."""
        end = listed(self.connection, shelf)
        changed = f"SELECT row FROM changed_texts WHERE shelf = '{shelf.table}'"
        question = f"SELECT coalesce(max(id), 0) > ?, EXISTS ({changed}) FROM "
        has_new, has_changed = self.connection.execute(
            question + shelf.table, (end,)
        ).fetchone()
        late: list[Condition] = []
        if has_new:
            late.append(Condition(f"{place.row} > ?", (end,)))
        if has_changed:
            late.append(Condition(f"{place.row} IN ({changed})"))
        return all_of([one_of(late), looked]) if late else None


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
