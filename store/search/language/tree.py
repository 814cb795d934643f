"""What a query says: a tree, whose leaves say what a record must hold.

Spans tell where in the text a part was typed; two trees that say the same are equal,
wherever they were typed.
"""

from dataclasses import dataclass, field
from datetime import date
from typing import NamedTuple

from msgspec import Struct


class Span(NamedTuple):
    """Some of a text, from one character up to another, that one not included."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""The span of what nobody typed."""


class Age(Struct, frozen=True):
    """How long ago: `30d`."""

    amount: float
    unit: str
    """`h d w m y`: hours, days, weeks, months of 30 days, years of 365."""


class Days(Struct, frozen=True):
    """A day, a month or a year: `2026-02-14`, `2026-02`, `2026`; both ends belong."""

    first: date
    last: date


class Last(Struct, frozen=True):
    """What came since the last look: `since:last`."""


Value = str | float | Age | Days | Last
"""What a field is held against."""


@dataclass(frozen=True, slots=True)
class Text:
    """Text that a record holds somewhere: a word, or a phrase in quotes."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Fuzzy:
    """`~word`: text that a title, name or tag nearly holds."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Start:
    """`^word`: what a title begins with."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Pattern:
    """`/re/`: a regular expression that finds something in a record's text."""

    text: str
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Named:
    """`field:value,value`: a field has one of these values."""

    name: str
    """The field's whole name, however it was shortened."""
    values: tuple[Value, ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Compared:
    """`field>=value`: how a field compares with a value."""

    name: str
    """The field's whole name."""
    operator: str
    """`< <= > >= =`."""
    value: Value
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Not:
    """What must not hold."""

    term: "Node"
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class All:
    """What must all hold; nothing holds always."""

    terms: tuple["Node", ...]
    span: Span = field(default=NOWHERE, compare=False)


@dataclass(frozen=True, slots=True)
class Either:
    """Of which one must hold."""

    terms: tuple["Node", ...]
    span: Span = field(default=NOWHERE, compare=False)


Leaf = Text | Fuzzy | Start | Pattern | Named | Compared
"""What says something of a record by itself."""

Node = Leaf | Not | All | Either
"""A part of a query."""

EVERYTHING = All(())
"""The query that holds for every record."""
