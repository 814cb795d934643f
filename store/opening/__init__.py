"""Open a record: what a list leaves out is read from the file that holds it."""

from collections.abc import Mapping
from pathlib import Path

from store.catalogue.reader import Reader
from store.catalogue.rows.memories import own_key
from store.catalogue.spoken import spot_of
from store.catalogue.views import Record
from store.errors import UnreadableError
from store.findings import UNREADABLE, Findings, Side, Value
from store.formats.port import Format, Passage
from store.opening.transcripts import open_conversation, open_measure, open_message
from store.records.conversation import (
    Conversation,
    ConversationInFull,
    Message,
    MessageInFull,
)
from store.records.document import Document, DocumentInFull
from store.records.edge import Edge, EdgeInFull
from store.records.measure import Measure, MeasureInFull
from store.records.memory import Memory, MemoryInFull, Relation

InFull = (
    Record
    | MemoryInFull
    | EdgeInFull
    | DocumentInFull
    | ConversationInFull
    | MessageInFull
    | MeasureInFull
)
"""Whatever `show` can answer with."""

Spoken = Conversation | Message | Measure
"""What transcripts and journals hold."""

Formats = Mapping[Path, Format]
"""The format of each store that is looked at."""


def open_in_full(reader: Reader, record: Record, formats: Formats, now: int) -> InFull:
    """The record with its text, for those kinds that have more than a list shows."""
    match record:
        case Memory():
            return _memory(record, _reread(reader, record, formats))
        case Document():
            return _document(record, _reread(reader, record, formats))
        case Edge() if Side.FILE in record.sides:
            return _edge(record, _reread(reader, record, formats))
        case Conversation() | Message() | Measure():
            return _spoken(reader, record, formats, now)
        case _:
            return record


def _reread(
    reader: Reader, record: Memory | Edge | Document, formats: Formats
) -> Findings:
    """What the record's file says now; of one that comes in pieces, where it tells."""
    store = Path(record.store)
    source = reader.source(record.store, record.path)
    with formats[store].open(store) as opened:
        findings = opened.read(source)
        while findings.more and not (findings.memories or findings.documents):
            findings = opened.read(source, findings.mark)
        return findings


def _memory(memory: Memory, findings: Findings) -> MemoryInFull:
    """The memory that the row speaks of, among those of its file."""
    key = own_key(memory.path, memory.id)
    for found in findings.memories:
        if own_key(memory.path, found.id) == key and found.line == memory.line:
            return MemoryInFull(
                memory=memory,
                body=found.body,
                fields=found.fields,
                relations=tuple(_relation(relation) for relation in found.relations),
                steps=found.steps,
                preconditions=found.preconditions,
                postconditions=found.postconditions,
            )
    raise _gone(memory.path, findings)


def _document(document: Document, findings: Findings) -> DocumentInFull:
    """The document of a file."""
    for found in findings.documents:
        return DocumentInFull(document=document, text=found.text, facts=found.facts)
    raise _gone(document.path, findings)


def _spoken(
    reader: Reader, record: Spoken, formats: Formats, now: int
) -> ConversationInFull | MessageInFull | MeasureInFull:
    """What a transcript or a journal holds."""
    match record:
        case Conversation():
            return open_conversation(reader, record, now)
        case Measure():
            return open_measure(reader, record)
        case Message():
            return open_message(reader, record, _passage(reader, record, formats), now)


def _passage(reader: Reader, message: Message, formats: Formats) -> Passage:
    """A message as its source holds it."""
    spot, store = spot_of(reader, message.ref), Path(message.store)
    with formats[store].open(store) as opened:
        return opened.passage(reader.source(message.store, spot.path), spot.place)


def _edge(edge: Edge, findings: Findings) -> EdgeInFull:
    """The edge that a file of its own is about."""
    for claim in findings.claims:
        if claim.side is Side.FILE and claim.edge_id == edge.id:
            return EdgeInFull(edge=edge, body=claim.body, fields=claim.fields)
    raise _gone(edge.path, findings)


def _gone(path: str, findings: Findings) -> UnreadableError:
    """Why a record is not in its file any more."""
    for flaw in findings.flaws:
        if flaw.code == UNREADABLE:
            return UnreadableError(flaw.message)
    return UnreadableError(f"{path} changed and holds this record no more.")


_TEXTS = ("target", "type", "direction", "context", "edge_id")
"""What a relation says in words."""


def _relation(entry: Mapping[str, Value]) -> Relation:
    """A relation as the file lists it; what is not understood stays as it stands."""
    told = {key: value for key in _TEXTS if isinstance(value := entry.get(key), str)}
    strength = _number(entry.get("strength"))
    known = {*told, *(["strength"] if strength is not None else [])}
    return Relation(
        target=told.get("target"),
        type=told.get("type"),
        direction=told.get("direction"),
        strength=strength,
        context=told.get("context"),
        edge_id=told.get("edge_id"),
        fields={key: value for key, value in entry.items() if key not in known},
    )


def _number(value: Value | None) -> float | None:
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None
