"""JSON: one object a line for lists, text as the file holds it."""

import json
import sys
from collections.abc import Iterable
from dataclasses import asdict, fields
from functools import cache
from typing import Any

import orjson

from store.records.document import DocumentInFull
from store.records.memory import MemoryInFull

_ROWS: dict[type, str] = {MemoryInFull: "memory", DocumentInFull: "document"}
"""Records that hold a row; the row's fields come first in their object."""

_OF_PROCEDURES = ("steps", "preconditions", "postconditions")


def write_json(records: Iterable[object]) -> None:
    """Print each record as one line of JSON."""
    out = sys.stdout.buffer
    for record in records:
        out.write(encoded(as_object(record)) + b"\n")
    out.flush()


def as_object(record: object) -> dict[str, Any]:
    """The object that stands for a record: its fields, in order."""
    names = _names(type(record))
    row = _ROWS.get(type(record))
    own = {name: getattr(record, field) for field, name in names if field != row}
    if isinstance(record, MemoryInFull) and record.memory.type != "procedure":
        own = {name: value for name, value in own.items() if name not in _OF_PROCEDURES}
    return {**as_object(getattr(record, row)), **own} if row else own


def encoded(thing: dict[str, Any]) -> bytes:
    """The object as JSON; names of files may hold bytes that only escapes can carry."""
    try:
        return orjson.dumps(thing)
    except TypeError:
        return json.dumps(thing, default=asdict, separators=(",", ":")).encode()


@cache
def _names(record: type) -> tuple[tuple[str, str], ...]:
    """The fields of a record, and what they are called in JSON."""
    return tuple((field.name, field.name.rstrip("_")) for field in fields(record))
