"""Fields of records: how each is stored, read back, sorted and queried.

A record declares a field with one line: the type of an attribute is annotated with how
to store and query it. Everything else follows from that, unless it is stated:

    title: Annotated[str, Text("its title", match=Match.PART, sort=NOCASE)]
"""

from collections.abc import Callable
from enum import Enum, StrEnum, auto
from functools import partial
from types import NoneType
from typing import Protocol

import orjson
from msgspec import Struct
from msgspec.structs import replace

from store.kinds.table import Attribute, Column, Fill, json_of, micros_of, moment, texts


class Form(Enum):
    """What a field is, to the index."""

    TEXT = auto()
    NUMBER = auto()
    MOMENT = auto()
    """A time: stored as written, compared and sorted in microseconds since 1970."""
    DAY = auto()
    """A day as YYYY-MM-DD."""
    LIST = auto()
    """A JSON list of texts."""
    FLAG = auto()
    JSON = auto()


class Type(StrEnum):
    """What may follow a field's name in a query."""

    TEXT = "text"
    """Any text."""
    CHOICE = "choice"
    """A word from `Field.choices`, or a prefix that several of them share."""
    NUMBER = "number"
    """`.7`, `70%`, `10k`."""
    SECONDS = "seconds"
    """A duration: `90`, `90s`, `30m`, `2h`, `1d`."""
    TIME = "time"
    """An age, a day, a month or a year."""
    DAYS = "days"
    """A day, a month or a year; without `<` and `>`."""
    SINCE = "since"
    """An age, a day, a month, a year or `last`; without `<` and `>`."""


COMPARED = frozenset({Type.NUMBER, Type.SECONDS, Type.TIME})
"""The types that support `<` and `>`."""

_TYPES = {
    Form.NUMBER: (Type.NUMBER,),
    Form.MOMENT: (Type.TIME,),
    Form.DAY: (Type.TIME,),
}
_ASCENDING = frozenset({Form.TEXT, Form.LIST, Form.FLAG, Form.JSON})


class Match(StrEnum):
    """How a record's text is compared with the text in the query."""

    IS = "is"
    """They are equal, ignoring case."""
    PART = "part"
    """One contains the other."""
    BEGINS = "begins"
    """One starts with the other, ignoring case."""


PLAIN, NOCASE, UNSORTED = "{}", "{} COLLATE NOCASE", ""
"""How to sort by a field: by what it shows, the same ignoring case, not at all."""

NOW = "now"
"""In place of a column in `Field.shown`: the current time, in microseconds."""


class Hint(Protocol):
    """The annotated type of an attribute."""

    __origin__: type
    __metadata__: tuple["Field"]


class Field(Struct, frozen=True):
    """A field of a record kind."""

    help: str = ""
    """A short description for those who write queries; empty if queries cannot use
    it."""
    form: Form = Form.TEXT
    name: str = ""
    """Its name in queries; by default that of the attribute."""
    kinds: frozenset[str] = frozenset()
    """The kind of record that has it, named as for `list`."""

    match: Match = Match.IS
    """How its text is compared."""
    aliases: tuple[str, ...] = ()
    """Alternative names."""
    choices: tuple[str, ...] | None = None
    """The allowed words; None if the stores determine them."""
    types: tuple[Type, ...] = ()
    """The types that it takes, tried in this order."""
    sql: str = ""
    """What queries compare; by default its column."""
    word: str | None = None
    """The same as a word, if some stores use words instead of numbers."""
    within: str = "{}"
    """A wrapper for a condition, for values in other rows."""

    column: str | None = ""
    """Its column, by default named like the attribute; None if it has none."""
    type: str | None = None
    """The type of the column; by default that of the attribute."""
    fill: Fill | None = None
    """How a finding fills the column; by default with its attribute of the same
    name."""
    is_late: bool = False
    """Whether the column is filled in later, not by a finding."""
    is_long: bool = False
    """Whether the column is last in a row, so that the others are read without it."""

    joined: str = ""
    """What the record shows if that is not stored in its own table, as SQL."""
    shown: str | tuple[str, ...] = ""
    """What the record shows, as SQL; by default the column."""
    read: Callable[..., object] | None = None
    """Turns what is shown into the value of the attribute."""
    sort: str | None = None
    """What to sort by; by default what queries compare, if that is a number or a
    time."""

    @property
    def called(self) -> tuple[str, ...]:
        """All its names."""
        return (self.name, *self.aliases)

    @property
    def is_compared(self) -> bool:
        """Whether `<` and `>` may follow it."""
        return not COMPARED.isdisjoint(self.types)

    @property
    def is_column(self) -> bool:
        """Whether queries compare a column, which costs nothing to evaluate twice."""
        return self.sql.replace("_", "").replace(".", "").isalpha()

    @property
    def is_descending(self) -> bool:
        """Whether a list that is sorted by it starts with the largest."""
        return self.form not in _ASCENDING

    @property
    def cells(self) -> tuple[str, ...]:
        """The columns that it shows."""
        return (self.shown,) if isinstance(self.shown, str) else self.shown

    def of(self, kind: str, attribute_name: str) -> "Field":
        """The same, with everything that follows from the kind and the attribute."""
        name = attribute_name.rstrip("_")
        column = None if self.joined else name if self.column == "" else self.column
        shown = self.joined or self.shown or f"{kind}.{column}"
        text = shown if isinstance(shown, str) else shown[0]
        sql = self.sql or text
        if self.form is Form.MOMENT and column and not self.sql:
            sql = f"{kind}.{micros_of(column)}"
        usual = (Type.CHOICE,) if self.choices else (Type.TEXT,)
        sort = (
            (UNSORTED if not self.is_descending else sql)
            if self.sort is None
            else self.sort
        )
        return replace(
            self,
            name=self.name or name,
            kinds=frozenset({kind}),
            types=self.types or _TYPES.get(self.form, usual),
            column=column,
            shown=shown,
            sql=sql,
            read=self.read or _READ.get(self.form),
            sort=sort.format(text),
        )

    def columns(self, attribute_name: str, hint: Hint) -> tuple[Column, ...]:
        """Its columns in the table, given the annotated type of its attribute."""
        if self.column is None:
            return ()
        name = self.column or attribute_name
        if self.form is Form.MOMENT:
            text, micros = moment(name, attribute_name)
            return (replace(text, fill=self.fill or text.fill), micros)
        fill = self.fill or _FILL.get(self.form, Attribute)(attribute_name)
        kind = _sql_type(self.form, hint) if self.type is None else self.type
        return (Column(name, kind, None if self.is_late else fill),)


def _sql_type(form: Form, hint: Hint) -> str:
    """The type of a column for an annotated type."""
    types = getattr(hint.__origin__, "__args__", (hint.__origin__,))
    if form is not Form.NUMBER:
        base = "INTEGER" if form is Form.FLAG else "TEXT"
    else:
        base = "" if str in types else "REAL" if float in types else "INTEGER"
    return base if NoneType in types else f"{base} NOT NULL"


_FILL: dict[Form, Callable[[str], Fill]] = {Form.LIST: json_of, Form.JSON: json_of}


def _json(cell: str | None) -> object:
    return None if cell is None else orjson.loads(cell)


_READ: dict[Form, Callable[..., object]] = {
    Form.LIST: texts,
    Form.FLAG: bool,
    Form.JSON: _json,
}

Text = Field
Phrase = partial(Field, match=Match.PART)
"""Text of which queries give a part."""
Identifier = partial(Field, match=Match.BEGINS)
"""Text of which queries give the beginning."""
Number = partial(Field, form=Form.NUMBER)
Moment = partial(Field, form=Form.MOMENT)
Texts = partial(Field, form=Form.LIST)
Flag = partial(Field, form=Form.FLAG)
Data = partial(Field, form=Form.JSON)
"""Any value, as JSON."""
