"""Findings of one source as rows, ready to be written; pure, to be run apart."""

import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

import orjson

from store.catalogue.refs import ref
from store.clean import hides_text
from store.findings import (
    UNREADABLE,
    AccessFound,
    Claim,
    DocumentFound,
    EpisodeFound,
    Findings,
    Flaw,
    IndexEntry,
    MemoryFound,
    Mention,
    Severity,
    Value,
)
from store.formats.port import Source

Cell = str | int | float | bytes | None
Row = tuple[Cell, ...]

COLUMNS = {
    "memories": (
        "ref own_id key names title type description tags importance confidence "
        "created created_at updated updated_at changed_at "
        "accessed accessed_at access_count pinned archived fades line"
    ),
    "claims": (
        'start "end" type side edge_id strength context created created_at '
        "start_title end_title line"
    ),
    "episodes": "ref date time title type tags summary link target line",
    "documents": "ref title category text_bytes role",
    "mentions": "target link label note line",
    "accesses": "key count last last_at score",
    "index_entries": "key path facts",
    "problems": "origin path ref code severity line message",
}
"""The columns of each table that a source fills, beside its store and itself."""

UNREAD = -1
"""In place of an offset: the source could not be read, and is tried again as soon as
anything about its store changes, be it only a permission."""

_HIDDEN = Flaw(
    code="hidden-text",
    message="It holds characters that a reader does not see; here they are marked.",
    severity=Severity.NOTE,
)

_LARGEST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class SourceRows:
    """The rows of one source, by table."""

    tables: Mapping[str, list[Row]]
    since: int
    """The offset that reading began at; what was read before it stays."""
    offset: int
    """The offset that reading may go on from, in a source that grows."""


def rows_of(store: bytes, source: Source, findings: Findings, since: int) -> SourceRows:
    """Turn what was found in a source, from an offset on, into rows."""
    path = source.path
    memories = [_memory(store, source, found) for found in findings.memories]
    episodes = [_episode(store, path, found) for found in findings.episodes]
    documents = [_document(store, path, found) for found in findings.documents]
    records = [*memories, *episodes, *documents]
    subject = None if findings.offset else _only(records)
    place = os.fsencode(path)
    tables: dict[str, list[Row]] = {
        "memories": memories,
        "claims": [_claim(claim) for claim in findings.claims],
        "episodes": episodes,
        "documents": documents,
        "mentions": _mentions(findings.documents),
        "accesses": [_access(found) for found in findings.accesses],
        "index_entries": [_index_entry(entry) for entry in findings.index],
        "problems": [
            *(_problem(place, subject, flaw) for flaw in findings.flaws),
            *_hidden(place, memories, findings.memories),
        ],
    }
    unread = any(flaw.code == UNREADABLE for flaw in findings.flaws)
    return SourceRows(tables, since, UNREAD if unread else findings.offset)


def _hidden(
    place: bytes, rows: list[Row], memories: Iterable[MemoryFound]
) -> Iterator[Row]:
    """A problem for each memory with text that its reader does not see.

    What is hidden from people in an agent's memory is a finding in itself.
    """
    for row, found in zip(rows, memories, strict=True):
        if any(map(hides_text, (found.title, found.description or "", found.body))):
            yield _problem(place, str(row[0]), _HIDDEN)


def fit_to_store(rows: Iterable[Row]) -> list[Row]:
    """The rows with text that SQLite cannot hold (lone surrogates) made holdable."""
    return [
        tuple(holdable(cell) if isinstance(cell, str) else cell for cell in row)
        for row in rows
    ]


def holdable(text: str) -> str:
    """The text with every lone surrogate replaced."""
    return text.encode("utf-8", "replace").decode()


def json_text(value: Value | tuple[str, ...]) -> str:
    """A value as JSON text; surrogates, which JSON cannot carry, become `?`."""
    try:
        return orjson.dumps(value).decode()
    except TypeError:
        return orjson.dumps(_holdable(value)).decode()


def _holdable(value: Value | tuple[str, ...]) -> Value:
    """The value with every lone surrogate replaced."""
    if isinstance(value, str):
        return holdable(value)
    if isinstance(value, Mapping):
        return {str(_holdable(key)): _holdable(item) for key, item in value.items()}
    return [_holdable(item) for item in value]


def _only(rows: list[Row]) -> str | None:
    """The ref of the one record that a source holds; flaws of the source concern it.

    A source that grows holds one only until the next.
    """
    return str(rows[0][0]) if len(rows) == 1 else None


def own_key(path: str, own_id: str | None) -> str:
    """The key that claims call a memory by: its identifier, else its path."""
    return f"id:{own_id.casefold()}" if own_id else f"path:{path}"


def _memory(store: bytes, source: Source, found: MemoryFound) -> Row:
    path = source.path
    key = own_key(path, found.id)
    line = () if found.line is None or found.id else (str(found.line),)
    created, updated, accessed = found.created, found.updated, found.accessed
    return (
        ref("memory", store, key, *line),
        found.id,
        key,
        " ".join(found.names),
        found.title,
        found.type,
        found.description,
        json_text(found.tags) if found.tags else "[]",
        found.importance,
        found.confidence,
        created.iso if created else None,
        created.micros if created else None,
        updated.iso if updated else None,
        updated.micros if updated else None,
        _changed(found, source),
        accessed.iso if accessed else None,
        accessed.micros if accessed else None,
        min(found.access_count, _LARGEST),
        found.pinned,
        found.archived,
        found.fades,
        found.line,
    )


def _changed(found: MemoryFound, source: Source) -> int:
    """When a memory was last changed, as far as it or its file can tell."""
    told = found.updated.micros if found.updated else None
    return source.stamp.mtime_ns // 1000 if told is None else told


def _claim(claim: Claim) -> Row:
    created = claim.created
    return (
        claim.start,
        claim.end,
        claim.type,
        claim.side.value,
        claim.edge_id,
        claim.strength,
        claim.context,
        created.iso if created else None,
        created.micros if created else None,
        claim.start_title,
        claim.end_title,
        claim.line,
    )


def _episode(store: bytes, path: str, found: EpisodeFound) -> Row:
    return (
        ref("episode", store, path, found.date, found.time or "", str(found.line)),
        found.date,
        found.time,
        found.title,
        found.type,
        json_text(found.tags),
        found.summary,
        found.link,
        found.target,
        found.line,
    )


def _document(store: bytes, path: str, found: DocumentFound) -> Row:
    return (
        ref("document", store, path),
        found.title,
        found.category,
        len(found.text.encode("utf-8", "replace")),
        found.role,
    )


def _mentions(documents: Iterable[DocumentFound]) -> list[Row]:
    return [_mention(mention) for found in documents for mention in found.mentions]


def _mention(mention: Mention) -> Row:
    return (mention.target, mention.link, mention.label, mention.note, mention.line)


def _access(found: AccessFound) -> Row:
    last = found.last
    return (
        found.key,
        min(found.count, _LARGEST),
        last.iso if last else None,
        last.micros if last else None,
        found.score,
    )


def _index_entry(entry: IndexEntry) -> Row:
    return (entry.key, entry.path, json_text(entry.facts))


def _problem(path: bytes, subject: str | None, flaw: Flaw) -> Row:
    return (
        "source",
        path,
        subject,
        flaw.code,
        flaw.severity.value,
        flaw.line,
        flaw.message,
    )
