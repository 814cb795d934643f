"""JSON: one object a line for lists, text as the file holds it."""

import json
import re
import sys
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, cast

import orjson
from msgspec import Struct
from msgspec.structs import asdict

from store.records.agent import Agent
from store.records.conversation import ConversationInFull, MessageInFull
from store.records.document import DocumentInFull
from store.records.double import Double
from store.records.due import Due
from store.records.edge import EdgeInFull
from store.records.measure import MeasureInFull
from store.records.memory import MemoryInFull
from store.records.similar import Similar

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
"""Records that hold a row; the row's fields come first in their object."""

_DELETE = b"\x7f"
_ACTING = re.compile(
    rb"\x7f|\xc2[\x80-\x9f]|\xd8\x9c|\xe2\x80[\x8e\x8f\xa8-\xae]|\xe2\x81[\xa6-\xa9]"
)
"""What JSON may hold raw although a terminal or a reader of lines would act on it: DEL,
C1, line separators and the controls of direction."""

_OF_PROCEDURES = ("steps", "preconditions", "postconditions")


def write_json(records: Iterable[object]) -> None:
    """Print each record as one line of JSON."""
    out = sys.stdout.buffer
    for record in records:
        out.write(encoded(as_object(record)) + b"\n")
    out.flush()


def as_object(record: object) -> dict[str, Any]:
    """The object that stands for a record: its fields, in order."""
    if isinstance(record, Mapping):
        return dict(cast("Mapping[str, Any]", record))
    if isinstance(record, Agent):
        return _agent(record)
    names = _names(type(record))
    row = _ROWS.get(type(record))
    own = {name: getattr(record, field) for field, name in names if field != row}
    if isinstance(record, MemoryInFull) and record.memory.type != "procedure":
        own = {name: value for name, value in own.items() if name not in _OF_PROCEDURES}
    return {**as_object(getattr(record, row)), **own} if row else own


def _agent(agent: Agent) -> dict[str, Any]:
    """An agent with the ledger's columns beside its fields, which keep their names."""
    thing: dict[str, Any] = {"ref": agent.ref, "store": agent.store, "path": agent.path}
    columns = agent.columns.items()
    told = {f"columns.{n}" if n in thing else n: value for n, value in columns}
    return {**thing, **told}


def encoded(thing: dict[str, Any]) -> bytes:
    """The object as JSON; names of files may hold bytes that only escapes can carry."""
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
    """The fields of a record, and what they are called in JSON."""
    return tuple((name, name.rstrip("_")) for name in record.__struct_fields__)
