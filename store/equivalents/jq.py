"""jq's language: conditions upon a line of a journal, as its own writer puts it."""

import json
import re
from collections.abc import Mapping

from msgspec import Struct

from store.equivalents.times import bounds
from store.search.language.fields import Match, field_of
from store.search.language.tree import (
    Compared,
    Leaf,
    Named,
    Pattern,
    Start,
    Text,
    Value,
)

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
"""Whether a line of a trace tells that something went wrong."""


class Jq(Struct, frozen=True):
    """What jq says of one kind of record."""

    kind: str
    """`measures` or `events`."""
    now: int
    """What ages are counted from, in microseconds since 1970."""
    negation: str = "({} | not)"
    both: str = " and "
    either: str = " or "

    def leaf(self, leaf: Leaf) -> str | None:
        """What a leaf says; None where no line of a journal tells it."""
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
        """What a field must be."""
        if leaf.name in _TIMES:
            return self._time(leaf)
        if isinstance(leaf, Compared):
            return _compared(leaf)
        each = [self._value(leaf.name, value) for value in leaf.values]
        known = [one for one in each if one is not None]
        return _any_of(known) if len(known) == len(each) else None

    @property
    def _texts(self) -> Mapping[str, str]:
        return _MEASURES if self.kind == "measures" else _EVENTS

    def _value(self, name: str, value: Value) -> str | None:
        """Whether a field has a value."""
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
        """Whether a line was written down at some time."""
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
    """How a number of the line compares."""
    number = _NUMBERS.get(leaf.name)
    if number is None or not isinstance(leaf.value, float):
        return None
    sign = "==" if leaf.operator == "=" else leaf.operator
    return f"(({number} | numbers | . {sign} {leaf.value:.12g}) // false)"


def _any_of(conditions: list[str]) -> str:
    """One of some conditions, each of which holds together by itself."""
    return f"({' or '.join(conditions)})" if len(conditions) > 1 else conditions[0]


def _tests(told: str, text: str, before: str = "", behind: str = "") -> str:
    """Whether something holds a text, whichever its case."""
    pattern = before + _SPECIAL.sub(r"\\\g<0>", text) + behind
    found = "tojson" if told == "tojson" else f'({told}) // "" | tostring'
    return f'({found} | test({_quoted(pattern)}; "i"))'


def _calls(tool: str) -> str:
    """Whether a line calls a tool."""
    name = _quoted(tool)
    return f"(.tool == {name} or any({_CALLS}; .name? == {name}))"


def _of_class(name: str) -> str | None:
    """The classes that lines themselves tell; the others are worked out of them."""
    head, colon, tool = name.partition(":")
    if head == "tool_use" and colon:
        return f"(.event_class == {_quoted(name)} or {_calls(tool)})"
    if head == "tool_error" and not colon:
        return ERROR
    return None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
