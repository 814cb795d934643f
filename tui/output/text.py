"""Styled lines, quantities, dates and values as text."""

import json
import re
import sys
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from functools import cache
from typing import Any, NamedTuple, cast

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from store.clean import clean
from store.findings import Json
from store.kinds.conversations import ConversationInFull
from store.kinds.edges import EdgeInFull
from store.kinds.journals import Agent, MeasureInFull
from store.kinds.memories import MemoryInFull
from store.kinds.messages import MessageInFull
from store.kinds.pages import DocumentInFull
from store.records.answers import Double, Due, Similar
from store.text import regex
from store.times import parse
from tui.terminal.streams import complain

# Times in readable form.

TO_THE_MINUTE = len("2026-02-14T10:30")


def to_the_minute(text: str) -> str:
    """The day and time of a timestamp, as written."""
    return clean(text)[:TO_THE_MINUTE].replace("T", " ")


def local(value: str | float, now: int) -> str:
    """A time on the user's clock, with its age; as written if it isn't one."""
    micros = parse(value).micros
    try:
        at = datetime.fromtimestamp(micros // 1_000_000) if micros is not None else None  # noqa: DTZ006  # local
    except (OverflowError, OSError, ValueError):
        at = None
    if micros is None or at is None:
        return clean(str(value))
    seconds = (now - micros) // 1_000_000
    age = " ".join(lasted(abs(seconds)).split()[:2])
    ago = f"{age} ago" if seconds >= _MINUTE else f"in {age}"
    return f"{at:%Y-%m-%d %H:%M} ({ago if abs(seconds) >= _MINUTE else 'now'})"


# Quantities in readable form: sizes, counts, durations.

_BYTES = ("B", "kB", "MB", "GB", "TB")
_COUNTS = ("", "k", "M", "G", "T")
_TEN, _THOUSAND = 10, 1000

_MINUTE, _HOUR, _DAY = 60, 3600, 86_400


def sized(size: int) -> str:
    """A number of bytes; empty for zero."""
    if not size:
        return ""
    power = min(len(str(size)) - 1, 12) // 3
    return f"{size / 1000**power:.0f} {_BYTES[power]}"


def compact(count: int) -> str:
    """A number in at most five characters: 950, 1.2k, 35k, 1.2M."""
    scaled, power = float(count), 0
    while abs(scaled) >= _THOUSAND - 0.5 and power < len(_COUNTS) - 1:
        scaled, power = scaled / _THOUSAND, power + 1
    digits = 1 if power and abs(scaled) < _TEN - 0.05 else 0
    return f"{scaled:.{digits}f}{_COUNTS[power]}"


def lasted(seconds: float) -> str:
    """A duration in its two largest units: 0.4 s, 12 s, 3 min 20 s, 1 h 5 min."""
    if abs(seconds) < _TEN:
        return f"{seconds:.2g} s"
    whole = round(seconds)
    if whole < _MINUTE:
        return f"{whole} s"
    if whole < _HOUR:
        return _two(whole, _MINUTE, "min", 1, "s")
    if whole < _DAY:
        return _two(whole, _HOUR, "h", _MINUTE, "min")
    return _two(whole, _DAY, "d", _HOUR, "h")


def _two(whole: int, large: int, name: str, small: int, smaller: str) -> str:
    """A duration in two units; the smaller one is omitted if zero."""
    rest = whole % large // small
    return f"{whole // large} {name}" + (f" {rest} {smaller}" if rest else "")


# JSON values in cells: short for people, complete for pipes.


_DEEPEST = 20
"""How many values within one another are shown."""


def in_short(value: Json, left: int = _DEEPEST) -> str:
    """A value in readable form; nested values as names and values."""
    match value:
        case dict() | list() if not left:
            return "…"
        case dict():
            named = ((clean(k), in_short(v, left - 1)) for k, v in value.items())
            return " ".join(f"{name}={told}" for name, told in named)
        case list():
            return ", ".join(in_short(one, left - 1) for one in value)
        case float():
            return f"{round(value, 3):.12g}"
        case bool():
            return "yes" if value else "no"
        case _:
            return in_whole(value)


def in_whole(value: Json) -> str:
    """A complete value: texts bare, None as nothing, everything else as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return clean(value)
    return clean(json.dumps(value, ensure_ascii=False, separators=(",", ":")))


# Styled lines: plain in a pipe, coloured on a terminal.


class Line(NamedTuple):
    """A line of text that is safe to show."""

    text: str
    """Its text, without line feeds."""
    style: str = ""
    """Its colour, if any."""
    folded: bool = False
    """Whether a terminal cuts it to its width."""
    wrapped: bool = False
    """Whether a terminal breaks it between words."""


def joined(lines: Iterable[Line]) -> str:
    """The text of lines."""
    return "\n".join(line.text for line in lines)


def write_lines(lines: Iterable[Line], *, coloured: bool) -> None:
    """Print lines one after another."""
    for text in _coloured(lines) if coloured else (line.text for line in lines):
        sys.stdout.buffer.write(f"{text}\n".encode("utf-8", "replace"))
    sys.stdout.buffer.flush()


def _coloured(lines: Iterable[Line]) -> Iterator[str]:
    """Lines for a terminal; loads rich only if one has a style."""
    for line in lines:
        if line.style or line.folded or line.wrapped:
            from tui.output.tables import styled  # noqa: PLC0415  # rich is slow

            yield styled(line)
        else:
            yield line.text


# JSON: one object per line for lists, text as in the file.

_ROWS: dict[type, str] = {
    MemoryInFull: "memory",
    EdgeInFull: "edge",
    DocumentInFull: "document",
    ConversationInFull: "conversation",
    MessageInFull: "message",
    MeasureInFull: "measure",
    Similar: "memory",
    Double: "memory",
    Due: "memory",
}
"""Records that contain a row, whose fields come first in their object."""

_DELETE = b"\x7f"
_ACTING = regex(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""Characters that are escaped, as a terminal or a line reader would act on them.

JSON may contain them raw: DEL, C1, line separators and direction controls.
"""

OF_PROCEDURES = ("steps", "preconditions", "postconditions")


def reported(records: Iterable[object], nothing: str) -> Iterator[object]:
    """The records; if there are none, a sentence on stderr says so."""
    is_empty = True
    for record in records:
        is_empty = False
        yield record
    if is_empty and nothing:
        complain(nothing)


def write_json(records: Iterable[object]) -> None:
    """Print each record as one line of JSON."""
    out = sys.stdout.buffer
    for record in records:
        out.write(encoded(as_object(record)) + b"\n")
    out.flush()


def as_object(record: object) -> dict[str, Any]:
    """The object for a record: its fields, in order."""
    if isinstance(record, Mapping):
        return dict(cast("Mapping[str, Any]", record))
    if isinstance(record, Agent):
        return _agent(record)
    names = _names(type(record))
    row = _ROWS.get(type(record))
    own = {name: getattr(record, field) for field, name in names if field != row}
    if isinstance(record, MemoryInFull) and record.memory.type != "procedure":
        own = {name: value for name, value in own.items() if name not in OF_PROCEDURES}
    return {**as_object(getattr(record, row)), **own} if row else own


def _agent(agent: Agent) -> dict[str, Any]:
    """An agent with the ledger's columns added to its fields, which take precedence."""
    thing: dict[str, Any] = {"ref": agent.ref, "store": agent.store, "path": agent.path}
    columns = agent.columns.items()
    own = {f"columns.{n}" if n in thing else n: value for n, value in columns}
    return {**thing, **own}


def encoded(thing: dict[str, Any]) -> bytes:
    """The object as JSON; file names may hold bytes that must be escaped."""
    try:
        line = orjson.dumps(thing, default=asdict)
    except TypeError:
        line = json.dumps(thing, default=asdict, separators=(",", ":")).encode()
    if line.isascii() and _DELETE not in line:
        return line
    return _ACTING.sub(_escaped, line)


def _escaped(acting: re.Match[bytes]) -> bytes:
    return b"\\u%04x" % ord(acting[0].decode())


@cache
def _names(record: type[Struct]) -> tuple[tuple[str, str], ...]:
    """The fields of a record, and their names in JSON."""
    return tuple((name, name.rstrip("_")) for name in record.__struct_fields__)
