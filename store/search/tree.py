"""The tree of conditions in a query, with its patterns and dates."""

import re
from calendar import monthrange
from collections.abc import Iterator
from datetime import date
from enum import StrEnum
from typing import Any, NamedTuple, Protocol, cast

from msgspec import Struct

from store.kinds import KINDS
from store.text import regex

# The kinds of record that a query can be about.

Kinds = frozenset[str]
"""Some kinds, named as for `list`."""

ALL: Kinds = frozenset(KINDS)
"""Every kind."""


# The tree of a query, whose leaves are conditions on a record.
#
# Spans give the position in the typed text; they do not count when trees are compared.


class Span(NamedTuple):
    """A range of a text, the end not included."""

    start: int
    end: int


NOWHERE = Span(0, 0)
"""The span of a node that was not typed."""


class Age(Struct, frozen=True):
    """A time before now: `30d`."""

    amount: float
    unit: str
    """`h d w m y`: hours, days, weeks, months of 30 days, years of 365."""


class Days(Struct, frozen=True):
    """A day, a month or a year, both ends included: `2026-02-14`, `2026-02`, `2026`."""

    first: date
    last: date


class Last(Struct, frozen=True):
    """The time since the last session: `since:last`."""


Value = str | float | Age | Days | Last
"""A value that a field is compared with."""


class _Node(Struct, frozen=True, eq=False):
    """A part of a tree, equal to others that were typed in another place.

    Data classes, which can leave out the span by themselves, took 4 ms of a start.
    """

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._said == cast("_Node", other)._said

    def __hash__(self) -> int:
        return hash(self._said)

    @property
    def _said(self) -> tuple[object, ...]:
        """Everything but the span."""
        names = self.__struct_fields__
        return tuple(getattr(self, name) for name in names if name != "span")


class Text(_Node, frozen=True):
    """Text anywhere in a record: a word, or a quoted phrase."""

    text: str
    span: Span = NOWHERE


class Fuzzy(_Node, frozen=True):
    """`~word`: text similar to a title, name or tag."""

    text: str
    span: Span = NOWHERE


class Start(_Node, frozen=True):
    """`^word`: the start of a title."""

    text: str
    span: Span = NOWHERE


class Pattern(_Node, frozen=True):
    """`/re/`: a regular expression that matches in a record's text."""

    text: str
    span: Span = NOWHERE


class Named(_Node, frozen=True):
    """`field:value,value`: a field has one of these values."""

    name: str
    """The field's full name, even if it was shortened."""
    values: tuple[Value, ...]
    span: Span = NOWHERE


class Compared(_Node, frozen=True):
    """`field>=value`: a field compared with a value."""

    name: str
    """The field's full name."""
    operator: str
    """`< <= > >= =`."""
    value: Value
    span: Span = NOWHERE


class Not(_Node, frozen=True):
    """A condition that must not match."""

    term: "Node"
    span: Span = NOWHERE


class All(_Node, frozen=True):
    """Conditions that must all match; an empty tuple always matches."""

    terms: tuple["Node", ...]
    span: Span = NOWHERE


class Either(_Node, frozen=True):
    """Conditions of which one must match."""

    terms: tuple["Node", ...]
    span: Span = NOWHERE


Leaf = Text | Fuzzy | Start | Pattern | Named | Compared
"""A single condition on a record."""

Node = Leaf | Not | All | Either
"""A part of a query."""

EVERYTHING = All(())
"""The query that matches every record."""

IGNORED = Named("is", ("ignored",))
"""The query that matches the problems that the user ignores."""


# What a tree searches for at its leaves.

Sought = Text | Start | Fuzzy | Pattern
"""Conditions on text, which are highlighted in results and used for ranking."""


def texts(tree: Node) -> tuple[Sought, ...]:
    """The text conditions of a tree, without negated ones."""
    found = leaves(tree)
    return tuple(
        leaf for leaf, negated in found if isinstance(leaf, Sought) and not negated
    )


def leaves(tree: Node, *, negated: bool = False) -> Iterator[tuple[Leaf, bool]]:
    """Every leaf in order, and whether it is negated."""
    match tree:
        case Not(term):
            yield from leaves(term, negated=not negated)
        case All(terms) | Either(terms):
            for term in terms:
                yield from leaves(term, negated=negated)
        case _:
            yield tree, negated


# Regular expressions: finding them in a query, and whether they are complete.
#
# `/re/` is one if the whole token starts and ends with a slash and has no other
# unescaped slash in it; `/usr/bin/` is a path.

_PATTERN = regex(r"/((?:[^/\\]|\\.)++)/(?=[\s|)]|\Z)", re.DOTALL)
_UNFINISHED = regex(r"/((?:[^/\\\s]|\\\S)++\\?)\Z")
_SPECIAL = regex(r"[(\[{|*+?\\^$]")
_PAIR = regex(r"\\.|/", re.DOTALL)

_MEMORY = 1 << 20
"""The memory limit of a compiled expression, in bytes."""


def whole(text: str, start: int) -> re.Match[str] | None:
    """The expression that starts at a slash; its first group is the content."""
    return _PATTERN.match(text, start)


def unfinished(text: str, start: int) -> re.Match[str] | None:
    """The content of an expression whose second slash is not typed yet."""
    match = _UNFINISHED.match(text, start)
    return match if match and _SPECIAL.search(match[1]) else None


def unescaped(text: str) -> str:
    """An expression without the backslashes that escape its slashes."""
    return _PAIR.sub(lambda pair: "/" if pair[0] == r"\/" else pair[0], text)


def escaped(text: str) -> str:
    """An expression between slashes, with slashes in it escaped."""
    slashed = _PAIR.sub(lambda pair: r"\/" if pair[0] == "/" else pair[0], text)
    return f"/{slashed}/"


class BrokenPatternError(ValueError):
    """A regular expression is invalid; the message says why."""


class Finder(Protocol):
    """A compiled regular expression; its time is linear in the length of the text."""

    def search(self, text: str) -> "re.Match[str] | None":
        """The first match."""
        ...

    def finditer(self, text: str) -> "Iterator[re.Match[str]]":
        """Every match, in order."""
        ...


def compiled(text: str, *, is_exact: bool = True) -> Finder:
    """Compile a regular expression; ignores case unless it is exact."""
    import re2  # noqa: PLC0415  # pyright: ignore[reportMissingTypeStubs]  # slow, has none

    engine = cast("Any", re2)
    options = engine.Options()
    options.log_errors = False
    options.max_mem = _MEMORY
    options.case_sensitive = is_exact
    try:
        return engine.compile(text, options)
    except engine.error as error:
        raise BrokenPatternError(_words(error)) from error
    except UnicodeEncodeError as error:
        raise BrokenPatternError("it contains invalid Unicode") from error


def _words(error: Exception) -> str:
    """The library's error message."""
    said = error.args[0]
    return said.decode(errors="replace") if isinstance(said, bytes) else str(said)


# Read and print days, months, years and ages.

_DAYS = regex(r"(\d{4})(?:-(\d\d?)(?:-(\d\d?))?)?", re.ASCII)
_AGE = regex(r"((?:\d+\.?\d*|\.\d+)(?:e-?\d+)?)([hdwmy])", re.ASCII | re.IGNORECASE)
_BEGUN = regex(r"[\d.-]*", re.ASCII)
_RANGE = ".."

_OLDEST = 100_000
"""The largest amount of an age, whatever its unit; no record is that old."""


def days(text: str) -> Days | None:
    """A day, a month, a year, or a range such as `2026-02-01..2026-02-14`."""
    first, dots, last = text.partition(_RANGE)
    begin, end = _days(first), _days(last if dots else first)
    if begin is None or end is None or begin.first > end.last:
        return None
    return Days(begin.first, end.last)


def age(text: str) -> Age | None:
    """An age such as `30d`."""
    match = _AGE.fullmatch(text)
    if match is None or float(match[1]) > _OLDEST:
        return None
    return Age(float(match[1]), match[2].lower())


def is_begun(text: str) -> bool:
    """Whether a text may still become a day or an age."""
    return _BEGUN.fullmatch(text) is not None


def written(span: Days) -> str:
    """The shortest text that is read as the same days."""
    begin, end = span.first.isoformat(), span.last.isoformat()
    if begin == end:
        return begin
    for length in (4, 7):
        if _days(begin[:length]) == span:
            return begin[:length]
    return f"{begin}{_RANGE}{end}"


def _days(text: str) -> Days | None:
    match = _DAYS.fullmatch(text)
    if match is None:
        return None
    year, month, day = (int(part) if part else None for part in match.groups())
    try:
        first = date(year or 0, _one_if_none(month), _one_if_none(day))
    except ValueError:
        return None
    if day is not None:
        return Days(first, first)
    last = month or 12
    return Days(first, date(first.year, last, monthrange(first.year, last)[1]))


def _one_if_none(number: int | None) -> int:
    return 1 if number is None else number


# The result of parsing: the tree, what was not understood, and the parts.

LONGEST = 4000
"""Characters of a query that are read."""


class What(StrEnum):
    """What a part of the text is; anything between the parts is blank."""

    WORD = "word"
    PHRASE = "phrase"
    FIELD = "field"
    OPERATOR = "operator"
    VALUE = "value"
    NEGATION = "negation"
    EITHER = "either"
    GROUP = "group"
    FUZZY = "fuzzy"
    START = "start"
    PATTERN = "pattern"
    BAD = "bad"


class Part(Struct, frozen=True):
    """A range of the text with one meaning."""

    span: Span
    """Its position."""
    what: What
    """Its meaning."""


class Complaint(Struct, frozen=True):
    """Something left out of the tree, and why."""

    span: Span
    """Its position."""
    reason: str
    """The reason, as a sentence."""
    nearest: str | None = None
    """What was probably intended."""
    is_cut: bool = False
    """Whether the text merely exceeds a limit."""
    is_of_field: bool = False
    """Whether it is about a name that no field has."""


class Query(Struct, frozen=True):
    """A text, parsed as far as possible."""

    tree: Node
    """The conditions that records must match."""
    complaints: tuple[Complaint, ...]
    """What was left out, in order."""
    parts: tuple[Part, ...]
    """The parts of the text, in order and without overlap."""


UNASKED = Query(EVERYTHING, (), ())
"""The query of an empty text, which matches everything and needs no parser."""
