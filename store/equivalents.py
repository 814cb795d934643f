"""The same query as a command line for jq or sqlite3."""

import json
import os
import re
import shlex
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from typing import ClassVar, NamedTuple

from msgspec import Struct

from store.kinds.field import Match
from store.search.edit import written
from store.search.fields import field_of
from store.search.tree import (
    Age,
    All,
    Compared,
    Days,
    Either,
    Leaf,
    Named,
    Node,
    Not,
    Pattern,
    Start,
    Text,
    Value,
    texts,
)

# Translate a query tree into another language, as far as possible.
#
# Terms that cannot be translated are left out and reported. Within an `either` or a
# `not`, leaving out a part would change the meaning, so then the whole term is left
# out.


class Dialect(Struct, frozen=True):
    """The operators and conditions of a language."""

    now: int
    """The current time for ages, in microseconds since 1970."""

    negation: ClassVar[str]
    """The template for a negation, with `{}` for the condition."""
    both: ClassVar[str]
    """The operator between conditions that must all be true."""
    either: ClassVar[str]
    """The operator between conditions of which one must be true."""

    def leaf(self, leaf: Leaf) -> str | None:
        """A leaf as a condition; None if it cannot be translated."""
        raise NotImplementedError


class Said(Struct, frozen=True):
    """A translated query."""

    condition: str
    """The condition; empty if everything matches."""
    left_out: tuple[str, ...] = ()
    """The terms that could not be translated, as typed."""


def said(tree: Node, dialect: Dialect) -> Said:
    """Translate a query into a condition of another language."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    each = [(term, _whole(term, dialect)) for term in terms]
    conditions = [condition for _, condition in each if condition]
    left_out = tuple(written(term) for term, condition in each if condition is None)
    return Said(dialect.both.join(conditions), left_out)


def _whole(node: Node, dialect: Dialect) -> str | None:
    """Translate a part of a query; None if any of it cannot be translated."""
    match node:
        case Not(term):
            inner = _whole(term, dialect)
            return inner and dialect.negation.format(inner)
        case All(terms) | Either(terms):
            conditions = [_whole(term, dialect) for term in terms]
            if None in conditions:
                return None
            sign = dialect.both if isinstance(node, All) else dialect.either
            return f"({sign.join(filter(None, conditions))})" if conditions else ""
        case _:
            return dialect.leaf(node)


# A time filter of a query, as one or two bounds.

_SECOND = 1_000_000
_UNITS = {"h": 3600, "d": 86_400, "w": 604_800, "m": 2_592_000, "y": 31_536_000}
_YOUNGER = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "=": ">="}
"""An age in the query becomes a time, which reverses the comparison."""


class Bound(NamedTuple):
    """A comparison with a time in seconds since 1970."""

    operator: str
    seconds: int

    @property
    def iso(self) -> str:
        """The time as journals write it, which sorts correctly as text."""
        return f"{datetime.fromtimestamp(self.seconds, UTC):%Y-%m-%dT%H:%M:%SZ}"


def bounds(leaf: Named | Compared, now: int) -> list[Bound] | None:
    """The bounds of a time filter; None if it cannot be expressed as such."""
    operator, value = "=", leaf.values[0] if isinstance(leaf, Named) else leaf.value
    if isinstance(leaf, Compared):
        operator = leaf.operator
    elif len(leaf.values) > 1:
        return None
    elif leaf.name == "since":
        operator = "<=" if isinstance(value, Age) else ">="
    elif isinstance(value, Age):
        operator = "<"
    try:
        return list(_bounds(operator, value, now)) or None
    except (OverflowError, OSError, ValueError):
        return None


def _bounds(operator: str, value: Value, now: int) -> Iterator[Bound]:
    match value:
        case Age(amount, unit):
            instant = now // _SECOND - int(amount * _UNITS[unit])
            yield Bound(_YOUNGER[operator], instant)
        case Days(first, last):
            begin, end = _midnight(first), _midnight(last + timedelta(days=1))
            if operator in {">=", "="}:
                yield Bound(">=", begin)
            if operator in {"<=", "="}:
                yield Bound("<", end)
            if operator == "<":
                yield Bound("<", begin)
            if operator == ">":
                yield Bound(">=", end)
        case _:
            return


def _midnight(day: date) -> int:
    """When a day begins in local time."""
    return int(datetime.combine(day, time.min).astimezone().timestamp())


# jq: conditions on a line of a journal.

_CALLS = "(.message.content? // empty | arrays | .[])"
_SPECIAL = re.compile(r"[\\.^$*+?{}\[\]|()]")

_COUNTED = '"total_tokens", "tool_use_count", "tokens_in", "tokens_out"'
_COUNTS = f"with_entries(select(.key | IN({_COUNTED})))"

_MEASURES: Mapping[str, str] = {
    "name": ".name // .desc // .id",
    "id": ".id // .agent_id",
    "session": '.session_id // (if .kind == "session" then .id else null end)',
    "metric": f".metric // .value // {_COUNTS} | tojson",
    "source": ".evidence_tier // .source",
    "pointer": ".pointer",
}
_EVENTS: Mapping[str, str] = {
    "session": ".sessionId // .session_id",
    "kind": ".type // .kind // .event",
    "file_path": f".file_path // ([{_CALLS} | .input?.file_path? // empty] | first)",
    "message": "tojson",
}
_NUMBERS = {
    "exit": ".exit",
    "duration": "(.duration_s // (.duration_ms | numbers / 1000))",
}
_TIMES = frozenset({"at", "on", "month", "year", "since", "start", "end"})
_CLOCK = {
    "measures": ".ts",
    "events": "(.timestamp // .ts)",
    "start": ".start_epoch",
    "end": ".end_epoch",
}

_KINDS = {
    "task": '(.kind | IN("task", "start", "stop"))',
    "session": '(.kind == "session")',
    "claim": '(.kind == "claim")',
    "toolstats": '(has("outcome") or has("tool_stats"))',
}

ERROR = f"(.is_error == true or any({_CALLS}; .is_error? == true))"
"""Whether a line of a trace reports an error."""


class Jq(Dialect, frozen=True):
    """jq conditions for one kind of record."""

    kind: str
    """`measures` or `events`."""

    negation = "({} | not)"
    both = " and "
    either = " or "

    def leaf(self, leaf: Leaf) -> str | None:
        """A leaf as a jq condition; None if journal lines do not have the field."""
        match leaf:
            case Text(text):
                return _tests("tojson", json.dumps(text, ensure_ascii=False)[1:-1])
            case Start(text):
                return _tests(self._texts.get("name", "tojson"), text, "^")
            case Pattern(text):
                return f"(tojson | test({_quoted(text)}))"
            case Named() | Compared():
                return self._field(leaf)
            case _:
                return None

    def _field(self, leaf: Named | Compared) -> str | None:
        """The condition for a field."""
        if leaf.name in _TIMES:
            return self._time(leaf)
        if isinstance(leaf, Compared):
            return _compared(leaf)
        each = [self._value(leaf.name, value) for value in leaf.values]
        known = [one for one in each if one is not None]
        if len(known) < len(each):
            return None
        return f"({' or '.join(known)})" if len(known) > 1 else known[0]

    @property
    def _texts(self) -> Mapping[str, str]:
        return _MEASURES if self.kind == "measures" else _EVENTS

    def _value(self, name: str, value: Value) -> str | None:
        """The condition that a field has a value."""
        field = field_of(name, self.kind)
        if not isinstance(value, str) or field is None:
            return None
        match self.kind, name:
            case "measures", "kind":
                return _KINDS.get(value)
            case "events", "is":
                return ERROR if value == "error" else None
            case "events", "tool":
                return _calls(value)
            case "events", "event_class":
                return _of_class(value)
            case _:
                told = self._texts.get(name)
                ends = {Match.IS: ("^", "$"), Match.BEGINS: ("^", "")}
                before, behind = ends.get(field.match, ("", ""))
                return told and _tests(told, value, before, behind)

    def _time(self, leaf: Named | Compared) -> str | None:
        """The condition that a line was written in a time range."""
        found = bounds(leaf, self.now)
        if found is None:
            return None
        if leaf.name in {"start", "end"}:
            clock = _CLOCK[leaf.name]
            each = [f"{clock} {one.operator} {one.seconds}" for one in found]
            return f'(({clock} | type) == "number" and {" and ".join(each)})'
        clock = f'({_CLOCK[self.kind]} | if type == "number" then todate else . end)'
        each = [
            f"({clock} // {_quoted('')}) {o.operator} {_quoted(o.iso)}" for o in found
        ]
        return f"({' and '.join(each)})"


def _compared(leaf: Compared) -> str | None:
    """The condition that compares a number in the line."""
    number = _NUMBERS.get(leaf.name)
    if number is None or not isinstance(leaf.value, float):
        return None
    sign = "==" if leaf.operator == "=" else leaf.operator
    return f"(({number} | numbers | . {sign} {leaf.value:.12g}) // false)"


def _tests(told: str, text: str, before: str = "", behind: str = "") -> str:
    """The condition that an expression contains a text, ignoring case."""
    pattern = before + _SPECIAL.sub(r"\\\g<0>", text) + behind
    found = "tojson" if told == "tojson" else f'({told}) // "" | tostring'
    return f'({found} | test({_quoted(pattern)}; "i"))'


def _calls(tool: str) -> str:
    """The condition that a line calls a tool."""
    name = _quoted(tool)
    return f"(.tool == {name} or any({_CALLS}; .name? == {name}))"


def _of_class(name: str) -> str | None:
    """The condition for an event class; None for classes that lines do not contain."""
    head, colon, tool = name.partition(":")
    if head == "tool_use" and colon:
        return f"(.event_class == {_quoted(name)} or {_calls(tool)})"
    if head == "tool_error" and not colon:
        return ERROR
    return None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


# SQL: conditions on a row of an agent ledger, for every version of its schema.

_TEXTS = ("id", "branch", "status", "summary")
_TEXT = " || ' ' || ".join(f"coalesce({name}, '')" for name in _TEXTS)
_SQL_TIMES = frozenset({"started", "on", "month", "year", "since"})

ELSEWHERE = f"text in other columns than {', '.join(_TEXTS)}"
"""Reported as left out, because not every ledger has these columns."""


class Sql(Dialect, frozen=True):
    """SQL conditions for agents."""

    negation = "NOT ({})"
    both = " AND "
    either = " OR "

    def leaf(self, leaf: Leaf) -> str | None:
        """A leaf as an SQL condition; None if there is no column for it."""
        match leaf:
            case Text(text):
                return f"instr(lower({_TEXT}), {_quoted_sql(text.lower())}) > 0"
            case Start(text):
                return _begins(text)
            case Named() | Compared() if leaf.name in _SQL_TIMES:
                found = bounds(leaf, self.now)
                each = [f"started_ts {b.operator} {b.seconds}" for b in found or ()]
                return f"({' AND '.join(each)})" if each else None
            case Named("id", values) if all(isinstance(one, str) for one in values):
                return f"({' OR '.join(_begins(str(one)) for one in values)})"
            case _:
                return None


def _begins(text: str) -> str:
    """The condition that an agent's identifier begins with a text."""
    return f"lower(substr(id, 1, {len(text)})) = {_quoted_sql(text.lower())}"


def _quoted_sql(text: str) -> str:
    text = text.replace("'", "''").replace("\0", "")
    return f"'{text}'"


# The command line: program, files, and the terms left out.

_FEW = 4
"""Up to this many files of a folder are named one by one; more become `*`."""

_JOURNAL = ".jsonl"
_TASKS = "tasks.jsonl"
_TOGETHER = "merging of task lines"
"""Always left out: a listed task may be built from several lines."""

_MEANT_IN_QUOTES = frozenset('"$`\\!')
_OF_A_STORE = frozenset({"store", "path", "format"})
"""Fields that depend on the file only; the command names just the matching files."""


class Equivalent(Struct, frozen=True):
    """A shell command, and what it leaves out."""

    line: str
    """Empty if no command is possible."""
    program: str = ""
    left_out: tuple[str, ...] = ()


def equivalent(kind: str, tree: Node, files: Sequence[Path], now: int) -> Equivalent:
    """The command that finds in files what a query finds in a list."""
    terms = tree.terms if isinstance(tree, All) else (tree,)
    told = [one for one in terms if isinstance(one, Named) and one.name in _OF_A_STORE]
    rest = All(tuple(one for one in terms if one not in told))
    journals = [file for file in files if file.suffix == _JOURNAL]
    ledgers = [file for file in files if file.suffix != _JOURNAL]
    if kind == "agents":
        return _sqlite(rest, ledgers, now)
    return _jq(kind, rest, journals, now, ledgers)


def _jq(
    kind: str, tree: Node, journals: Sequence[Path], now: int, others: Sequence[Path]
) -> Equivalent:
    """The jq command for journals; databases are reported as left out."""
    if not journals:
        return Equivalent("", "jq")
    found = said(tree, Jq(now, kind))
    program = f"select({found.condition})" if found.condition else "."
    line = f"jq -c {shlex.quote(program)} {_named(journals)}"
    several = (_TOGETHER,) if any(file.name == _TASKS for file in journals) else ()
    return Equivalent(line, "jq", (*found.left_out, *several, *map(str, others)))


def _sqlite(tree: Node, ledgers: Sequence[Path], now: int) -> Equivalent:
    """The read-only sqlite3 command for the first ledger."""
    if not ledgers:
        return Equivalent("", "sqlite3")
    found = said(tree, Sql(now))
    where = f" WHERE {found.condition}" if found.condition else ""
    query = f"SELECT * FROM agents{where} ORDER BY started_ts DESC;"
    path = shlex.quote(os.path.normpath(ledgers[0]))
    line = f"sqlite3 -readonly {path} {_in_quotes(query)}"
    narrower = (ELSEWHERE,) if texts(tree) else ()
    missing = (*found.left_out, *narrower, *map(str, ledgers[1:]))
    return Equivalent(line, "sqlite3", missing)


def _named(files: Sequence[Path]) -> str:
    """Files for a shell; many in one folder become a pattern with their suffix."""
    if len(files) <= _FEW:
        return " ".join(shlex.quote(str(file)) for file in files)
    folders = dict.fromkeys(file.parent for file in files)
    return " ".join(f"{shlex.quote(str(folder))}/*{_JOURNAL}" for folder in folders)


def _in_quotes(query: str) -> str:
    """SQL in double quotes for a shell, with special characters escaped."""
    is_harmless = not _MEANT_IN_QUOTES.intersection(query)
    return f'"{query}"' if is_harmless else shlex.quote(query)
