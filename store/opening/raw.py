"""The bytes that a record is written in, as they are."""

from itertools import islice
from pathlib import Path

from store.catalogue.views import Record
from store.errors import UnreadableError
from store.files.beneath import Root
from store.records.conversation import Message
from store.records.document import Document
from store.records.edge import Edge
from store.records.episode import Episode
from store.records.event import Event
from store.records.measure import Measure
from store.records.memory import Memory
from store.records.problem import Problem

_LIMIT = 8 * 1024 * 1024
"""A larger file is not shown byte for byte."""

_BINARY = b"\0"
_OF_MANY = ".jsonl"


def raw_of(record: Record) -> bytes | None:
    """The bytes of a record's file, or of its line where the file holds many.

    None where there are too many, or where they are no text.
    """
    path, line = _place(record)
    if path is None:
        return None
    root = Root(Path(record.store))
    try:
        blob = root.read(path, limit=_LIMIT)
    except UnreadableError:
        return None
    finally:
        root.close()
    if _BINARY in blob.raw or not blob.whole:
        return None
    return _line(blob.raw, line) if line and path.endswith(_OF_MANY) else blob.raw


def _place(record: Record) -> tuple[str | None, int | None]:
    """The file that a record lies in, and the line."""
    match record:
        case Message(source=path, line=line):
            return path, line
        case Memory() | Episode() | Event() | Measure() | Problem():
            return record.path, record.line
        case Edge() | Document():
            return record.path, None
        case _:
            return None, None


def _line(data: bytes, number: int) -> bytes:
    """One line of many."""
    lines = data.splitlines(keepends=True)
    return next(islice(lines, number - 1, number), b"")
