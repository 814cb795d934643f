"""How the index understands a query: names, values, facets, close matches."""

import os
import sqlite3
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from msgspec import Struct, field

from store.catalogue.compile import Compiler, Shelves, teach
from store.catalogue.reader import Circumstances, Condition, Reader
from store.catalogue.words import Vocabulary
from store.kinds import KINDS, KINDS_ALONE, Record
from store.kinds.field import Field, Form, Match
from store.kinds.kind import Kind
from store.kinds.table import holdable, json_text
from store.search.fields import field_of
from store.search.meaning import Near
from store.search.parse import unknown_value
from store.search.tree import All, Complaint, Fuzzy, Named, Node, Start, Text, leaves
from store.text import fold, regex

if TYPE_CHECKING:
    from store.search.fuzzy import Names


# The names of all records of one kind, in memory to find mistyped ones.

_LIKE = 100
"""The most similar rows to return."""

FARTHEST = 0.1
"""How much less similar than the best a row may be; anything less is chance."""


class Like(Struct, frozen=True):
    """A row with a name similar to the typed words."""

    row: int
    score: float
    """How similar, from 0 to 1."""
    how: str
    """In which way it is similar."""


class _Held(Struct):
    """The names of one kind, valid for one state of the catalogue."""

    state: tuple[int, int]
    rows: list[int]
    names: "Names"


class NamesOfRows:
    """Finds rows by approximate names; reads the names once per catalogue state."""

    def __init__(self) -> None:
        self._held: dict[str, _Held] = {}

    def like(
        self, connection: sqlite3.Connection, kind: str, words: Sequence[str]
    ) -> list[Like]:
        """The rows of one kind with names most similar to some words, best first."""
        if not KINDS[kind].names:
            return []
        held = self._of(connection, kind)
        near = held.names.similar(words, _LIKE)
        least = near[0].score - FARTHEST if near else 0
        near = [one for one in near if one.score >= least]
        return [Like(held.rows[one.position], one.score, one.how) for one in near]

    def _of(self, connection: sqlite3.Connection, kind: str) -> _Held:
        state = _state(connection)
        held = self._held.get(kind)
        if held is None or held.state != state:
            from store.search.fuzzy import Names  # noqa: PLC0415  # rarely needed

            question = f"SELECT id, {KINDS[kind].names} FROM {kind} ORDER BY 1"
            rows = [row for row in connection.execute(question) if row[1]]
            names = Names(str(name) for _, name in rows)
            held = _Held(state, [row for row, _ in rows], names)
            self._held[kind] = held
        return held


def _state(connection: sqlite3.Connection) -> tuple[int, int]:
    """A value that changes with every write, by this or another process."""
    (version,) = connection.execute("PRAGMA data_version").fetchone()
    return version, connection.total_changes


# Run a query: what it means for each kind of record.

_RESULT = "CREATE TEMP TABLE IF NOT EXISTS result (id INTEGER PRIMARY KEY)"
"""The rows over which facets are counted. Created up front, as creating a table would
abort statements that are still returning rows."""


class Memory(Struct, frozen=True):
    """What is cached between queries, so that the next keystroke is fast.

    It is valid for one connection and one time. SQL functions for that time are
    registered first, as SQLite rejects that while a statement is returning rows.
    """

    connection: sqlite3.Connection
    now: int
    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    names: NamesOfRows = field(default_factory=NamesOfRows)

    @classmethod
    def of(cls, connection: sqlite3.Connection, now: int) -> "Memory":
        """An empty cache for a connection, after registering the SQL functions."""
        teach(connection, now)
        connection.execute(_RESULT)
        return cls(connection, now)

    def serves(self, connection: sqlite3.Connection, now: int) -> bool:
        """Whether it is valid for this connection and time."""
        return self.connection is connection and self.now == now


class Asked:
    """Runs queries on the stores of a reader."""

    def __init__(
        self, reader: Reader, memory: Memory, circumstances: Circumstances
    ) -> None:
        self.reader = reader
        self.circumstances = circumstances
        self.names = memory.names
        self.shelves = Shelves(reader.connection, memory.vocabulary)
        self._alike: dict[tuple[str, str], list[Like]] = {}
        self._compiler = Compiler(self.shelves, self._nearly, circumstances)

    def condition(self, tree: Node, kind: str, *, alone: bool = False) -> Condition:
        """The condition for a row of one kind; with `alone`, on its own text only."""
        return self._compiler.condition(tree, kind, alone=alone)

    def soon(self, tree: Node, kind: str) -> Condition | None:
        """A condition to check row by row, if enough rows soon match.

        None if the query has anything but words, or if few rows contain these.
        """
        terms = tree.terms if isinstance(tree, All) else (tree,)
        texts = [term.text for term in terms if isinstance(term, Text) and term.text]
        if not texts or len(texts) < len(terms):
            return None
        return self.shelves.looked(KINDS_ALONE[kind].everywhere, texts)

    def like(self, kind: str, text: str) -> list[Like]:
        """The rows of one kind whose names contain a text approximately, best first."""
        asked = (kind, text)
        if asked not in self._alike:
            found = self.names.like(self.reader.connection, kind, text.split())
            self._alike[asked] = found
        return self._alike[asked]

    def _nearly(self, kind: str, text: str) -> Sequence[int]:
        return [one.row for one in self.like(kind, text)]


# A query without exact matches, turned into one for similar names.


class Nearly(NamedTuple):
    """A query for names similar to some words."""

    tree: Node
    text: str
    """The words as typed."""
    rest: Node
    """The rest of the query."""


_FIELD = regex(r"\w+[:=<>]")
"""What begins like a field and its value."""


def nearest_tree(tree: Node) -> Nearly | None:
    """The query with all its words combined into one approximate name.

    None if it has no words, or a term such as `nope:3`, which is meant exactly.
    """
    terms = tree.terms if isinstance(tree, All) else (tree,)
    words = [term.text for term in terms if isinstance(term, Text | Start | Fuzzy)]
    if not words or any(map(_FIELD.match, words)):
        return None
    others = tuple(t for t in terms if not isinstance(t, Text | Start | Fuzzy))
    text = " ".join(words)
    return Nearly(All((Fuzzy(text), *others)), text, All(others))


# Find memories by the keys that vectors are stored under.

_KEYED = (
    "SELECT memories.key, memories.id FROM memories "
    "JOIN stores ON stores.id = memories.store "
    "WHERE stores.path = ? AND memories.key IN (SELECT value FROM json_each(?))"
)


def rows_near(reader: Reader, near: Sequence[Near]) -> dict[int, float]:
    """The rows of near memories with their scores, nearest first."""
    by_store: defaultdict[str, dict[str, float]] = defaultdict(dict)
    for one in near:
        by_store[one.store][holdable(one.key)] = one.score
    rows = {
        row: scores[key]
        for store, scores in by_store.items()
        for key, row in _rows(reader, store, scores)
    }
    return dict(sorted(rows.items(), key=lambda found: (-found[1], found[0])))


def _rows(reader: Reader, store: str, keys: Iterable[str]) -> list[tuple[str, int]]:
    """The rows of a store's memories with some keys."""
    values = (os.fsencode(store), json_text(list(keys)))
    return reader.execute(_KEYED, values).fetchall()


# The values of a field, with their counts.
#
# Each value is counted in its own table: an edge type among edges, not again for each
# memory that an edge connects.

_STORES = "stores"

_STORE = Field(sql=f"{_STORES}.title")
"""A store can be named by title or path; only titles are listed."""


def values(
    reader: Reader, kinds: Sequence[str], field: str, beginning: str = ""
) -> list[tuple[str, int]]:
    """The values of a field that start with a prefix, most frequent first.

    Empty for fields whose values nearly all differ: numbers, times, texts, identifiers.
    `field` is the full name. Without kinds, every kind with this field is used.
    """
    counts: Counter[str] = Counter()
    for told, kind in _columns_of(kinds or tuple(KINDS), field):
        counts.update(_counted(reader, told, kind))
    begun = fold(beginning)
    found = [one for one in counts.items() if fold(one[0]).startswith(begun)]
    return sorted(found, key=lambda one: (-one[1], one[0]))


def listed_fields(kind: str) -> list[str]:
    """The names of a kind's fields whose values can be listed."""
    return [name for name in KINDS[kind].fields if _place(kind, name)]


def _columns_of(kinds: Sequence[str], field: str) -> Iterator[tuple[Field, str]]:
    """The columns with the values of a field, each once, with a kind that has it."""
    places = ((_place(kind, field), kind) for kind in kinds)
    return iter({told.sql: (told, kind) for told, kind in places if told}.values())


def _place(kind: str, field: str) -> Field | None:
    """The column of the kind's field, if its values can be listed."""
    told = KINDS[kind].fields.get(field)
    if field == "store":
        return _STORE
    if told is None or told.form not in {Form.TEXT, Form.LIST}:
        return None
    is_listed = told.match is Match.IS or told.form is Form.LIST
    return told if is_listed and told.is_column else None


def _counted(reader: Reader, told: Field, kind: str) -> dict[str, int]:
    """The values of one column, with their counts."""
    owner, value, within = told.sql.partition(".")[0], told.sql, "stores.id"
    rows, shown = owner, "1"
    if owner != _STORES:
        view = KINDS.get(owner, KINDS[kind])
        rows, shown = view.joined(told.sql), view.is_listed or view.is_shown
        within = f"{view.name}.store"
    if told.form is Form.LIST:
        rows, value = f"{rows}, json_each({told.sql}) AS listed", "listed.value"
    found = reader.execute(
        f"SELECT {value}, count(*) FROM {rows} WHERE {shown} AND {value} <> '' "
        f"AND {reader.within(within)} GROUP BY 1",
        reader.stores_seen,
    )
    return {str(one): number for one, number in found}


# Values in a query that no record has, probably mistyped.


def unknown(asked: Asked, kinds: Sequence[str], tree: Node) -> Iterator[Complaint]:
    """A message for each unknown value, if the stores define a field's values."""
    for leaf, _ in leaves(tree):
        if isinstance(leaf, Named):
            yield from _unknown(asked, kinds, leaf)


def _unknown(asked: Asked, kinds: Sequence[str], leaf: Named) -> Iterator[Complaint]:
    """The unknown values of one field."""
    fields = {kind: field_of(leaf.name, kind) for kind in kinds}
    having = [kind for kind, field in fields.items() if field and not field.choices]
    chosen = {
        word for field in fields.values() if field for word in field.choices or ()
    }
    known = [value for value, _ in values(asked.reader, having, leaf.name)]
    for value in leaf.values if having and known else ():
        if not isinstance(value, str) or value in chosen:
            continue
        if _is_there(asked, having, leaf.name, value):
            continue
        if leaf.name == "store" and fold(value) in map(fold, known):
            what = having[0] if len(having) == 1 else "such records"
            yield Complaint(leaf.span, f"The store {value!r} has no {what}.")
        else:
            yield unknown_value(leaf.span, leaf.name, value, known)


def _is_there(asked: Asked, kinds: Sequence[str], field: str, value: str) -> bool:
    """Whether any record has a value."""
    leaf = Named(field, (value,))
    return any(
        asked.reader.count(KINDS[kind], asked.condition(leaf, kind), 1)
        for kind in kinds
    )


# Facets of a result: counts by type, tag, store and month.

_MONTH = 7
_YEAR = 4

MOST = 50
"""The most values of a facet to return, most frequent first."""


class Share(NamedTuple):
    """The number of results with a value."""

    value: str
    number: int


Facets = Mapping[str, list[Share]]
"""The shares of each facet, largest first; nulls are not counted."""


def facets(
    asked: Asked, kind: str, tree: Node, names: Collection[str] | None = None
) -> Facets:
    """The facets of the records that match a query: those named, or all."""
    counted = {
        name: sql
        for name, sql in _counted_facets(KINDS[kind]).items()
        if names is None or name in names
    }
    _gather(asked, kind, asked.condition(tree, kind))
    shares = {name: _shares(asked, kind, sql) for name, sql in counted.items()}
    return {name: found for name, found in shares.items() if found}


def _gather(asked: Asked, kind: str, condition: Condition) -> None:
    """Find the matching rows once, to count all facets over them."""
    reader, view = asked.reader, KINDS[kind]
    reader.execute("DELETE FROM result")
    reader.execute(
        f"INSERT INTO result SELECT {view.name}.id FROM {view.joined(condition.sql)} "
        f"WHERE {view.is_shown} AND {condition.sql} "
        f"AND {reader.within(f'{view.name}.store')}",
        (*condition.values, *reader.stores_seen),
    )


def _counted_facets(kind: Kind[Record]) -> dict[str, str]:
    """The facets of one kind, as SQL."""
    day = first = kind.times[0].sql
    if kind.times[0].form is Form.MOMENT:
        day = f"datetime({first} / 1000000, 'unixepoch', 'localtime')"
    return {
        "store": "stores.title",
        **{name: kind.fields[name].sql for name in kind.facets},
        "year": f"substr({day}, 1, {_YEAR})",
        "month": f"substr({day}, 1, {_MONTH})",
    }


def _shares(asked: Asked, kind: str, sql: str) -> list[Share]:
    """The number of results with each value, ignoring case as queries do.

    A value that takes a call is computed once: that of a stage is one of Python.
    """
    view = KINDS[kind]
    each, value, counted, number = "", sql, view.counted, "sum(counted)"
    if sql.endswith((".tags", ".tools", ".models")):
        each, value = f", json_each({sql})", "value"
        counted, number = "result.id", "count(DISTINCT counted)"
    once = "MATERIALIZED" if "(" in value else "NOT MATERIALIZED"
    rows = asked.reader.execute(
        f"WITH shares AS {once} (SELECT {value} AS share, {counted} AS counted "
        f"FROM result CROSS JOIN {view.joined(f'{sql} {counted}')}{each} "
        f"WHERE {view.name}.id = result.id) "
        f"SELECT min(share), {number} AS number FROM shares WHERE share <> '' "
        "GROUP BY share COLLATE NOCASE ORDER BY number DESC, min(share) LIMIT ?",
        (MOST,),
    )
    return [Share(str(value), number) for value, number in rows]
