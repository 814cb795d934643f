"""The declaration of one kind of record, and its SQL."""

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from os import fsdecode
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import astuple, replace

from store.findings import FORMATS
from store.kinds.field import (
    NOW,
    UNSORTED,
    Field,
    Form,
    Identifier,
    Number,
    Phrase,
    Text,
    Type,
)
from store.kinds.table import GROWING, Column, Origin, Table, ref_of, split

# Fields of every kind, or of several.

PATH_TEXT = "spelt_path(sources.path)"
"""The path of a record's source as text; it need not be UTF-8."""

STORE_TEXT = "stores.title || char(10) || spelt_path(stores.path)"
"""The text by which a store is found."""

REF = Identifier("its ref")
STORE = Phrase(
    "the store, by name or path",
    joined="stores.path",
    read=fsdecode,
    sql=STORE_TEXT,
    sort="stores.path",
)
FORMAT = Text("the store's format", joined="stores.format", choices=FORMATS)
PATH = Phrase(
    "its file", joined="sources.path", read=fsdecode, sql=PATH_TEXT, sort="sources.path"
)
ID = Identifier("its own id", column="own_id")
LINE = Number("the line it starts at", sort=UNSORTED)
SESSION = Identifier("its session")

_OF_ALL = {
    "ref": REF,
    "store": STORE,
    "format": FORMAT,
    "path": replace(PATH, sort=UNSORTED),
}
"""The fields that queries can use for every kind."""

LAST = (
    *("is", "has", "in", "ref", "id", "store", "format", "path", "line", "session"),
    *("on", "month", "year", "since"),
)
"""The fields that are offered after the kind's own, in this order."""

_DAYS = {"on": "its day", "month": "its month", "year": "its year"}
"""The fields for days, of kinds that have a time."""

LOOKED_AT = ("marked", "changed", "new", "hidden-text", "secret", "suspicious")
"""States that any record on screen can have."""


def problems_of(table: str) -> Field:
    """The codes of a record's problems."""
    return Text(
        "a problem's code",
        aliases=("problem",),
        column=None,
        shown=(
            "(SELECT group_concat(code, ' ') FROM (SELECT DISTINCT code FROM problems "
            f"WHERE problems.ref = {table}.ref ORDER BY code))"
        ),
        read=split,
        sql="problems.code",
        within=f"{table}.ref IN (SELECT problems.ref FROM problems WHERE {{}})",
    )


def with_problem(table: str, *codes: str) -> str:
    """The SQL condition that a row has a problem with one of these codes."""
    listed = ", ".join(f"'{code}'" for code in codes)
    return (
        f"{table}.ref IN (SELECT problems.ref FROM problems "
        f"WHERE problems.code IN ({listed}))"
    )


def has_text(column: str) -> str:
    """The SQL condition that a column has a text."""
    return f"coalesce({column}, '') <> ''"


def at(sql: str) -> Field:
    """A time of a record, in microseconds."""
    return Field(form=Form.MOMENT, sql=sql)


# Where text is searched.

_DIRECT = "{}"


class Shelf(Struct, frozen=True):
    """A table with a full-text index."""

    table: str
    """The name of the table."""
    columns: tuple[str, ...]
    """The columns that make up the text of a row."""

    @property
    def words(self) -> str:
        """The table with the full-text index."""
        return f"{self.table}_words"

    @property
    def vocabulary(self) -> str:
        """The table of all terms in the index."""
        return f"{self.table}_vocabulary"

    @property
    def texts(self) -> str:
        """The view of the texts."""
        return f"{self.table}_texts"

    def text(self, row: str) -> str:
        """The text of a row, as SQL."""
        return lines_of(*(f"{row}.{column}" for column in self.columns))

    @property
    def whole(self) -> "Place":
        """All its text."""
        return Place(self.text(self.table), self, f"{self.table}.id")

    def part(self, column: str) -> "Place":
        """The text in one of its columns."""
        text, row = f"{self.table}.{column}", f"{self.table}.id"
        return Place(text, self, row, is_whole=False)


def lines_of(*columns: str) -> str:
    """Several columns as the lines of one text, as SQL."""
    return " || char(10) || ".join(f"coalesce({column}, '')" for column in columns)


class Place(Struct, frozen=True):
    """A place where text is searched."""

    text: str
    """The text, as SQL."""
    shelf: Shelf | None = None
    """The shelf that indexes the text, if there is one."""
    row: str = ""
    """The row id in the shelf."""
    is_whole: bool = True
    """Whether the text is all that the shelf indexes for the row."""
    chosen: str = _DIRECT
    """A wrapper for a condition that the shelf answers."""
    each: str = _DIRECT
    """A wrapper for a condition that is checked on every row."""


class Ranked(Struct, frozen=True, kw_only=True):
    """What a search ranks records by, as SQL, in the order of a `Candidate`."""

    title: str = ""
    """By default the title of the kind."""
    names: str = "''"
    tags: str = "'[]'"
    description: str = "''"
    body: str = "''"
    at: str = ""
    """By default when it was created."""
    strength: str = "NULL"
    pinned: str = "0"
    archived: str = "0"


# A kind of record.

_INDEXES = {"by_source": "(source)", "by_ref": "(ref)"}
"""The indexes of every kind."""

RecordT_co = TypeVar("RecordT_co", bound=Struct, covariant=True)

Reading = tuple[str, Callable[..., object], tuple[int, ...]]
"""How to read an attribute: its name, a function, and which cells it takes."""


class Kind(Struct, Generic[RecordT_co], frozen=True, kw_only=True, dict=True):
    """A kind of record, with everything that distinguishes it."""

    name: str
    """Its name on the command line, and that of its table."""
    record: type[RecordT_co]
    """The record, whose attributes are annotated with fields."""

    identity: Callable[[Any, Origin], tuple[str, ...]] | None = None
    """What identifies a finding in its store, for its ref."""
    stored: tuple[Column, ...] = ()
    """The columns of its table that no record shows."""
    indexes: Mapping[str, str] = field(default_factory=dict[str, str])
    """The indexes of its table: columns and condition of each, by name."""
    further: tuple[str, ...] = ()
    """Other statements that create what belongs to the table."""
    tables: tuple[Table, ...] = ()
    """Other tables with what sources say about such records."""
    shows: tuple[str, ...] = ()
    """The kinds of record that may look different if its rows change; by default it
    alone."""
    has_source: bool = True
    """Whether each row belongs to a source; otherwise to a store alone."""

    joins: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further joins by table, each after those it needs; none adds or removes rows."""
    is_shown: str = "1"
    """The condition for a row to be shown at all."""
    is_listed: str = ""
    """A further condition, unless a query asks for each single row."""
    is_single: str = ""
    """The condition in place of it for a query that does."""
    ties: tuple[str, ...] = ("ref",)
    """The columns that order equal rows, whatever was read first."""
    sort_order: str
    """The names of the sorts in the order to offer them; others follow. The first is
    the default."""

    queried: Mapping[str, Field] = field(default_factory=dict[str, Field])
    """Fields for queries and sorts that no attribute of the record shows."""
    instead: Mapping[str, Field] = field(default_factory=dict[str, Field])
    """Fields that replace those of the record's attributes."""
    field_order: str
    """The names of the fields in the order to offer them; others follow."""
    titled: str = ""
    """The title as SQL; by default that of the record, if it has one."""
    shelves: tuple[Shelf, ...] = ()
    """The full-text indexes of its texts."""
    everywhere: tuple[Place, ...]
    """The places that are searched by default."""
    places: Mapping[str, tuple[Place, ...]]
    """The places that `in:` can select."""
    own_states: Mapping[str, str] = field(default_factory=dict[str, str])
    """The states that not every kind has, as SQL, for `is:`."""
    belongings: Mapping[str, str] = field(default_factory=dict[str, str])
    """What it may have, as SQL, for `has:`."""
    times: tuple[Field, ...]
    """Its times, for `on:` and the like; any of them may match."""
    is_dated: bool = True
    """Whether queries can ask for its days."""
    when_new: str = ""
    """When it was created, in microseconds, as SQL; by default the first time."""
    changed: str | None = None
    """When it was last changed, likewise."""
    facets: tuple[str, ...] = ()
    """The fields by which it is counted; the entries of a list one by one."""

    ranked: Ranked | None = None
    """What a search over all kinds ranks it by; None if such a search leaves it out."""
    names: str = ""
    """The names by which it is found if they are mistyped, as SQL, the title first."""
    counted: str = "1"
    """The number of records in a row, as SQL."""
    took: str = ""
    """The seconds that it took, as SQL, if it has a duration."""
    key: str = "{0}.ref"
    """What identifies a row in two indexes, as SQL with the name of the table."""
    content: tuple[str, ...] = ()
    """The columns that differ in two indexes if a record changed; those with braces are
    SQL with the names of the index and the table."""

    @property
    def one(self) -> str:
        """The name of a single record."""
        return self.record.__name__.lower()

    @property
    def title(self) -> str | None:
        """The title as SQL, if it has one."""
        has_title = "title" in self.record.__struct_fields__
        return self.titled or (f"{self.name}.title" if has_title else None)

    @property
    def new(self) -> str:
        """When it was created, in microseconds, as SQL."""
        return self.when_new or self.times[0].sql

    # Its fields.

    @cached_property
    def attributes(self) -> dict[str, Field]:
        """Its fields, by attribute of the record, or by name if none shows them."""
        declared = {
            name: hint.__metadata__[0]
            for name, hint in self.record.__annotations__.items()
        }
        every: dict[str, Field] = {
            **declared,
            **{name: one for name, one in _OF_ALL.items() if name not in declared},
            **self.queried,
            **self.instead,
        }
        return {name: one.of(self.name, name) for name, one in every.items()}

    @cached_property
    def fields(self) -> dict[str, Field]:
        """Its fields that queries can compare, by name."""
        return {one.name: one for one in self.attributes.values() if one.help}

    @property
    def states(self) -> dict[str, str]:
        """All its states, as SQL."""
        suspicious = {
            "hidden-text": with_problem(self.name, "hidden-text"),
            "secret": with_problem(self.name, "secret", "secret-not-ignored"),
            "suspicious": with_problem(self.name, "hidden-text", "instruction-text"),
        }
        return {**suspicious, **self.own_states}

    @cached_property
    def offered(self) -> tuple[Field, ...]:
        """Everything that queries can name, in the order to offer it."""
        own = _ordered(
            {n: f for n, f in self.fields.items() if n not in LAST}, self.field_order
        )
        common = {**self.fields, **{one.name: one for one in self._spoken()}}
        return (*own.values(), *(common[name] for name in LAST if name in common))

    def _spoken(self) -> list[Field]:
        """The fields without a column: states, contents, places and times."""
        own = [state for state in self.own_states if state not in LOOKED_AT]
        days = (Type.DAYS,) if self.is_dated else ()
        where = "where to search for text" + (", or which dates" if days else "")
        fields = [
            Field("its state", name="is", choices=(*own, *LOOKED_AT)),
            Field("a property it has", name="has", choices=tuple(self.belongings)),
            Field(where, name="in", choices=tuple(self.places), types=days),
        ]
        fields = [
            replace(one, types=(Type.CHOICE, *one.types))
            for one in fields
            if one.choices
        ]
        fields += (
            Field(text, name=name, types=days)
            for name, text in (_DAYS.items() if days else ())
        )
        since = Field(
            "no older than", name="since", types=(Type.SINCE,), choices=("last",)
        )
        kinds = frozenset({self.name})
        return [replace(one, kinds=kinds) for one in (*fields, since)]

    # Its table.

    @cached_property
    def table(self) -> Table:
        """Its table."""
        fields = self.attributes
        if self.identity:
            named = replace(fields["ref"], fill=ref_of(self.one, self.identity))
            fields = {**fields, "ref": named}
        declared = [
            (fields[name].is_long, one)
            for name, hint in self.record.__annotations__.items()
            for one in fields[name].columns(name, hint)
        ]
        columns = (
            *(one for is_long, one in declared if not is_long),
            *self.stored,
            *(one for is_long, one in declared if is_long),
        )
        return Table(
            self.name,
            columns,
            {**_INDEXES, **self.indexes},
            self.shows or (self.name,),
            id=GROWING,
            source="source INTEGER NOT NULL" if self.has_source else "source INTEGER",
            found=self.name if self.identity else "",
            further=self.further,
        )

    # Records from rows.

    @cached_property
    def _reading(self) -> tuple[tuple[str, ...], tuple[str, ...], tuple[Reading, ...]]:
        """The columns to select, the attributes that are these, and all other ones."""
        shown = {name: self.attributes[name] for name in self.record.__struct_fields__}
        plain = {name: one.cells[0] for name, one in shown.items() if not one.read}
        others = [
            (name, one.read, one.cells) for name, one in shown.items() if one.read
        ]
        cells = [cell for _, _, several in others for cell in several]
        places = dict.fromkeys((*plain.values(), *cells))
        places.pop(NOW, None)
        at = {cell: place for place, cell in enumerate(places)} | {NOW: -1}
        readings = tuple(
            (name, read, tuple(at[cell] for cell in several))
            for name, read, several in others
        )
        return tuple(places), tuple(plain), readings

    @property
    def columns(self) -> str:
        """The columns that make up a record."""
        return ", ".join(self._reading[0])

    def make(self, row: Sequence[Any], now: int) -> RecordT_co:
        """The record of a row that begins with these columns, as of a time."""
        _, plain, readings = self._reading
        cells = (*row, now)
        values: dict[str, object] = dict(zip(plain, cells, strict=False))
        for name, read, places in readings:
            values[name] = read(*[cells[place] for place in places])
        record: Callable[..., RecordT_co] = self.record
        return record(**values)

    @cached_property
    def belongs(self) -> dict[str, str]:
        """All joins by table, each after those it needs."""
        joins = {"stores": f"JOIN stores ON stores.id = {self.name}.store"}
        if self.has_source:
            joins["sources"] = f"JOIN sources ON sources.id = {self.name}.source"
        return {**joins, **self.joins}

    @property
    def joined_all(self) -> str:
        """The table, with all joins."""
        return " ".join((self.name, *self.belongs.values()))

    @property
    def query(self) -> str:
        """The SELECT statement, to which conditions can be added with AND."""
        return f"SELECT {self.columns} FROM {self.joined_all} WHERE {self.is_shown}"

    def joined(self, *parts: str) -> str:
        """The table, with the joins that some SQL needs."""
        sql = " ".join((self.is_shown, *parts))
        needed: list[str] = []
        for name, join in reversed(self.belongs.items()):
            if f"{name}." in sql:
                needed.append(join)
                sql += join
        return " ".join((self.name, *reversed(needed)))

    # Sorts.

    @cached_property
    def sorts(self) -> dict[str, str]:
        """What to sort by, as SQL; the first is the default."""
        sorts = {name: one.sort for name, one in self.attributes.items() if one.sort}
        return _ordered(sorts, self.sort_order)

    @property
    def ranking(self) -> tuple[str, ...]:
        """The columns by which a search ranks it, in the order of a `Candidate`."""
        ranked = self.ranked or Ranked()
        title, at = ranked.title or self.title or "''", ranked.at or self.new
        return astuple(replace(ranked, title=title, at=at))

    def is_descending(self, sort: str | None, *, reverse: bool) -> bool:
        """Whether a list starts with the largest."""
        name = sort or next(iter(self.sorts))
        return self.attributes[name].is_descending is not reverse

    def order(self, sort: str | None, *, reverse: bool) -> str:
        """The ORDER BY clause: total, so that pages never overlap; nulls are last."""
        column = self.sorts[sort or next(iter(self.sorts))]
        direction = "DESC" if self.is_descending(sort, reverse=reverse) else "ASC"
        ties = ", ".join(
            f"{tie if '.' in tie else f'{self.name}.{tie}'} {direction}"
            for tie in self.ties
        )
        return f"ORDER BY {column} {direction} NULLS LAST, {ties}"


ValueT = TypeVar("ValueT")


def _ordered(values: Mapping[str, ValueT], order: str) -> dict[str, ValueT]:
    """The values by name in a given order; those that it does not name are last."""
    names = dict.fromkeys((*order.split(), *values))
    return {name: values[name] for name in names}
