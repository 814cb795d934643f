"""How later versions of spec 004's program would divide a transcript."""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from store.derive.divisions import divisions
from store.files.jsonl import parse, split_lines
from store.findings import Json
from store.formats.transcripts.bases import Bases
from store.times import parse as parse_instant
from store.transcript import entry_text, text

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def divide(bases: Bases, path: str) -> Iterator[Mapping[str, Json]]:
    """The conversations that the gap and the limits of size make, in order."""
    for number, division in enumerate(divisions(_entries(bases, path)), start=1):
        yield {
            "conversation": number,
            "first": _spelt(division.first),
            "last": _spelt(division.last),
            "entries": division.entries,
            "characters": division.characters,
            "ended_by": division.ended_by,
        }


def _entries(bases: Bases, path: str) -> Iterator[tuple[int, int]]:
    """The entries of a transcript: when each was written, and how long it is."""
    with bases.opened(path) as file:
        for line in split_lines(file):
            for value in parse(line.raw).values if line.raw else ():
                entry = entry_text(value) if isinstance(value, dict) else None
                if entry and isinstance(value, dict):
                    at = parse_instant(text(value, "timestamp")).micros
                    if at is not None:
                        yield at, len(entry.text)


def _spelt(micros: int) -> str:
    moment = _EPOCH + timedelta(microseconds=micros)
    return moment.replace(tzinfo=None).isoformat(timespec="milliseconds") + "Z"
