"""Questions that are answered by rows as they stand, or by one row of figures."""

from collections.abc import Iterator, Sequence
from itertools import islice

from store.errors import WrongUseError
from store.formats.claudia.asking.asked import Answer, Asked, Row, at_most_one, no_word
from store.formats.claudia.cells import text
from store.formats.claudia.conversations import read_conversation
from store.formats.claudia.health import health_of
from store.formats.claudia.sections import sections_of
from store.formats.claudia.tables import (
    CONVERSATIONS,
    DOCUMENTS,
    ENTRIES,
    NUMBER,
    Record,
    has_column,
    records,
)
from store.records.conversation import STATUSES

LIMIT = 50
"""How many conversations are listed."""


def health(words: Sequence[str]) -> Answer:
    """One row of figures."""
    no_word(words, "health")
    return _health


def conversations(words: Sequence[str]) -> Answer:
    """The latest conversations."""
    status = at_most_one(words, "conversations")
    if status is not None and status not in STATUSES:
        known = ", ".join(STATUSES)
        raise WrongUseError(f"There is no status {status!r}; there are {known}.")
    return lambda asked: islice(_conversations(asked, status), LIMIT)


def documents(words: Sequence[str]) -> Answer:
    """Pages as the database knows them."""
    category = at_most_one(words, "documents")
    return lambda asked: _documents(asked, category)


def sections(words: Sequence[str]) -> Answer:
    """Sections as the register knows them."""
    file = at_most_one(words, "sections")
    return lambda asked: _sections(asked, file)


def _health(asked: Asked) -> Iterator[Row]:
    found = health_of(asked.database)
    entries = records(asked.database, ENTRIES, (NUMBER,))
    known = {status: found.statuses.get(status, 0) for status in STATUSES}
    yield {
        "level": found.level,
        "files": found.files,
        "entries": sum(1 for _ in entries),
        **known,
        "other": sum(found.statuses.values()) - sum(known.values()),
        "documents": found.documents,
        "locks": found.locks,
        "ingesting": list(found.stuck),
        "machine": found.machine,
        "heartbeat": found.heartbeat,
        "indexed": found.indexed,
        "stale": found.stale,
        "missing": list(found.missing),
        "notice": found.notice,
    }


def _conversations(asked: Asked, status: str | None) -> Iterator[Row]:
    latest = has_column(asked.database, CONVERSATIONS, "last_message_at")
    order = "last_message_at DESC, id DESC" if latest else ""
    has = asked.database.tables.get(CONVERSATIONS, ())
    rows = records(asked.database, CONVERSATIONS, (NUMBER, *has), order=order)
    for row in rows:
        if status in {None, row.get("status")}:
            yield conversation_row(row)


def conversation_row(row: Record) -> Row:
    """A conversation on one row."""
    found, _ = read_conversation(row)
    return {
        "conversation": found.key,
        "status": found.status,
        "first": found.first.iso if found.first else None,
        "last": found.last.iso if found.last else None,
        "entries": found.entries,
        "session": found.session,
        "source": found.source,
        "cwd": found.cwd,
        "summary": found.summary,
        "files_written": list(found.files_written),
    }


def _documents(asked: Asked, category: str | None) -> Iterator[Row]:
    order = "category, file_path"
    for row in records(asked.database, DOCUMENTS, order=order):
        if category in {None, row.get("category")}:
            yield {
                "category": text(row.get("category")),
                "path": text(row.get("file_path")),
                "title": text(row.get("title")),
                "modified": text(row.get("file_modified_at")),
                "cwd": text(row.get("cwd")),
                "characters": len(text(row.get("content")) or ""),
                "ingested": text(row.get("ingested_at")),
            }


def _sections(asked: Asked, file: str | None) -> Iterator[Row]:
    for row in sections_of(asked.database):
        path = text(row.get("file_path")) or ""
        if not file or file in path:
            yield {
                "path": path,
                "section": text(row.get("section_title")),
                "summary": text(row.get("summary")),
                "updated": text(row.get("updated_at")),
            }
