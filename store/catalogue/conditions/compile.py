"""A query's tree as one condition on the rows of a kind."""

from collections.abc import Callable, Mapping, Sequence
from itertools import chain
from os import fsencode

import orjson
from msgspec import Struct
from msgspec.structs import replace

from store.catalogue.conditions.circumstances import Circumstances
from store.catalogue.conditions.condition import (
    ALWAYS,
    NEVER,
    Condition,
    all_of,
    one_of,
)
from store.catalogue.conditions.kinds import ALONE, KINDS, Kind
from store.catalogue.conditions.kinds.kind import STORE, Place
from store.catalogue.conditions.texts import Shelves, found_in
from store.catalogue.conditions.told import Told
from store.catalogue.conditions.values import compares, has_value, not_before
from store.catalogue.rows.cells import fit_to_store
from store.search.language.fields import Match, field_of
from store.search.language.tree import (
    All,
    Compared,
    Days,
    Either,
    Fuzzy,
    Last,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
    Value,
)

Nearly = Callable[[str, str], Sequence[int]]
"""The rows of a kind whose names nearly hold a text."""


class Compiler(Struct, frozen=True):
    """Makes conditions of queries."""

    shelves: Shelves
    nearly: Nearly
    circumstances: Circumstances

    def condition(self, tree: Node, kind: str, *, alone: bool = False) -> Condition:
        """What a row of a kind must meet to be what a query asks for.

        `alone` leaves out what belongs to records of another kind: what is said in a
        conversation is in its messages.
        """
        known = (ALONE if alone else KINDS)[kind]
        made = _Compiled(self, kind, known, known.everywhere).of(tree)
        return Condition(made.sql, fit_to_store([made.values])[0])


def _is_plain(node: Node) -> bool:
    """Whether nothing is nested in a part of a query."""
    inner = node.term if isinstance(node, Not) else node
    return not isinstance(inner, All | Either | Not)


def _in_order(terms: Sequence[Node]) -> list[Node]:
    """Terms, each of them once, those first in which others are nested.

    Where they came later, SQLite would have to remember what stands before them.
    """
    return sorted(dict.fromkeys(terms), key=_is_plain)


class _Compiled(Struct, frozen=True):
    """A query about one kind."""

    compiler: Compiler
    name: str
    kind: Kind
    places: tuple[Place, ...]

    @property
    def circumstances(self) -> Circumstances:
        """What the query's meaning hangs on."""
        return self.compiler.circumstances

    def of(self, node: Node, *, negated: bool = False) -> Condition:
        """What a part of the query comes to, or its opposite.

        What is negated is what groups are made of, not the groups: SQLite takes only
        so much that is nested.
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
        """What must hold together, part by part; texts are looked for in one go."""
        group, once = self._within(terms), _in_order(terms)
        texts = [term.text for term in once if isinstance(term, Text) and term.text]
        others = [term for term in once if not isinstance(term, Text)]
        conditions = [group.of(term, negated=negated) for term in others]
        if texts:
            held = self.compiler.shelves.holds(group.places, texts)
            conditions.append(held.negated if negated else held)
        return conditions

    def _within(self, terms: Sequence[Node]) -> "_Compiled":
        """The same, where a group says itself in which places its text is."""
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
                return Condition(f"{self.kind.table}.id IN ({inner})", (rows,))
            case Start(text):
                title = self.kind.title
                return Condition(f"begins({title}, ?)", (text,)) if title else NEVER
            case Pattern(text):
                return found_in(self.places, text)
            case Named(name, values):
                return one_of([self._named(name, value) for value in values])
            case Compared(name, operator, value):
                told = self.kind.fields.get(name)
                now = self.circumstances.now
                return compares(told, operator, value, now) if told else NEVER

    def _text(self, text: str) -> Condition:
        """Whether a text stands where it is looked for."""
        return self.compiler.shelves.holds(self.places, [text]) if text else ALWAYS

    def _named(self, name: str, value: Value) -> Condition:
        """Whether a field has a value."""
        match name, value:
            case (("is" | "has" | "in"), str()):
                return self._spoken(name, value)
            case (("month" | "year"), _) if self.kind.times:
                return self._equal(self.kind.times[0], value)
            case (("in" | "on"), _):
                return self._some_time(lambda told: self._equal(told, value))
            case "store", str():
                return _of_store(value)
            case "since", _:
                return self._since(value)
            case _:
                return self._field(name, value)

    def _spoken(self, name: str, word: str) -> Condition:
        """What a record is or has; where text is looked for says nothing of it."""
        if name == "is":
            return self._state(word)
        has = self.kind.belongings.get(word, "0")
        return ALWAYS if name == "in" else Condition(f"({has})")

    def _field(self, name: str, value: Value) -> Condition:
        """Whether one of the record's own fields has a value."""
        told = self.kind.fields.get(name)
        known = field_of(name, self.name)
        if told is None or known is None:
            return NEVER
        return has_value(told, known.match, value, self.circumstances.now)

    def _since(self, value: Value) -> Condition:
        """Whether a record is not from before a time, or from before the last look."""
        if isinstance(value, Last):
            return one_of([self._state("new"), self._state("changed")])
        now = self.circumstances.now
        return self._some_time(lambda told: not_before(told, value, now))

    def _equal(self, told: Told, value: Value) -> Condition:
        """Whether a time lies within some days."""
        if not isinstance(value, Days):
            return NEVER
        return has_value(told, Match.IS, value, self.circumstances.now)

    def _some_time(self, of: Callable[[Told], Condition]) -> Condition:
        """Whether one of the record's times is as it should be."""
        return one_of([of(told) for told in self.kind.times])

    def _state(self, state: str) -> Condition:
        """Whether a record is in a state."""
        looked = self.circumstances.looked
        match state:
            case "marked":
                refs = orjson.dumps(sorted(self.circumstances.marked)).decode()
                inner = "SELECT value FROM json_each(?)"
                return Condition(f"{self.kind.table}.ref IN ({inner})", (refs,))
            case "new":
                return _later(self.kind.new, looked)
            case "changed":
                return _later(self.kind.changed or self.kind.new, looked)
            case _:
                return Condition(f"({self.kind.states.get(state, '0')})")


def _of_store(name: str) -> Condition:
    """Whether a record is in a store that is called so, else in one that nearly is."""
    called = "({0}.title = ? COLLATE NOCASE OR spelt_path({0}.path) = ?)"
    other = f"SELECT 1 FROM stores AS others WHERE {called.format('others')}"
    nearly = f"NOT EXISTS ({other}) AND holds({STORE}, ?)"
    return Condition(f"({called.format('stores')} OR ({nearly}))", (name,) * 5)


def _later(moment: str | None, looked: Mapping[str, int]) -> Condition:
    """Whether an instant came after the last look at its store; before it, all is."""
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
