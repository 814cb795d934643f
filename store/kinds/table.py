"""Tables: their columns, and the rows that findings make in them."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, cached_property
from hashlib import blake2b
from operator import attrgetter
from typing import Any, cast

import orjson
from msgspec import Struct, field

# Cells: the values of a column, and how to make a value fit.

Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]

LARGEST = 2**63 - 1
"""The largest integer in SQLite."""


def fit_to_store(rows: Iterable[Row]) -> list[Row]:
    """The rows without lone surrogates, which SQLite cannot store."""
    return [
        tuple(holdable(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    ]


def holdable(text: str) -> str:
    """The text with every lone surrogate replaced."""
    return text.encode("utf-8", "replace").decode()


def json_text(value: object) -> str:
    """A value as JSON.

    What JSON cannot express is replaced: a lone surrogate by `?`, a larger number by
    text.
    """
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return orjson.dumps(_holdable(value), default=str).decode()


def texts(cell: str | None) -> tuple[str, ...]:
    """The words in a cell with JSON."""
    return tuple(orjson.loads(cell)) if cell else ()


def split(cell: str | None) -> tuple[str, ...]:
    """The words in a cell with spaces between them."""
    return tuple(cell.split()) if cell else ()


def _holdable(value: object) -> object:
    """The value with everything replaced that JSON cannot express."""
    if isinstance(value, str):
        return holdable(value)
    if isinstance(value, int) and abs(value) > LARGEST:
        return str(value)
    if isinstance(value, Mapping):
        entries = cast("Mapping[object, object]", value).items()
        return {str(_holdable(key)): _holdable(item) for key, item in entries}
    if isinstance(value, list | tuple):
        return [_holdable(item) for item in cast("Iterable[object]", value)]
    return value


# Refs of records: short, stable between runs, derived from their identity.

_BYTES = 7
"""56 bits: even among a million records, a collision is very unlikely."""


def ref(kind: str, store: bytes, *identity: str) -> str:
    """A record's ref, from its store's path and its identity in that store."""
    digest = _begun(kind, store).copy()
    digest.update("\0".join(identity).encode("utf-8", "surrogatepass"))
    return f"{kind}:{digest.hexdigest()}"


@cache
def _begun(kind: str, store: bytes) -> blake2b:
    """A digest that has the kind and the store, which keep refs apart, in it."""
    key = blake2b(store, digest_size=32).digest()
    return blake2b(digest_size=_BYTES, person=kind.encode(), key=key)


# Columns, and how a finding fills them.


class Origin(Struct, frozen=True):
    """Where a finding is from."""

    store: bytes
    """The path of the store."""
    path: str
    """The path of the source in it."""
    written: int = 0
    """When the source was last written, in microseconds."""
    number: int = 0
    """The number of the finding among those of its line."""


class Attribute(Struct, frozen=True):
    """Fills a column with an attribute of the finding."""

    name: str


class Made(Struct, frozen=True):
    """Fills a column with a cell made of an attribute; null if that is empty."""

    name: str
    cell: Callable[[Any], Cell]


Fill = Attribute | Made | Callable[[Any, Origin], Cell]
"""The cell that a finding puts into a column."""

_MANY = 8
"""The findings from which a pass over them for each column is worth it."""

_Place = tuple[int, Callable[..., Cell]]


class Column(Struct, frozen=True):
    """A column of a table."""

    name: str
    type: str
    """Its type and constraints, as SQL."""
    fill: Fill | None = None
    """How a finding fills it; None for a column that is filled in later."""


def columns(specifications: str) -> tuple[Column, ...]:
    """Columns that findings fill with attributes of the same names.

    They are specified as in SQL: `line INTEGER NOT NULL, context TEXT`.
    """
    several = specifications.split(", ")
    return tuple(column(one, Attribute(one.partition(" ")[0])) for one in several)


def column(specification: str, fill: Fill | None) -> Column:
    """A column that a function fills; without one, it is filled in later."""
    name, _, sql = specification.partition(" ")
    return Column(name, sql, fill)


def later(specifications: str) -> tuple[Column, ...]:
    """Columns that are filled in later, by what other files say."""
    return tuple(column(one, None) for one in specifications.split(", "))


def json_of(name: str) -> Fill:
    """Fills a column with an attribute of the finding as JSON."""
    value = attrgetter(name)

    def fill(found: object, _origin: Origin) -> Cell:
        data = value(found)
        if data == ():
            return "[]"
        return None if data is None else json_text(_plain(data))

    return fill


def _plain(data: object) -> object:
    """A mapping as a dictionary, and anything else as it is."""
    return (
        dict(cast("Mapping[str, object]", data)) if isinstance(data, Mapping) else data
    )


def moment(name: str, found: str | None = None) -> tuple[Column, Column]:
    """The columns of a time: as written, and in microseconds for sorting."""
    text, micros = (Made(found or name, attrgetter(one)) for one in ("iso", "micros"))
    return Column(name, "TEXT", text), Column(micros_of(name), "INTEGER", micros)


def ref_of(kind: str, identity: Callable[[Any, Origin], tuple[str, ...]]) -> Fill:
    """Fills a column with a ref, from what identifies the finding in its store."""
    return lambda found, origin: ref(kind, origin.store, *identity(found, origin))


def micros_of(name: str) -> str:
    """The column with the microseconds of a time."""
    return "at_micros" if name == "at" else f"{name}_at"


# Tables.


def last_part(text: str, between: str) -> str:
    """Everything after the last separator, or all text without one, as SQL."""
    return f"replace({text}, rtrim({text}, replace({text}, '{between}', '')), '')"


def first_part(text: str, between: str) -> str:
    """Everything before the first separator, or all text without one, as SQL."""
    return f"substr({text}, 1, instr({text} || '{between}', '{between}') - 1)"


GROWING = "id INTEGER PRIMARY KEY AUTOINCREMENT"
"""The row number of a table whose row numbers are never used again."""

_RESERVED = frozenset({"end"})
"""Names of columns that have to be quoted."""


def quoted(name: str) -> str:
    """The name of a column in SQL."""
    return f'"{name}"' if name in _RESERVED else name


class Table(Struct, frozen=True, dict=True):
    """A table whose rows belong to a source."""

    name: str
    columns: tuple[Column, ...]
    """Its columns after the row number, the store and the source."""
    indexes: Mapping[str, str] = field(default_factory=dict[str, str])
    """Its indexes: the columns and the condition of each, by name."""
    shows: tuple[str, ...] = ()
    """The kinds of record that may look different if its rows change."""
    id: str = "id INTEGER PRIMARY KEY"
    """The row number; empty if it has a `key`."""
    key: str = ""
    """The primary key of a table without row numbers."""
    source: str = "source INTEGER NOT NULL"
    found: str = ""
    """The findings that are its rows, if each is one: an attribute of `Findings`."""
    further: tuple[str, ...] = ()
    """Other statements that create what belongs to it."""

    @property
    def statements(self) -> tuple[str, ...]:
        """The statements that create it."""
        parts = [
            *filter(None, (self.id, "store INTEGER NOT NULL", self.source)),
            *(f"{quoted(one.name)} {one.type}" for one in self.columns),
            *([f"PRIMARY KEY ({self.key})"] if self.key else ()),
        ]
        suffix = " WITHOUT ROWID" if self.key else ""
        indexes = (
            f"CREATE INDEX {self.name}_{name} ON {self.name} {what}"
            for name, what in self.indexes.items()
        )
        table = f"CREATE TABLE {self.name} ({', '.join(parts)}){suffix}"
        return (table, *indexes, *self.further)

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The names of the columns that findings fill, in the order of a row."""
        return tuple(one.name for one in self.columns if one.fill)

    @cached_property
    def selected(self) -> str:
        """The columns that findings fill, for a SELECT."""
        return ", ".join(map(quoted, self.filled))

    @cached_property
    def insert(self) -> str:
        """The statement that adds a row of a store and a source."""
        verb = "INSERT OR IGNORE" if self.key else "INSERT"
        marks = ", ".join("?" * (len(self.filled) + 2))
        columns = f"store, source, {self.selected}"
        return f"{verb} INTO {self.name} ({columns}) VALUES ({marks})"

    @cached_property
    def _parts(self) -> tuple[Callable[[object], Row], list[_Place], list[_Place]]:
        """What takes an attribute for each column, and where cells are made of them.

        The last are the columns of which a function makes the cells.
        """
        fills = [one.fill for one in self.columns if one.fill]
        names = [getattr(fill, "name", "__class__") for fill in fills]
        made = [(n, one.cell) for n, one in enumerate(fills) if isinstance(one, Made)]
        others = [(n, fill) for n, fill in enumerate(fills) if callable(fill)]
        return attrgetter(*names), made, others

    def rows(self, found: Sequence[object], origin: Origin) -> list[Row]:
        """The rows of findings; of many column by column, which is faster."""
        if len(found) < _MANY:
            return [self._row(one, origin) for one in found]
        take, made, others = self._parts
        columns: list[Iterable[Cell]] = list(zip(*map(take, found), strict=True))
        for place, cell in made:
            columns[place] = [cell(one) if one else None for one in columns[place]]
        for place, fill in others:
            columns[place] = [fill(one, origin) for one in found]
        return list(zip(*columns, strict=True))

    def _row(self, found: object, origin: Origin) -> Row:
        take, made, others = self._parts
        cells = list(take(found))
        for place, cell in made:
            cells[place] = cell(cells[place]) if cells[place] else None
        for place, fill in others:
            cells[place] = fill(found, origin)
        return tuple(cells)
