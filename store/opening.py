"""Open a record: what a list leaves out is read from the file that holds it."""

from collections.abc import Mapping
from pathlib import Path

from store.catalogue.reader import Reader
from store.catalogue.rows import own_key
from store.catalogue.views import Record
from store.errors import UnreadableError
from store.findings import Findings, Value
from store.formats.port import Format
from store.records.document import Document, DocumentInFull
from store.records.memory import Memory, MemoryInFull, Relation

InFull = Record | MemoryInFull | DocumentInFull
"""Whatever `show` can answer with."""


Formats = Mapping[Path, Format]
"""The format of each store that is looked at."""


def open_in_full(reader: Reader, record: Record, formats: Formats) -> InFull:
    """The record with its text, for those kinds that have more than a list shows."""
    if isinstance(record, Memory):
        return _memory(record, _reread(reader, record, formats))
    if isinstance(record, Document):
        return _document(record, _reread(reader, record, formats))
    return record


def _reread(reader: Reader, record: Memory | Document, formats: Formats) -> Findings:
    """What the record's file says now."""
    store = Path(record.store)
    with formats[store].open(store) as opened:
        return opened.read(reader.source(record.store, record.path))


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
    raise UnreadableError(f"{memory.path} changed and holds this memory no more.")


def _document(document: Document, findings: Findings) -> DocumentInFull:
    """The document of a file."""
    for found in findings.documents:
        return DocumentInFull(document=document, text=found.text, facts=found.facts)
    raise UnreadableError(f"{document.path} changed and is no document any more.")


def _relation(relation: Mapping[str, Value]) -> Relation:
    """A relation as the file lists it; what is no text there is left out."""
    return Relation(
        target=_text(relation.get("target")),
        type=_text(relation.get("type")),
        direction=_text(relation.get("direction")),
        strength=_number(relation.get("strength")),
        context=_text(relation.get("context")),
        edge_id=_text(relation.get("edge_id")),
    )


def _text(value: Value | None) -> str | None:
    return value if isinstance(value, str) else None


def _number(value: Value | None) -> float | None:
    try:
        return float(value) if isinstance(value, str) else None
    except ValueError:
        return None
