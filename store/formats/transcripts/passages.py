"""A message as its lines hold it, read from where it lies."""

from collections.abc import Iterator

from store.errors import UnreadableError
from store.files.beneath import OpenFile
from store.files.jsonl import parse, split_lines
from store.formats.port import Passage, Place
from store.transcript import At, Record, fields_of, inner, message_of, parts_of

_LONGEST = 64 * 1024 * 1024
"""How much is read for one message."""


def passage(file: OpenFile, path: str, place: Place) -> Passage:
    """The message at a place; raises UnreadableError where there is none any more."""
    records = list(_records(file, place))
    if not records:
        raise UnreadableError(
            f"{path} no longer holds the message that was at line {place.line}."
        )
    return Passage(parts=parts_of(records), fields=fields_of(records))


def _records(file: OpenFile, place: Place) -> Iterator[Record]:
    """The values that make a message, each with its envelope."""
    end = place.offset + min(place.extent, _LONGEST)
    for line in split_lines(file, place.offset, place.line):
        if line.offset >= end:
            return
        for ordinal, value in enumerate(parse(line.raw).values if line.raw else ()):
            if isinstance(value, dict):
                at = At(line.number, line.offset, line.size, None, ordinal)
                record = _of_message(value, at, place.key)
                if record:
                    yield record


def _of_message(value: Record, at: At, key: str) -> Record | None:
    """The record of a value that belongs to the message; None for all others."""
    if value.get("type") == "queue-operation":
        return value if at.key == key else None
    if value.get("type") == "progress":
        carried = inner(inner(value, "data"), "message")
        return carried if key.startswith("agent:") and carried else None
    found = message_of(value, at)
    return value if found and found.key == key else None
