"""Reports: a name, parameters, columns, and the rows that answer it."""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from math import inf
from typing import Any, Generic, TypeVar

from msgspec import Struct, field
from msgspec.structs import replace

from store.errors import WrongUseError
from store.findings import Json
from store.text import guess, near, regex
from store.times import parse

S = TypeVar("S")
"""What a report is about: an open store, a database, all that a store holds."""

Row = dict[str, Json]
Rows = Iterable[Sequence[Json] | Row]
"""The rows of a report: values in the order of its columns, or by their names."""

Listed = tuple[str, Mapping[str, Json]]
"""The kind of the records that a row counts, and values of their fields; a field's name
may end in an operator, such as `duration>=`. Without a kind, there is no such list."""

NO_LIST: Listed = ("", {})

# Parameters: typed, with choices, repeatable.


class Type(StrEnum):
    """The type of a parameter's value."""

    TEXT = "text"
    NUMBER = "number"
    DAY = "day"
    MONTH = "month"
    MOMENT = "moment"
    """A date or time, read as microseconds since 1970."""
    UNTIL = "until"
    """The same as an upper limit: a date includes its whole day."""
    FLAG = "flag"


Value = str | int | tuple[str, ...] | None

_PATTERNS = {Type.DAY: r"\d{4}-\d\d-\d\d", Type.MONTH: r"\d{4}-(?:0[1-9]|1[0-2])"}
_SPELLINGS = {Type.DAY: "YYYY-MM-DD", Type.MONTH: "YYYY-MM"}
_TRUE, _FALSE = frozenset({"yes", "true", "1"}), frozenset({"no", "false", "0", ""})
_DIGITS = len("1" * 18)
_DAY_LONG = len("YYYY-MM-DD")


_DAYS = "days"
"""The parameter whose numbers may end in `d`, as in queries."""


class Parameter(Struct, frozen=True):
    """One parameter of a report."""

    name: str
    what: str = ""
    """Its valid values, as in: Report `x` needs a session."""
    type: Type = Type.TEXT
    is_required: bool = False
    is_repeatable: bool = False
    is_named: bool = False
    """Whether it is only given as NAME=VALUE, never by its place."""
    choices: tuple[str, ...] = ()
    usual: str = ""
    """The value without one, as typed."""
    least: int = 0
    most: int = 10**_DIGITS

    @property
    def usage(self) -> str:
        """The parameter as in a usage line."""
        if self.type is Type.FLAG:
            return f"[{self.name}]"
        words = "|".join(self.choices) if self.is_named else ""
        word = words or _SPELLINGS.get(self.type) or self.name.upper()
        word = f"{self.name}={word}" if self.is_named else word
        word += "…" * self.is_repeatable
        return word if self.is_required else f"[{word}]"

    def value(self, text: str, report: str) -> Value:
        """A typed text as a value; raises WrongUseError."""
        if self.choices and text not in self.choices:
            known = ", ".join(self.choices)
            meant = guess(text, self.choices)
            raise WrongUseError(
                f"Invalid {self.name} {text!r}{meant} (choose from {known})."
            )
        match self.type:
            case Type.TEXT:
                return text
            case Type.NUMBER:
                return self._number(text, report)
            case Type.FLAG:
                return self._flag(text)
            case Type.DAY | Type.MONTH:
                return self._date(text)
            case Type.MOMENT | Type.UNTIL:
                return self._moment(text, report)

    def _number(self, text: str, report: str) -> int:
        digits = text.replace("_", "").replace(",", "")
        digits = digits.removesuffix("d") if self.name == _DAYS else digits
        if not (digits.isascii() and digits.isdigit() and len(digits) <= _DIGITS):
            what = self.what or "a number"
            raise WrongUseError(f"Report `{report}` needs {what}, not {text!r}.")
        if not self.least <= int(digits) <= self.most:
            raise WrongUseError(
                f"{self.name} must be a number from {self.least} to {self.most}."
            )
        return int(digits)

    def _flag(self, text: str) -> int:
        if text.casefold() not in _TRUE | _FALSE:
            raise WrongUseError(f"Invalid {self.name} {text!r}; write yes or no.")
        return int(text.casefold() in _TRUE)

    def _date(self, text: str) -> str:
        matched = re.fullmatch(_PATTERNS[self.type], text, re.ASCII)
        try:
            datetime.fromisoformat(f"{text}-01"[:_DAY_LONG] if matched else "")
        except ValueError:
            spelling = _SPELLINGS[self.type]
            sentence = f"Invalid {self.name} {text!r}; write {spelling}."
            raise WrongUseError(sentence) from None
        return text

    def _moment(self, text: str, report: str) -> int:
        is_day = self.type is Type.UNTIL and len(text) == _DAY_LONG
        micros = parse(f"{text}T23:59:59.999999Z" if is_day else text).micros
        if micros is None:
            raise WrongUseError(
                f"Report `{report}` needs a date or time as {self.name}, not {text!r}."
            )
        return micros


class Given(Struct, frozen=True):
    """The values of a report's parameters, and the time that the report is about."""

    values: Mapping[str, Value] = field(default_factory=dict[str, Value])
    now: int = 0

    def text(self, name: str) -> str:
        """A text; empty if it was not given."""
        value = self.values.get(name)
        return value if isinstance(value, str) else ""

    def word(self, name: str) -> str | None:
        """A text; None if it was not given."""
        value = self.values.get(name)
        return value if isinstance(value, str) else None

    def texts(self, name: str) -> tuple[str, ...]:
        """The texts of a repeatable parameter."""
        value = self.values.get(name)
        return value if isinstance(value, tuple) else ()

    def number(self, name: str) -> int | None:
        """A number or a moment; None if it was not given."""
        value = self.values.get(name)
        return value if isinstance(value, int) else None

    def has(self, flag: str) -> bool:
        """Whether a flag is set."""
        return bool(self.values.get(flag))


# A report, and how its arguments are read.

_NAMED = regex(r"(?:--)?([A-Za-z][A-Za-z-]*)[=:](.*)", re.DOTALL)


class Report(Struct, Generic[S], frozen=True):
    """A question that stores answer with a table."""

    name: str
    help: str
    """What it shows, in one line."""
    columns: str
    """The names of its columns, separated by spaces."""
    rows: Callable[[S, Given], Rows]
    parameters: tuple[Parameter, ...] = ()
    plot: str = ""
    """The column of numbers that is drawn as bars; empty without a plot."""
    within: str = ""
    """The column that groups rows: bars of one group are drawn to the same scale."""

    first: str = ""
    """A column that the format adds before the others."""
    full: str = ""
    """The column with the number of a full bar, for rows that have one."""
    clip: float = inf
    """Numbers from here on have a full bar, and none is drawn to their scale."""
    lists: Callable[[Row], Listed] = lambda _: NO_LIST
    """Which records a row counts."""
    is_document: bool = False
    """Whether its rows are for a file, as they are too long for a table."""
    is_of_index: bool = False
    """Whether the index answers it, rather than the files."""
    is_strict: bool = False
    """Whether `NAME:VALUE` with an unknown name is an error rather than a text."""

    @property
    def words(self) -> str:
        """Its arguments, as in a usage line."""
        return " ".join(one.usage for one in self.parameters)

    @property
    def header(self) -> list[str]:
        """The names of the columns that each row has, its store first."""
        return f"store {self.first} {self.columns}".split()

    def given(self, words: Sequence[str], now: int) -> Given:
        """The values in the arguments, `NAME=VALUE` or in order of the parameters.

        Raises WrongUseError.
        """
        by_name = {one.name: one for one in self.parameters}
        flags = {one.name for one in self.parameters if one.type is Type.FLAG}
        placed = [o for o in self.parameters if not o.is_named and o.name not in flags]
        texts: dict[str, list[str]] = {}
        for word in words:
            named = _NAMED.fullmatch(word)
            name = named[1].lower() if named else word.removeprefix("--")
            if named and name in by_name:
                self._take(texts, by_name[name], named[2])
            elif not named and name in flags:
                texts[name] = ["yes"]
            else:
                self._refuse_mistyped(name if named else "", by_name)
                self._take(texts, self._next(placed, texts, word), word)
        values = {one.name: self._value(one, texts) for one in self.parameters}
        return Given(values, now)

    def answer(self, subject: S, given: Given) -> Iterator[Row]:
        """The rows, each by the names of its columns."""
        names, rows = self.columns.split(), self.rows(subject, given)
        return (
            row if isinstance(row, dict) else dict(zip(names, row, strict=True))
            for row in rows
        )

    def _take(self, texts: dict[str, list[str]], one: Parameter, text: str) -> None:
        if one.name in texts and not one.is_repeatable:
            raise WrongUseError(f"Report `{self.name}` takes {one.name} only once.")
        texts.setdefault(one.name, []).append(text)

    def _next(
        self, placed: list[Parameter], texts: Mapping[str, object], word: str
    ) -> Parameter:
        """The parameter of the next word that has no name."""
        for one in placed:
            if one.is_repeatable or one.name not in texts:
                return one
        takes = "" if self.parameters else "; it takes no arguments"
        raise WrongUseError(
            f"Unexpected argument {word!r} for report `{self.name}`{takes}."
        )

    def _refuse_mistyped(self, name: str, known: Collection[str]) -> None:
        meant = near(name, known) if name else None
        is_text = not known or any(one.type is Type.TEXT for one in self.parameters)
        if meant or (name and (self.is_strict or not is_text)):
            raise WrongUseError(
                f"Report `{self.name}` has no {name!r}{guess(name, known)} "
                f"(choose from {', '.join(known)})"
            )

    def _value(self, one: Parameter, texts: Mapping[str, list[str]]) -> Value:
        typed = [text for text in texts.get(one.name, ()) if text or not one.what]
        typed = typed or ([one.usual] if one.usual else [])
        if one.is_required and not typed:
            raise WrongUseError(
                f"Report `{self.name}` needs {one.what or one.name}: "
                f"report {self.name} {self.words}"
            )
        values = [one.value(text, self.name) for text in typed]
        if one.is_repeatable:
            return tuple(str(value) for value in values)
        return values[0] if values else None


class Shelf(dict[str, Report[S]]):
    """The reports of a format, by name, each with the function of its rows."""

    def __init__(self, first: str = "") -> None:
        """`first` is a column that all of them begin with."""
        super().__init__()
        self._first = first

    def add(
        self,
        name: str,
        summary: str,
        columns: str,
        *parameters: Parameter,
        plot: str = "",
        within: str = "",
        lists: Callable[[Row], Listed] = lambda _: NO_LIST,
    ) -> "Callable[[Callable[[S, Given], Rows]], Callable[[S, Given], Rows]]":
        """Add a report whose rows a function yields."""

        def with_rows(rows: Callable[[S, Given], Rows]) -> Callable[[S, Given], Rows]:
            named = Report(name, summary, columns, rows, parameters, first=self._first)
            self[name] = replace(named, plot=plot, within=within, lists=lists)
            return rows

        return with_rows


# The lines of a session as a tree, each below the line that it follows.

THREAD = "depth type at text note uuid parent line level path"
"""The columns of such a report."""


def threaded(lines: Iterable[Row]) -> Iterator[Row]:
    """Every line once, below its parent, in line order."""
    nodes = dict[str, Row]()
    for row in lines:
        nodes.setdefault(str(row["uuid"]), row)
    children = defaultdict[Json, list[Row]](list)
    tops: list[Row] = []
    for row in nodes.values():
        parent = row["parent"]
        if parent in nodes:
            children[parent].append(row)
        else:
            row["note"] = "parent not in this trace" if parent else None
            tops.append(row)
    yield from _descend(tops, nodes, children)
    while nodes:
        row = next(iter(nodes.values()))
        row["note"] = "its own ancestor"
        yield from _descend([row], nodes, children)


def _descend(
    tops: list[Row], left: dict[str, Row], children: Mapping[Json, list[Row]]
) -> Iterator[Row]:
    """The rows below these, depth first; each is taken from those that are left.

    A level is the number of forks above a row: most threads are one long chain.
    """
    pending = [(row, 0, 0) for row in reversed(tops)]
    while pending:
        row, depth, level = pending.pop()
        if left.pop(str(row["uuid"]), None):
            yield row | {"depth": depth, "level": level}
            below = children.get(row["uuid"], ())
            next_level = level + (len(below) > 1)
            pending += [(child, depth + 1, next_level) for child in reversed(below)]


def answer(
    reports: Iterable[Report[S]],
    name: str,
    words: Sequence[str],
    now: int,
    subject: Callable[[], S],
) -> Iterator[Row]:
    """The rows of a report; the subject is opened after the arguments are read."""
    by_name = {one.name: one for one in reports}
    report = by_name.get(name)
    if report is None:
        known = ", ".join(by_name)
        raise WrongUseError(
            f"Unknown report {name!r}{guess(name, by_name)} (choose from {known})."
        )
    given = report.given(words, now)
    return report.answer(subject(), given)


AnyReport = Report[Any]
