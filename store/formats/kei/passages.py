"""A message of a trace, whole, read again from where it lies."""

from collections.abc import Iterator

from store.files.beneath import Root
from store.files.jsonl import LONGEST, parse
from store.formats.kei.growing import Record
from store.formats.kei.values import without
from store.formats.port import Passage, Place
from store.transcript import At, fields_of, parts_of, reply_key

_LONGEST = 2 * LONGEST
_MARK = 3
"""A byte order mark is no part of the first line, but lies in front of it."""


def passage_of(root: Root, path: str, place: Place) -> Passage:
    """The parts of a message; raises UnreadableError."""
    with root.opened(path) as file:
        raw = file.at(place.offset, min(place.extent + _MARK, _LONGEST))
    records = [r for at, r in _records(raw, place) if _key(r, at) == place.key]
    if any(isinstance(record.get("type"), str) for record in records):
        return Passage(parts_of(records), fields_of(records))
    fields = records[0] if records else {}
    said = fields.get("message")
    part: Record = {"type": "text", "text": said}
    return Passage((part,) if said is not None else (), without(fields, ("message",)))


def _records(raw: bytes, place: Place) -> Iterator[tuple[At, Record]]:
    """Every record between where a message begins and where it ends."""
    offset, number = place.offset, place.line
    for line in raw.removeprefix(b"\xef\xbb\xbf").split(b"\n"):
        for ordinal, value in enumerate(parse(line).values):
            if isinstance(value, dict):
                yield At(number, offset, len(line), ordinal=ordinal), value
        offset, number = offset + len(line) + 1, number + 1


def _key(record: Record, at: At) -> str:
    if record.get("type") == "assistant":
        return reply_key(record, at)
    uuid = record.get("uuid")
    return uuid if isinstance(uuid, str) and uuid else at.key
