"""A query tree as one SQL condition."""

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import date, datetime, time, timedelta
from functools import cache, lru_cache, partial
from itertools import chain
from math import log, sqrt
from os import fsencode
from typing import cast

import orjson
from msgspec import Struct, field
from msgspec.structs import replace

from store.catalogue.reader import (
    ALWAYS,
    NEVER,
    Circumstances,
    Condition,
    all_of,
    one_of,
)
from store.catalogue.schema import SHELVES
from store.catalogue.words import NOWHERE, Vocabulary, listed, match, upto
from store.catalogue.words import Match as WordsMatch
from store.derive.memories import Fading, faded, fades_in
from store.kinds import KINDS, KINDS_ALONE, Record
from store.kinds.conversations import cost_of, status_of
from store.kinds.field import Field, Form, Match
from store.kinds.kind import STORE_TEXT, Kind, Place, Shelf
from store.kinds.messages import uuid_of
from store.kinds.problems import NAMING, problem_id
from store.kinds.table import Cell, fit_to_store
from store.machine import Places
from store.search.tree import (
    Age,
    All,
    Compared,
    Days,
    Either,
    Finder,
    Fuzzy,
    Last,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
    Value,
    compiled,
    leaves,
)
from store.settings import read_settings
from store.text import compared, fold, holding, is_exact, unmarked

# Days and ages in microseconds, by the user's calendar.

SECOND = 1_000_000
_DAY = 86_400 * SECOND

_UNITS = {
    "h": 3600 * SECOND,
    "d": _DAY,
    "w": 7 * _DAY,
    "m": 30 * _DAY,
    "y": 365 * _DAY,
}


def ago(age: Age, now: int) -> int:
    """The time an age ago."""
    return now - int(age.amount * _UNITS[age.unit])


def begin_of_days(days: Days) -> int:
    """The start of a range of days."""
    return _midnight(days.first)


def end_of_days(days: Days) -> int:
    """The end of a range of days: the start of the day after."""
    try:
        return _midnight(days.last + timedelta(days=1))
    except OverflowError:
        return _midnight(days.last) + _DAY


def day_of(instant: int) -> str:
    """The day of a time; the first day of the calendar if the time is out of range."""
    try:
        return datetime.fromtimestamp(instant / SECOND).astimezone().date().isoformat()
    except (OverflowError, OSError, ValueError):
        return date.min.isoformat()


def _midnight(day: date) -> int:
    """When a day starts in the local time zone."""
    naive = datetime.combine(day, time.min)
    try:
        return int(naive.astimezone().timestamp()) * SECOND
    except (OverflowError, OSError, ValueError):
        return (day - date(1970, 1, 1)) // timedelta(days=1) * _DAY


# Conditions that compare a field with a value.

_BETWEEN = ","
"""The separator of list entries, which may also occur inside one."""

_FOREIGN = "GLOB '*[^ -~]*'"
"""The condition that a text has letters which may fold to ASCII."""

_ENTRY = "EXISTS (SELECT 1 FROM json_each({}) WHERE {}(value, ?))"
"""The condition that an entry of a list matches."""

_MATCHED = {Match.IS: "same", Match.PART: "holds", Match.BEGINS: "begins"}


def has_value(column: Field, value: Value, now: int) -> Condition:
    """The condition that a field has a value."""
    return _within(column, _equal(column, value, now))


def compares(column: Field, operator: str, value: Value, now: int) -> Condition:
    """The condition that a field compares with a value as given."""
    return _within(column, _compared(column, operator, value, now))


def not_before(column: Field, value: Value, now: int) -> Condition:
    """The condition that a time is not before another."""
    match value:
        case Age():
            instant = ago(value, now)
        case Days():
            instant = begin_of_days(value)
        case _:
            return NEVER
    return _ordered(column, ">=", instant)


def _within(column: Field, condition: Condition) -> Condition:
    """The condition inside its wrapper, which may contain it more than once."""
    times = column.within.count("{")
    return Condition(column.within.format(condition.sql), condition.values * times)


def _equal(column: Field, value: Value, now: int) -> Condition:
    if isinstance(value, str):
        return _is_text(column, value)
    return _compared(column, "<" if isinstance(value, Age) else "=", value, now)


def _is_text(column: Field, value: str) -> Condition:
    """The condition that a field's text equals, contains or starts with a text."""
    if column.form is Form.LIST:
        return _is_listed(column, value)
    sql = column.word or column.sql
    if column.match is Match.IS and value.isascii():
        same = Condition(f"{sql} = ? COLLATE NOCASE", (value,))
        if column.word or not column.is_column:
            return same
        folded = Condition(f"{sql} {_FOREIGN} AND same({sql}, ?)", (value,))
        return one_of([same, folded])
    return Condition(f"{_MATCHED[column.match]}({sql}, ?)", (value,))


def _is_listed(column: Field, value: str) -> Condition:
    """The condition that an entry of a list equals or contains a text."""
    if column.match is Match.IS and value.isascii() and value != _BETWEEN:
        quoted = orjson.dumps(value.lower()).decode()
        same = Condition(f"instr(lower({column.sql}), ?)", (quoted,))
        folded = f"{column.sql} {_FOREIGN} AND {_ENTRY.format(column.sql, 'same')}"
        return one_of([same, Condition(folded, (value,))])
    wanted = fold(value) if column.match is Match.IS else value
    return Condition(_ENTRY.format(column.sql, _MATCHED[column.match]), (wanted,))


def _compared(column: Field, operator: str, value: Value, now: int) -> Condition:
    """The condition that a field compares with a number or a time."""
    match value:
        case float() if column.form is Form.NUMBER:
            return Condition(f"{column.sql} {operator} ?", (value,))
        case float():
            return Condition(f"CAST({column.sql} AS REAL) {operator} ?", (value,))
        case Age():
            return _aged(column, operator, ago(value, now))
        case Days():
            return _dated(column, operator, value)
        case _:
            return NEVER


_YOUNGER = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}
"""The comparison of times for a comparison of ages: a smaller age is a later time."""


def _aged(column: Field, operator: str, instant: int) -> Condition:
    return _ordered(column, _YOUNGER[operator], instant)


def _dated(column: Field, operator: str, days: Days) -> Condition:
    """The condition on a time and a range of days, both ends included."""
    begin, end = begin_of_days(days), end_of_days(days)
    match operator:
        case "<":
            return _ordered(column, "<", begin)
        case "<=":
            return _ordered(column, "<", end)
        case ">":
            return _ordered(column, ">=", end)
        case ">=":
            return _ordered(column, ">=", begin)
        case _:
            both = (_ordered(column, ">=", begin), _ordered(column, "<", end))
            return all_of(both)


def _ordered(column: Field, operator: str, instant: int) -> Condition:
    """The condition on two times; a field that is a day is compared by day."""
    value: Cell = instant
    if column.form is Form.DAY:
        value = day_of(instant)
    return Condition(f"{column.sql} {operator} ?", (value,))


# SQL functions for the conditions, mostly for comparing texts.

_REMEMBERED = 2048
"""How many prepared search texts are cached. If this were less than the longest query
has, each would be prepared again for every row."""


def teach(connection: sqlite3.Connection, now: int) -> None:
    """Register the SQL functions that conditions use, as of a time."""
    prices = cache(lambda: read_settings(Places.usual()).prices.models)
    functions: dict[str, tuple[int, Callable[..., str | float | bool | None]]] = {
        "holds": (2, _holds),
        "same": (2, _same),
        "begins": (2, _begins),
        "finds": (2, _finds),
        "spelt_uuid": (1, uuid_of),
        "spelt_path": (1, _spelt_path),
        "problem_id": (len(NAMING), problem_id),
        "strength_of": (6, partial(_strength, now)),
        "stage_of": (6, partial(_stage, now)),
        "fades_in": (6, partial(_fades_in, now)),
        "status_of": (6, partial(status_of, now)),
        "cost_of": (2, partial(cost_of, prices)),
    }
    for name, (count, function) in functions.items():
        connection.create_function(name, count, function, deterministic=True)


def _spelt_path(path: bytes) -> str:
    """A path as text; bytes that are not UTF-8 are replaced."""
    return path.decode("utf-8", "replace")


def _strength(now: int, *cells: float | str | None) -> float | None:
    """The strength of a memory."""
    return faded(now, cast("Fading", cells))[0]


def _stage(now: int, *cells: float | str | None) -> str | None:
    """The stage of a memory."""
    return faded(now, cast("Fading", cells))[1]


def _fades_in(now: int, *cells: float | str | None) -> float | None:
    """The days until the next stage of a memory."""
    return fades_in(now, cast("Fading", cells))


@lru_cache(_REMEMBERED)
def _prepared(needle: str) -> tuple[str, bool]:
    """A search text prepared for comparison, and whether its case matters."""
    return compared(needle, needle), is_exact(needle)


def _holds(text: str | None, needle: str) -> bool:
    """Whether a text contains the search text."""
    return text is not None and _holding(needle)(text)


_holding = lru_cache(_REMEMBERED)(holding)


def _begins(text: str | None, needle: str) -> bool:
    """Whether a text starts with the search text."""
    if text is None:
        return False
    wanted, exact = _prepared(needle)
    return (unmarked(text) if exact else fold(text)).startswith(wanted)


def _same(text: str | None, needle: str) -> bool:
    """Whether a text equals the search text, ignoring case."""
    return text is not None and fold(text) == _folded(needle)


@lru_cache(_REMEMBERED)
def _folded(needle: str) -> str:
    return fold(needle)


@lru_cache(_REMEMBERED)
def _ready(expression: str) -> Finder:
    """A compiled regular expression; case matters if it has a capital letter."""
    return compiled(expression, is_exact=is_exact(expression))


def _finds(text: str | None, wanted: str) -> bool:
    """Whether a regular expression matches somewhere in a text."""
    return text is not None and _ready(wanted).search(text) is not None


# Conditions on text: the index gives candidates, the text itself decides.

_FREQUENT, _PART = 20_000, 4
"""If at least this many rows match, or one in `_PART`, they are searched in the order
of the list, which soon gives enough. Fetching all of them first and sorting them takes
longer."""


_COMMON = 230
"""If more rows match than this times the square root of their number, scanning finds
them sooner. It soon finds a thousand of them, while the index would go through all."""

_COUNTED = 400_000
"""The most matching rows to count; a higher number would make no difference."""


class Shelves(Struct, frozen=True):
    """The full-text index, ready for queries."""

    connection: sqlite3.Connection
    vocabulary: Vocabulary
    _matched: dict[tuple[str, str], WordsMatch] = field(
        default_factory=dict[tuple[str, str], WordsMatch]
    )
    """Matches already computed for this query, which needs them more than once."""
    _counted: dict[tuple[str, str], tuple[int, int]] = field(
        default_factory=dict[tuple[str, str], tuple[int, int]]
    )
    """Counts already computed, each with the limit up to which it was counted."""

    def holds(self, places: tuple[Place, ...], texts: Sequence[str]) -> Condition:
        """The condition that each of some texts is in one of several places."""
        if len(places) == 1 and places[0].shelf is not None:
            return self._on_shelf(places[0], places[0].shelf, texts)
        return all_of([self._in_one(places, text) for text in texts])

    def looked(
        self, places: tuple[Place, ...], texts: Sequence[str]
    ) -> Condition | None:
        """The same without the index, for callers that need only the first few rows.

        None if so few rows match that the index is faster.
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
        """How rare a text is: 1 if no record contains it, 0 if all of them do.

        The scale is logarithmic: among a million records, a word that is in a thousand
        of them has 0.5.
        """
        having = total = 0
        for shelf in SHELVES:
            (found,) = self._matches(shelf, [text])
            total += upto(self.connection, shelf)
            having += self._count(shelf, found, _COUNTED)
        return log((1 + total) / (1 + having)) / log(2 + total)

    def _matches(self, shelf: Shelf, texts: Sequence[str]) -> list[WordsMatch]:
        """The possible matches of each text in a shelf."""
        for text in texts:
            if (shelf.table, text) not in self._matched:
                found = match(self.connection, self.vocabulary, shelf, text)
                self._matched[shelf.table, text] = found
        return [self._matched[shelf.table, text] for text in texts]

    def _together(self, shelf: Shelf, texts: Sequence[str]) -> WordsMatch:
        """The possible matches of all texts together in a shelf."""
        found = self._matches(shelf, texts)
        asked = [one.expression for one in found if one.expression is not None]
        if NOWHERE in found:
            return NOWHERE
        both = " AND ".join(f"({one})" for one in asked)
        return WordsMatch(
            asked[0] if len(asked) == 1 else both or None, is_certain=False
        )

    def _count(self, shelf: Shelf, found: WordsMatch, most: int) -> int:
        """How many rows of a shelf may match, up to a limit."""
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
        """The condition that all texts are in a place that has a shelf."""
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
        """The condition for rows added or changed since the terms were listed."""
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
    """The condition that a regular expression matches in one of several places."""
    return one_of([_looked(place, "finds", [expression]) for place in places])


def _looked(place: Place, function: str, texts: Sequence[str]) -> Condition:
    """The condition on a place's text, without the index."""
    looked = all_of([Condition(f"{function}({place.text}, ?)", (t,)) for t in texts])
    return Condition(place.each.format(looked.sql), looked.values)


def _held(place: Place, text: str) -> Condition:
    """The condition that a place's own text contains another."""
    return Condition(f"holds({place.text}, ?)", (text,))


# A whole query as one condition on the rows of one kind.

_EACH = ("is", ("each",))

Nearly = Callable[[str, str], Sequence[int]]
"""The rows of one kind whose names contain a text approximately."""


class Compiler(Struct, frozen=True):
    """Turns queries into conditions."""

    shelves: Shelves
    nearly: Nearly
    circumstances: Circumstances

    def condition(self, tree: Node, kind: str, *, alone: bool = False) -> Condition:
        """The condition for a row of one kind to match a query.

        `alone` leaves out text that belongs to records of another kind: the text of a
        conversation is in its messages.
        """
        known = (KINDS_ALONE if alone else KINDS)[kind]
        made = _Compiled(self, kind, known, known.everywhere).of(tree)
        if known.is_listed:
            listed = known.is_single if _is_about_each(tree) else known.is_listed
            made = all_of([made, Condition(listed)])
        return Condition(made.sql, fit_to_store([made.values])[0])


def _is_about_each(tree: Node) -> bool:
    """Whether a query asks for each row, or names a file or a record."""
    return any(
        isinstance(leaf, Named)
        and not is_negated
        and (leaf.name in {"path", "ref"} or (leaf.name, leaf.values) == _EACH)
        for leaf, is_negated in leaves(tree)
    )


def _is_plain(node: Node) -> bool:
    """Whether a part of a query has no nested parts."""
    inner = node.term if isinstance(node, Not) else node
    return not isinstance(inner, All | Either | Not)


def _in_order(terms: Sequence[Node]) -> list[Node]:
    """The terms without repetitions, those with nested terms first.

    In any other order, SQLite would have to remember the terms before them.
    """
    return sorted(dict.fromkeys(terms), key=_is_plain)


class _Compiled(Struct, frozen=True):
    """A query for one kind."""

    compiler: Compiler
    name: str
    kind: Kind[Record]
    places: tuple[Place, ...]

    @property
    def circumstances(self) -> Circumstances:
        """What the query depends on besides its text."""
        return self.compiler.circumstances

    def of(self, node: Node, *, negated: bool = False) -> Condition:
        """The condition for a part of the query, or its negation.

        Negation is moved inward to the terms, as SQLite limits nesting.
        """
        match node:
            case Not(term):
                return self.of(term, negated=not negated)
            case All(terms):
                conditions = self._all(terms, negated=negated)
                return one_of(conditions) if negated else all_of(conditions)
            case Either(terms):
                conditions = [self.of(t, negated=negated) for t in _in_order(terms)]
                return all_of(conditions) if negated else one_of(conditions)
            case _:
                leaf = self._leaf(node)
                return leaf.negated if negated else leaf

    def _all(self, terms: Sequence[Node], *, negated: bool) -> list[Condition]:
        """The conditions for terms joined by AND; all texts are looked up at once."""
        group, once = self._within(terms), _in_order(terms)
        texts = [term.text for term in once if isinstance(term, Text) and term.text]
        others = [term for term in once if not isinstance(term, Text)]
        conditions = [group.of(term, negated=negated) for term in others]
        if texts:
            held = self.compiler.shelves.holds(group.places, texts)
            conditions.append(held.negated if negated else held)
        return conditions

    def _within(self, terms: Sequence[Node]) -> "_Compiled":
        """The same query, limited to the places that a group names with `in:`."""
        named = [
            value
            for term in terms
            if isinstance(term, Named) and term.name == "in"
            for value in term.values
            if isinstance(value, str)
        ]
        if not named:
            return self
        places = (place for name in named for place in self.kind.places.get(name, ()))
        return replace(self, places=tuple(places))

    def _leaf(
        self, leaf: Text | Fuzzy | Start | Pattern | Named | Compared
    ) -> Condition:
        match leaf:
            case Text(text):
                return self._text(text)
            case Fuzzy(text):
                rows = orjson.dumps(
                    list(self.compiler.nearly(self.name, text))
                ).decode()
                inner = "SELECT value FROM json_each(?)"
                return Condition(f"{self.kind.name}.id IN ({inner})", (rows,))
            case Start(text):
                title = self.kind.title
                return Condition(f"begins({title}, ?)", (text,)) if title else NEVER
            case Pattern(text):
                return found_in(self.places, text)
            case Named(name, values):
                return one_of([self._named(name, value) for value in values])
            case Compared(name, operator, value):
                column = self.kind.fields.get(name)
                now = self.circumstances.now
                return compares(column, operator, value, now) if column else NEVER

    def _text(self, text: str) -> Condition:
        """The condition that the places contain a text."""
        return self.compiler.shelves.holds(self.places, [text]) if text else ALWAYS

    def _named(self, name: str, value: Value) -> Condition:
        """The condition that a field has a value."""
        match name, value:
            case (("is" | "has" | "in"), str()):
                return self._spoken(name, value)
            case (("month" | "year"), _) if self.kind.times:
                return self._equal(self.kind.times[0], value)
            case (("in" | "on"), _):
                return self._some_time(lambda column: self._equal(column, value))
            case "store", str():
                return _of_store(value)
            case "since", _:
                return self._since(value)
            case _:
                return self._field(name, value)

    def _spoken(self, name: str, word: str) -> Condition:
        """The condition for `is:` and `has:`; `in:` only selects places."""
        if name == "is":
            return self._state(word)
        has = self.kind.belongings.get(word, "0")
        return ALWAYS if name == "in" else Condition(f"({has})")

    def _field(self, name: str, value: Value) -> Condition:
        """The condition that one of the record's own fields has a value."""
        known = self.kind.fields.get(name)
        if known is None:
            return NEVER
        return has_value(known, value, self.circumstances.now)

    def _since(self, value: Value) -> Condition:
        """The condition that a record is not older than a time or the last visit."""
        if isinstance(value, Last):
            return one_of([self._state("new"), self._state("changed")])
        now = self.circumstances.now
        return self._some_time(lambda column: not_before(column, value, now))

    def _equal(self, column: Field, value: Value) -> Condition:
        """The condition that a time is within some days."""
        if not isinstance(value, Days):
            return NEVER
        return has_value(column, value, self.circumstances.now)

    def _some_time(self, of: Callable[[Field], Condition]) -> Condition:
        """The condition that one of the record's times meets a condition."""
        return one_of([of(column) for column in self.kind.times])

    def _state(self, state: str) -> Condition:
        """The condition that a record is in a state."""
        looked = self.circumstances.looked
        match state:
            case "marked":
                refs = orjson.dumps(sorted(self.circumstances.marked)).decode()
                inner = "SELECT value FROM json_each(?)"
                return Condition(f"{self.kind.name}.ref IN ({inner})", (refs,))
            case "new":
                return _later(self.kind.new, looked)
            case "changed":
                return _later(self.kind.changed or self.kind.new, looked)
            case _:
                return Condition(f"({self.kind.states.get(state, '0')})")


def _of_store(name: str) -> Condition:
    """The condition that the store's name or path is, or else contains, a text."""
    called = "({0}.title = ? COLLATE NOCASE OR spelt_path({0}.path) = ?)"
    other = f"SELECT 1 FROM stores AS others WHERE {called.format('others')}"
    nearly = f"NOT EXISTS ({other}) AND holds({STORE_TEXT}, ?)"
    return Condition(f"({called.format('stores')} OR ({nearly}))", (name,) * 5)


def _later(moment: str | None, looked: Mapping[str, int]) -> Condition:
    """The condition that a time is after the last visit to its store, if any."""
    if moment is None or not looked:
        return ALWAYS
    together: dict[int, list[bytes]] = {}
    for path, instant in looked.items():
        together.setdefault(instant, []).append(fsencode(path))
    each = " ".join(
        f"WHEN stores.path IN ({', '.join('?' * len(paths))}) THEN {moment} > ?"
        for paths in together.values()
    )
    values = ((*paths, instant) for instant, paths in together.items())
    return Condition(f"(CASE {each} ELSE 1 END)", tuple(chain.from_iterable(values)))
